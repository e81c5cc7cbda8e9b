// Goes to a session's window, tab and pane. Only the machine that they are on can do that, so elsewhere there is no button.
import { call } from '../../api/access.ts';
import { ActButton } from '../act-button.tsx';

/** Whether this browser is on the machine of the sessions. */
export const isThisMachine = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

interface FocusButtonProps {
  /** The session's. */
  readonly name: string;
  /** What it is, for those who hear the page. */
  readonly title: string;
  /** The first thing to do about it. */
  readonly isFirst?: boolean;
}

export function FocusButton({ name, title, isFirst = false }: FocusButtonProps) {
  const act = async (): Promise<string> => {
    const { steps } = await call('sessions.focus', { key: name });
    return steps.map(({ text }) => text).join('; ');
  };
  if (!isThisMachine) return null;
  return (
    <ActButton kind={isFirst ? 'primary' : 'plain'} label={`Go to terminal: ${title}`} act={act}>
      Go to terminal
    </ActButton>
  );
}
