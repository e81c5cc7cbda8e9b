// macOS: brings the application of the session's terminal to the front, whichever of its windows that shows.
import { definePlace, done, failed } from './place-kind.ts';

/** By what TERM_PROGRAM calls them: their names for the system. */
const APPLICATIONS: Readonly<Record<string, string>> = {
  Apple_Terminal: 'Terminal',
  'iTerm.app': 'iTerm',
  WezTerm: 'WezTerm',
  ghostty: 'Ghostty',
  kitty: 'kitty',
  'xterm-kitty': 'kitty',
  WarpTerminal: 'Warp',
};

const applicationOf = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  APPLICATIONS[env['TERM_PROGRAM'] ?? (env['KITTY_WINDOW_ID'] ? 'kitty' : '')];

export const macosApplication = definePlace({
  name: 'macos-application',
  level: 'window',
  applies: ({ env }, platform) => platform === 'darwin' && applicationOf(env) !== undefined,
  focus: async ({ viewer: { env } }, { run }) => {
    const name = applicationOf(env) ?? '';
    const said = await run('/usr/bin/open', ['-a', name]);
    return {
      steps: [said === null ? failed('window', `${name} was not found`) : done('window', `${name} is in front`)],
    };
  },
  ability: async ({ env }) => ({ what: 'window', able: true, text: applicationOf(env) ?? 'macOS' }),
});
