// Sends a test to a channel, and says what came of it.
import { call } from '../api/access.ts';
import { shownText } from '../lib/shown-text.ts';
import { ActButton } from './act-button.tsx';

export function TestChannelButton({ name }: { readonly name: string }) {
  const act = async (): Promise<string> => {
    const result = await call('channels.test', { name });
    if (result['ok'] !== true)
      throw new Error(`${shownText(name)}: ${String(result['error'] ?? result['reason'] ?? 'not sent')}`);
    return `${shownText(name)} took the test`;
  };
  return (
    <ActButton label={`Send a test: ${shownText(name)}`} act={act}>
      Send a test
    </ActButton>
  );
}
