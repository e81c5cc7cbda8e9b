// WezTerm: activates the session's pane and the tab that it is in.
import { asObject, parseJson } from '../lib/json/json.ts';
import { byProgram, definePlace, done, failed } from './place-kind.ts';
import { terminalDevice } from './processes.ts';

/** The terminal device of a pane, in `wezterm cli list --format json`; null: it is not there. */
export function deviceInWezterm(text: string, pane: number): string | null {
  const panes = parseJson(text);
  const found = (Array.isArray(panes) ? panes : []).map(asObject).find((one) => one['pane_id'] === pane);
  return typeof found?.['tty_name'] === 'string' ? found['tty_name'] : null;
}

export const wezterm = definePlace({
  name: 'wezterm',
  level: 'terminal',
  applies: ({ env }) => /^\d+$/.test(env['WEZTERM_PANE'] ?? ''),
  focus: async ({ viewer: { pid, env } }, { run }) => {
    const pane = env['WEZTERM_PANE'] ?? '';
    const text = await run('wezterm', ['cli', 'list', '--format', 'json'], env);
    if (text === null) return { steps: [failed('pane', 'WezTerm does not answer')] };
    const device = deviceInWezterm(text, Number(pane));
    if (device === null || device !== (await terminalDevice(pid, run)))
      return { steps: [failed('pane', `pane ${pane} of WezTerm is not the session's any more`)] };
    const said = await run('wezterm', ['cli', 'activate-pane', '--pane-id', pane], env);
    return {
      steps: [
        said === null
          ? failed('pane', `WezTerm did not select pane ${pane}`)
          : done('pane', `pane ${pane} of WezTerm is selected`),
      ],
    };
  },
  ability: async (_viewer, tools) => byProgram('pane', 'WezTerm', ['wezterm'], tools),
});
