// Checks a terminal channel without showing anything: tmux, and whether it hands notifications on.
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel/channel.ts';
import { placeOf } from '../../model/session/place.ts';
import { firstOnPath } from '../../lib/programs/on-path.ts';
import type { TerminalSettings } from './what-to-show.ts';
import { askPane, tmuxAt } from './tmux.ts';

/** Longest wait for tmux, ms. */
const LIMIT = 2_000;

/** What is wrong. */
export async function checkTerminal(
  settings: TerminalSettings,
  tools: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<CheckResult[]> {
  if (tools.platform === 'win32')
    return [
      {
        level: 'fail',
        text: 'there are no terminals to write to on Windows',
        fix: 'use `desktop`, or run the daemon in WSL',
      },
    ];
  const own: CheckResult = { level: 'ok', text: 'notifications go to the terminal of the session that waits' };
  if (firstOnPath(['tmux'], tools) === null)
    return [own, { level: 'ok', text: 'tmux is not here: sessions in it cannot be shown' }];
  return [own, ...(await checkPassing(settings, tools))];
}

/** Where it is run within tmux. */
async function checkPassing(
  { sequence }: TerminalSettings,
  tools: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<CheckResult[]> {
  const env = Object.fromEntries(Object.entries(tools.env).map(([name, value]) => [name, value ?? '']));
  const place = placeOf({ env })?.tmux ?? null;
  if (place === null || sequence === 'none') return [];
  const pane = await askPane(tmuxAt(place, { tools, signal: tools.signal, limit: LIMIT }), place.pane);
  if ('ok' in pane || pane.passes) return [];
  const fix = 'add `set -g allow-passthrough on` to tmux.conf, or set `sequence = "none"`';
  return [
    { level: 'warn', text: 'tmux hands no notifications on to its terminal: only bell and badge are shown', fix },
  ];
}
