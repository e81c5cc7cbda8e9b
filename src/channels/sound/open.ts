// Sounds at work: the file of the urgency, played to its end before the next.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTurns } from '../../lib/async/one-after-another.ts';
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import type { Urgency } from '../../model/event/event.ts';
import { runFirst } from '../shared/run-first-program.ts';
import { inHome } from '../../lib/files/in-home.ts';
import { createOperations } from '../shared/operations.ts';
import { NO_PLAYER, playersOf } from './players.ts';
import { wavOf } from './wav.ts';

export interface SoundSettings {
  readonly files: Readonly<Partial<Record<Urgency, string | undefined>>>;
  readonly volume: number;
}

/** Plays nothing yet. Own sounds are made when first needed, in a folder that goes when the channel is closed. */
export function openSound({ files, volume }: SoundSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const inTurn = createTurns();
  let folder: string | null = null;

  async function ownSound(urgency: Urgency): Promise<string> {
    folder ??= await mkdtemp(join(tmpdir(), 'belfry-sound-'));
    const file = join(folder, `${urgency}.wav`);
    await writeFile(file, wavOf(urgency, volume));
    return file;
  }

  return {
    send: ({ content: { urgency } }, { signal: outer, timeoutMs: limit }) =>
      running.run(outer, (signal) =>
        inTurn(async () => {
          const own = files[urgency];
          const file = own === undefined ? await ownSound(urgency) : inHome(own);
          // The volume of an own sound is in the file.
          const ways = playersOf(tools.platform, file, own === undefined ? 1 : volume);
          return runFirst(ways, { tools, missing: NO_PLAYER, limit, signal });
        }),
      ),
    close: async () => {
      await running.close();
      if (folder !== null) await rm(folder, { recursive: true, force: true });
      folder = null;
    },
  };
}
