// Checks a sound channel without a sound: the player, and the files.
import { existsSync } from 'node:fs';
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import { inHome } from '../../lib/files/in-home.ts';
import { firstOnPath } from '../../lib/programs/on-path.ts';
import type { SoundSettings } from './open.ts';
import { NO_PLAYER, playerNames } from './players.ts';

/** What is wrong. */
export function checkSound({ files }: SoundSettings, tools: ChannelTools): CheckResult[] {
  const player = firstOnPath(playerNames(tools.platform), tools);
  const [text = '', fix = ''] = NO_PLAYER.split(': ');
  const found: CheckResult =
    player === null ? { level: 'fail', text, fix } : { level: 'ok', text: `${player} plays sounds (not tried)` };
  const missing = Object.entries(files).filter(([, file]) => file !== undefined && !existsSync(inHome(file)));
  return [
    found,
    ...missing.map(
      ([urgency]): CheckResult => ({
        level: 'fail',
        text: `the sound for ${urgency} does not exist`,
        fix: 'correct `files` in config.toml',
      }),
    ),
  ];
}
