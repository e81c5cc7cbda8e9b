// kitty: brings the session's window of kitty, with its tab and the window of the system, to the front.
import { asObject, isObject, parseJson } from '../lib/json/json.ts';
import { askKitty } from '../presence/terminals.ts';
import { definePlace, done, failed } from './place-kind.ts';
import { runsBelow } from './processes.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The process that runs in the window with this id, in `kitty @ ls`; null: there is none. */
export function processInKitty(text: string, id: number): number | null {
  for (const system of list(parseJson(text)))
    for (const tab of list(asObject(system)['tabs']))
      for (const window of list(asObject(tab)['windows']))
        if (isObject(window) && window['id'] === id) return typeof window['pid'] === 'number' ? window['pid'] : null;
  return null;
}

export const kitty = definePlace({
  name: 'kitty',
  level: 'terminal',
  applies: ({ env }) => Boolean(env['KITTY_WINDOW_ID']),
  focus: async ({ viewer: { pid, env } }, tools) => {
    const address = env['KITTY_LISTEN_ON'];
    if (!address)
      return { steps: [failed('pane', 'kitty lets nobody select its tabs: see `listen_on` of kitty.conf')] };
    const id = Number(env['KITTY_WINDOW_ID']);
    const kitten = (...words: readonly string[]) => askKitty(tools.run, address, words, env);
    const text = await kitten('ls');
    if (text === null)
      return { steps: [failed('pane', 'kitty does not answer: see `allow_remote_control` of kitty.conf')] };
    const owner = processInKitty(text, id);
    if (owner === null || !(await runsBelow(pid, [owner], tools)))
      return { steps: [failed('pane', `window ${id} of kitty is not the session's any more`)] };
    if ((await kitten('focus-window', '--match', `id:${id}`)) === null)
      return { steps: [failed('pane', `kitty did not select window ${id}`)] };
    return { steps: [done('pane', `window ${id} of kitty is selected`)] };
  },
  ability: async ({ env }, { has }) =>
    env['KITTY_LISTEN_ON'] && has('kitty')
      ? { what: 'pane', able: true, text: 'kitty' }
      : {
          what: 'pane',
          able: false,
          text: 'kitty without remote control',
          fix: 'set `allow_remote_control` and `listen_on` in kitty.conf',
        },
});
