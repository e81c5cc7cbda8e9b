// Whether the settings allow no answers from elsewhere at all, in words: where they are installed, offered or checked.
import { readConfig } from '../../../config/load.ts';
import { lockOf } from '../../../config/machine/merge-config.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import type { Config } from '../../../model/settings/config.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';

/** Null: they allow some. `machine`: the machine-wide settings in force. */
export function answersSwitchedOff({ answer }: Pick<Config, 'answer'>, machine: MachineConfig | null): string | null {
  if (answer.kinds.length > 0) return null;
  const where = lockOf(['answer', 'kinds'], machine) === null ? '' : ' for this machine';
  return `answering from elsewhere is switched off${where}: \`kinds\` of [answer] is an empty list`;
}

/** The same of the settings in force: what was installed for it does nothing while they allow no kind of question. */
export async function whyAnswersOff(): Promise<string | null> {
  const loaded = await readConfig(resolveOwnPaths()).catch(() => null); // what is wrong with the settings is said by who uses them
  return loaded?.ok ? answersSwitchedOff(loaded.config, loaded.machine.config) : null;
}
