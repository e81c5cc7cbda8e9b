// Whether the settings allow no answers from elsewhere at all, in words: where they are installed, offered or checked.
import { readConfig } from '../../../config/load.ts';
import { lockOf } from '../../../config/machine/merge-config.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import type { Config } from '../../../model/settings/config.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Io } from '../../io.ts';

/** Null: they allow some. `machine`: the machine-wide settings in force. */
export function answersSwitchedOff({ answer }: Pick<Config, 'answer'>, machine: MachineConfig | null): string | null {
  if (answer.kinds.length > 0) return null;
  const where = lockOf(['answer', 'kinds'], machine) === null ? '' : ' for this machine';
  return `answering from elsewhere is switched off${where}: \`kinds\` of [answer] is an empty list`;
}

/** What was installed for it does nothing while the settings allow no kind of question. */
export async function noteAnsweringOff(io: Io): Promise<void> {
  const loaded = await readConfig(resolveOwnPaths()).catch(() => null); // what is wrong with the settings is said by who uses them
  const off = loaded?.ok ? answersSwitchedOff(loaded.config, loaded.machine.config) : null;
  if (off !== null) io.note(off);
}
