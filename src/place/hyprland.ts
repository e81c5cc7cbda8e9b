// Hyprland: focuses the window of the session's terminal.
import { asObject, parseJson } from '../lib/json/json.ts';
import { hyprlandActive } from '../presence/compositors.ts';
import { chooseWindow, type ListedWindow, MOST_WINDOWS } from './choose-window.ts';
import { byProgram, definePlace, done, failed } from './place-kind.ts';

/** The windows in `hyprctl -j clients`. */
export function hyprlandWindows(text: string): readonly ListedWindow[] {
  const all = parseJson(text);
  return (Array.isArray(all) ? all.slice(0, MOST_WINDOWS) : [])
    .map(asObject)
    .flatMap(({ address, pid, title }) =>
      typeof address === 'string' && /^0x[0-9a-f]{1,16}$/.test(address) && typeof pid === 'number'
        ? [{ id: address, pid, title: typeof title === 'string' ? title : '' }]
        : [],
    );
}

export const hyprland = definePlace({
  name: 'hyprland',
  level: 'window',
  applies: ({ env }) => Boolean(env['HYPRLAND_INSTANCE_SIGNATURE']),
  focus: async (target, tools) => {
    const ask = (...words: readonly string[]) => tools.run('hyprctl', words, target.viewer.env);
    const clients = await ask('-j', 'clients');
    if (clients === null) return { steps: [failed('window', 'Hyprland does not answer')] };
    const found = await chooseWindow(hyprlandWindows(clients), target, tools);
    if ('done' in found) return { steps: [found] };
    await ask('dispatch', 'focuswindow', `address:${found.id}`);
    const active = hyprlandActive((await ask('-j', 'activewindow')) ?? '');
    if (active !== found.pid) return { steps: [failed('window', 'Hyprland kept another window in front')] };
    return { steps: [done('window', 'its window has the focus in Hyprland')] };
  },
  ability: async (_viewer, tools) => byProgram('window', 'Hyprland', ['hyprctl'], tools),
});
