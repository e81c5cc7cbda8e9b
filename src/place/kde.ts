// KDE on Wayland: activates the window of the session's terminal, by kdotool.
import { byProgram, definePlace, done, failed } from './place-kind.ts';

/** Reads `kdotool search`: one window's id a line. */
export const kdeWindows = (text: string): readonly string[] => text.match(/\{[0-9a-f-]{36}\}/g) ?? [];

export const kde = definePlace({
  name: 'kde',
  level: 'window',
  applies: ({ env }) => Boolean(env['WAYLAND_DISPLAY']) && /\bkde\b/i.test(env['XDG_CURRENT_DESKTOP'] ?? ''),
  focus: async ({ viewer: { pid, env } }, { run, above, becomes, has }) => {
    const stop = (text: string) => ({ steps: [failed('window', text)] });
    if (!has('kdotool')) return stop('its window was not brought to the front: install kdotool');
    for (const process of pid === null ? [] : await above(pid)) {
      const found = kdeWindows((await run('kdotool', ['search', '--pid', String(process.pid)], env)) ?? '');
      const [id] = found;
      if (id === undefined) continue;
      if (found.length > 1)
        return stop(`its terminal has ${found.length} windows and does not say which one shows the session`);
      await run('kdotool', ['windowactivate', id], env);
      const isActive = async (): Promise<boolean> => (await run('kdotool', ['getactivewindow'], env))?.trim() === id;
      return (await becomes(isActive))
        ? { steps: [done('window', 'its window is in front')] }
        : stop('KDE kept another window in front');
    }
    return stop('no window of its terminal was found');
  },
  ability: async (_viewer, tools) => byProgram('window', 'KDE on Wayland', ['kdotool'], tools),
});
