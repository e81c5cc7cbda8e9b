// Doctor: where a click on a notification takes the person, from the terminal that doctor runs in.
import { placeOf, UNKNOWN_PLACE } from '../../model/session/place.ts';
import { joinAnd } from '../../lib/text/text.ts';
import { type Ability, createFocus, PLACES } from '../../place/index.ts';
import { type CheckResult, defineCheck, ok, warn } from './check.ts';

export const placeCheck = defineCheck({
  name: 'place',
  inspects: 'where a click on a notification, and `belfry focus`, take you: as if an agent ran in this terminal',
  fixes: [
    ['a program is missing that brings windows to the front', 'install it, as shown'],
    ['kitty, or GNOME on Wayland, does not let others do it', 'as shown; docs/guide/focus.md says what works where'],
  ],
  run: async ({ machine: { env, platform } }) => {
    const place = placeOf({ env: Object.fromEntries(Object.entries(env).filter(isGiven)) }) ?? UNKNOWN_PLACE;
    const focus = createFocus(PLACES, { platform, env });
    return [clickResult(await focus.check({ place, pid: process.pid, cwd: process.cwd() }))];
  },
});

const isGiven = (pair: [string, string | undefined]): pair is [string, string] => pair[1] !== undefined;

/** "a click on a notification from here goes to its pane (tmux), but not to its window: GNOME on Wayland". */
export function clickResult(abilities: readonly Ability[]): CheckResult {
  const there = abilities.filter(({ able }) => able).map(({ what, text }) => `its ${what} (${text})`);
  const not = abilities.filter(({ able }) => !able).map(({ what, text }) => `its ${what}: ${text}`);
  const goes = [
    ...(there.length === 0 ? [] : [`to ${joinAnd(there)}`]),
    ...(not.length === 0 ? [] : [`${there.length === 0 ? '' : 'but '}not to ${not.join(', nor to ')}`]),
  ].join(', ');
  const line = `a click on a notification from here ${there.length === 0 ? 'does not go' : 'goes'} ${goes.replace(/^not /, '')}`;
  const fix = abilities.find((one) => !one.able && one.fix !== undefined)?.fix;
  return fix === undefined ? ok(line) : warn(line, fix);
}
