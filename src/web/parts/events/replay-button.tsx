// Sends a delivery again.
import { call } from '../../api/access.ts';
import { ActButton } from '../act-button.tsx';

export function ReplayButton({ id, title }: { readonly id: string; readonly title: string }) {
  const act = async (): Promise<string> => {
    const { replayed } = await call('deliveries.replay', { id });
    const [first] = replayed;
    return first === undefined ? 'Nothing to send again' : `Sent again to ${first.channel}: ${String(first['state'])}`;
  };
  return (
    <ActButton label={`Send again: ${title}`} act={act}>
      Send again
    </ActButton>
  );
}
