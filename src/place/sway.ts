// sway: focuses the window of the session's terminal, on whatever workspace it is.
import { asObject, isObject, parseJson } from '../lib/json/json.ts';
import { focusedInTree, swaySocket } from '../presence/compositors.ts';
import { chooseWindow, type ListedWindow, MOST_WINDOWS } from './choose-window.ts';
import { byProgram, definePlace, done, failed } from './place-kind.ts';

/** Deepest part of a tree that is read. */
const DEEPEST = 64;

/** The windows in `swaymsg -t get_tree`. */
export function windowsInTree(text: string): readonly ListedWindow[] {
  const found: ListedWindow[] = [];
  const look = (node: unknown, depth: number): void => {
    if (!isObject(node) || depth > DEEPEST || found.length >= MOST_WINDOWS) return;
    const { id, pid, name, nodes, floating_nodes: floating } = asObject(node);
    if (typeof id === 'number' && typeof pid === 'number')
      found.push({ id: String(id), pid, title: typeof name === 'string' ? name : '' });
    for (const children of [nodes, floating])
      for (const child of Array.isArray(children) ? children : []) look(child, depth + 1);
  };
  look(parseJson(text), 0);
  return found;
}

export const sway = definePlace({
  name: 'sway',
  level: 'window',
  applies: ({ env }) =>
    Boolean(env['SWAYSOCK'] ?? env['WAYLAND_DISPLAY']) &&
    !env['HYPRLAND_INSTANCE_SIGNATURE'] &&
    swaySocket(env) !== null,
  focus: async (target, tools) => {
    const { env } = target.viewer;
    const ask = (...words: readonly string[]) => tools.run('swaymsg', ['-s', swaySocket(env) ?? '', ...words], env);
    const tree = await ask('-r', '-t', 'get_tree');
    if (tree === null) return { steps: [failed('window', 'sway does not answer')] };
    const found = await chooseWindow(windowsInTree(tree), target, tools);
    if ('done' in found) return { steps: [found] };
    await ask(`[con_id=${found.id}] focus`);
    const focused = focusedInTree((await ask('-r', '-t', 'get_tree')) ?? '');
    if (focused !== found.pid) return { steps: [failed('window', 'sway kept another window in front')] };
    return { steps: [done('window', 'its window has the focus in sway')] };
  },
  ability: async (_viewer, tools) => byProgram('window', 'sway', ['swaymsg'], tools),
});
