// Terminals that say which of their panes has the focus: kitty and WezTerm.
import { asObject, isObject, parseJson } from '../lib/json/json.ts';
import { defineDetector, type Finding, looking, type Run, type Subject, type Viewer } from './shared/detector.ts';

type Env = Viewer['env'];

/** The only terminal that shows the session, unless something within it shows other panes. */
function terminalEnv({ viewers }: Subject, name: string): Env | null {
  const [only, ...others] = viewers.map(({ env }) => env);
  return only?.[name] && others.length === 0 && !only['ZELLIJ_SESSION_NAME'] && !only['STY'] ? only : null;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the window with this id has the focus, in `kitten @ ls`: its window of the system, its tab and itself. Null: it is not there. */
export function kittyFocus(text: string, id: number): boolean | null {
  for (const system of list(parseJson(text)))
    for (const tab of list(asObject(system)['tabs']))
      for (const window of list(asObject(tab)['windows']))
        if (isObject(window) && window['id'] === id)
          return [asObject(system), asObject(tab), window].every((level) => level['is_focused'] === true);
  return null;
}

/** The panes with the focus in `wezterm cli list-clients --format json`; null: that is no such list, or empty. */
export function weztermFocus(text: string): readonly number[] | null {
  const panes = list(parseJson(text)).flatMap((client) => {
    const pane = asObject(client)['focused_pane_id'];
    return typeof pane === 'number' ? [pane] : [];
  });
  return panes.length > 0 ? panes : null;
}

const paneFound = (name: string, focused: boolean): Finding =>
  focused ? looking('yes', `you look at its window in ${name}`) : looking('no', `${name} has the focus elsewhere`);

/** By `kitten`, which newer versions have: `kitty` itself starts slowly. */
export async function askKitty(run: Run, address: string, words: readonly string[], env: Env): Promise<string | null> {
  const args = ['@', '--to', address, ...words];
  return (await run('kitten', args, env)) ?? (await run('kitty', args, env));
}

export const kitty = defineDetector({
  name: 'kitty',
  about: ['looking'],
  applies: (subject) => Boolean(terminalEnv(subject, 'KITTY_WINDOW_ID')?.['KITTY_LISTEN_ON']),
  detect: async (subject, run) => {
    const env = terminalEnv(subject, 'KITTY_WINDOW_ID');
    const address = env?.['KITTY_LISTEN_ON'];
    if (!env || !address) return [];
    const text = await askKitty(run, address, ['ls'], env);
    const focused = text === null ? null : kittyFocus(text, Number(env['KITTY_WINDOW_ID']));
    return focused === null ? [] : [paneFound('kitty', focused)];
  },
});

/** It keeps the pane of a client that has lost the focus, so that a pane with it is not enough for `yes`. */
export const wezterm = defineDetector({
  name: 'wezterm',
  about: ['looking'],
  applies: (subject) => terminalEnv(subject, 'WEZTERM_PANE') !== null,
  detect: async (subject, run) => {
    const env = terminalEnv(subject, 'WEZTERM_PANE');
    const text = env === null ? null : await run('wezterm', ['cli', 'list-clients', '--format', 'json'], env);
    const panes = text === null ? null : weztermFocus(text);
    if (env === null || panes === null) return [];
    if (!panes.includes(Number(env['WEZTERM_PANE']))) return [paneFound('WezTerm', false)];
    return [looking('unknown', 'WezTerm shows its pane, but does not say whether it has the focus')];
  },
});
