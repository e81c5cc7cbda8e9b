// zellij: selects the session's pane by its id, which versions from 0.44 can.
import { byProgram, definePlace, done, failed } from './place-kind.ts';

export const zellij = definePlace({
  name: 'zellij',
  level: 'multiplexer',
  applies: ({ env }) => Boolean(env['ZELLIJ_SESSION_NAME']),
  focus: async ({ viewer: { pid, env } }, { run, above }) => {
    const stop = (text: string) => ({ steps: [failed('pane', text)], next: null });
    const session = env['ZELLIJ_SESSION_NAME'] ?? '';
    const pane = env['ZELLIJ_PANE_ID'] ?? '';
    const owners = pid === null ? [] : await above(pid);
    if (!/^\d+$/.test(pane) || !owners.some(({ name }) => name === 'zellij'))
      return stop('which pane of zellij shows the session is not known');
    const said = await run('zellij', ['--session', session, 'action', 'focus-pane-id', `terminal_${pane}`]);
    if (said === null) return stop('zellij did not select its pane: from version 0.44 on it can');
    return {
      steps: [
        done('pane', `pane ${pane} of zellij is selected`),
        failed('window', 'zellij does not say which window shows it'),
      ],
      next: null,
    };
  },
  ability: async (_viewer, tools) => byProgram('pane', 'zellij', ['zellij'], tools),
});
