// Adds what `setup` asked for to settings that a person has written, as `belfry channel add` does.
import type { StoredSecret } from '../../../config/secrets/secret-store.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { configBefore } from '../channel/config-before.ts';
import { writeChannel } from '../channel/write-channel.ts';
import type { Io } from '../../io.ts';
import type { AskedChannel } from './ask-channels.ts';

/** The secrets it stored. */
export async function addAsked(io: Io, paths: Paths, asked: readonly AskedChannel[]): Promise<StoredSecret[]> {
  const stored: StoredSecret[] = [];
  for (const { channel, answers, tested } of asked) {
    const name = channel.type;
    const before = await configBefore(paths, name, channel.type);
    const flags = { set: [], test: true };
    const written = await writeChannel(io, paths, { channel, name, answers, before, flags, interactive: true, tested });
    stored.push(...written.secrets);
  }
  return stored;
}
