// Asks for how long everything is to be muted: `belfry mute` alone would mute it until somebody remembers.
import { answered } from './channel/ask.ts';
import type { Io } from './io.ts';

const CHOICES = ['30m', '1h', '4h', '8h'] as const;

/** A duration as it is typed; null: until `belfry unmute`, also where there is nobody to ask. Throws where the person cancels. */
export async function askMuteDuration(io: Io): Promise<string | null> {
  if (!io.tty || io.json || process.stdin.isTTY !== true) return null;
  const { select } = await import('@clack/prompts');
  const options = [
    ...CHOICES.map((choice) => ({ value: choice, label: choice })),
    { value: null, label: 'until `belfry unmute`' },
  ];
  return answered(select<string | null>({ message: 'Mute everything for how long?', options, initialValue: '1h' }));
}
