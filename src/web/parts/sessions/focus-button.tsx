// Goes to a session's window, tab and pane. Only the machine that they are on can do that, so elsewhere there is no button.
import { call } from '../../api/access.ts';
import { ActButton } from '../act-button.tsx';

const isThisMachine = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

interface FocusButtonProps {
  /** The session's. */
  readonly name: string;
  /** What it is, for those who hear the page. */
  readonly title: string;
}

export function FocusButton({ name, title }: FocusButtonProps) {
  const act = async (): Promise<string> => {
    const { steps } = await call('sessions.focus', { key: name });
    return steps.map(({ text }) => text).join('; ');
  };
  if (!isThisMachine) return null;
  return (
    <ActButton label={`Focus: ${title}`} act={act}>
      Focus
    </ActButton>
  );
}
