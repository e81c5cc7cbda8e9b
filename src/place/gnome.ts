// GNOME on Wayland: no program may bring a window to the front there, except by the extension "Window Calls".
import { asObject, parseJson } from '../lib/json/json.ts';
import type { Viewer } from '../presence/shared/detector.ts';
import { chooseWindow, type ListedWindow, MOST_WINDOWS } from './choose-window.ts';
import { definePlace, done, failed, type PlaceTools } from './place-kind.ts';

const SERVICE = ['org.gnome.Shell', '/org/gnome/Shell/Extensions/Windows', 'org.gnome.Shell.Extensions.Windows'];

/** The windows in the extension's answer to `List`, as busctl prints it: a text of JSON within JSON. */
export function gnomeWindows(text: string): readonly ListedWindow[] {
  const [inner] = [asObject(parseJson(text))['data']].flat();
  const all = typeof inner === 'string' ? parseJson(inner) : null;
  return (Array.isArray(all) ? all.slice(0, MOST_WINDOWS) : [])
    .map(asObject)
    .flatMap(({ id, pid, title }) =>
      typeof id === 'number' && typeof pid === 'number'
        ? [{ id: String(id), pid, title: typeof title === 'string' ? title : '' }]
        : [],
    );
}

const call = ({ env }: Viewer, { run }: Pick<PlaceTools, 'run'>, ...words: readonly string[]): Promise<string | null> =>
  run('busctl', ['--user', '--auto-start=no', '--json=short', 'call', ...SERVICE, ...words], env);

export const gnome = definePlace({
  name: 'gnome',
  level: 'window',
  applies: ({ env }) => Boolean(env['WAYLAND_DISPLAY']) && /\bgnome\b/i.test(env['XDG_CURRENT_DESKTOP'] ?? ''),
  focus: async (target, tools) => {
    const { viewer } = target;
    const listed = await call(viewer, tools, 'List');
    if (listed === null)
      return { steps: [failed('window', 'GNOME on Wayland lets no program bring a window to the front')] };
    const found = await chooseWindow(gnomeWindows(listed), target, tools);
    if ('done' in found) return { steps: [found] };
    if ((await call(viewer, tools, 'Activate', 'u', found.id)) === null)
      return { steps: [failed('window', 'the extension "Window Calls" did not activate its window')] };
    return { steps: [done('window', 'GNOME was asked to bring its window to the front')] };
  },
  ability: async (viewer, tools) =>
    (await call(viewer, tools, 'List')) === null
      ? {
          what: 'window',
          able: false,
          text: 'GNOME on Wayland',
          fix: 'install the GNOME extension "Window Calls", or run agents in tmux: its pane is selected in any case',
        }
      : { what: 'window', able: true, text: 'GNOME with "Window Calls"' },
});
