// Doctor: machines elsewhere, as the daemon has them connected; `belfry remote check` looks at each one itself.
import type { RemoteStatus } from '../../model/remote-status.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import { adviceFor } from '../commands/remote/connect.ts';
import { remoteStatuses } from '../commands/remote/list.ts';
import { type CheckResult, defineCheck, fail, ok, warn } from './check.ts';

export const remotesCheck = defineCheck({
  name: 'remotes',
  inspects: 'machines elsewhere: whether each is connected',
  fixes: [
    ['one is not connected', '`belfry remote check NAME` says why; it is tried again, and nothing is lost meanwhile'],
    ['one is not tried again', 'as shown: how you sign in, its key, or which laptop looks after it'],
    ['hooks there cannot write', 'make room or give write access below `~/.local/state` there'],
  ],
  run: async ({ paths, config }) => {
    if (config !== null && Object.keys(config.remotes).length === 0) return [];
    const known = await remoteStatuses(paths).catch((): ReadonlyMap<string, RemoteStatus> => new Map());
    // Beside a file that is invalid the daemon has others in force.
    return (config === null ? [...known.keys()] : Object.keys(config.remotes)).flatMap((name) => {
      const status = known.get(name);
      return status === undefined ? [] : [resultOf(status)];
    });
  },
});

/** What it says of one. */
export function resultOf(status: RemoteStatus): CheckResult {
  const { name, state, since, reason, detail, trouble, roundTrip } = status;
  const when = clockTime(since);
  if (state === 'off') return ok(`${name}: not connected, as you wished`);
  if (state === 'connected') {
    if (trouble !== null)
      return fail(`${name}: its hooks cannot write below ~/.local/state`, 'make room there, or give write access');
    return ok(`${name}: connected since ${when}${roundTrip === null ? '' : `, round trip ${roundTrip} ms`}`);
  }
  const why = detail ?? reason;
  const text = `${name}: not connected since ${when}${why === null ? '' : ` (${why})`}`;
  const advice = adviceFor(status);
  if (state === 'stopped') return fail(text, advice ?? `\`belfry remote check ${name}\` says what to do`);
  return warn(text, advice ?? `it is tried again; \`belfry remote check ${name}\` says more`);
}
