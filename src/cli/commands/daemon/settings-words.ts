// Which settings are in force, for `belfry status`.
import type { DaemonStatus } from '../../../daemon/commands/status.ts';

/** `shown`: one's own file as it is printed. An older daemon does not know `machine`, and says `file` of a broken one too. */
export function settingsWords(
  { file, origin, broken, machine }: Pick<DaemonStatus['settings'], 'file' | 'origin' | 'broken' | 'machine'>,
  shown: string,
): string {
  // It may be the machine's that is broken.
  const isInvalid = broken?.startsWith(`${file}:`) ?? false;
  const own = isInvalid
    ? `${origin === 'defaults' ? 'the defaults' : 'the last valid ones'}, as config.toml is invalid`
    : origin === 'file'
      ? shown
      : 'the defaults (no config.toml)';
  return machine ? `${own}, with those of this machine in ${machine}` : own;
}
