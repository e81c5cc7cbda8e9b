// tmux: selects the session's pane, in the terminal that shows its tmux session or else in the one that was used last.
import { parseTmux, type TmuxClient, type TmuxPane, type TmuxPlace, tmuxQuestion } from '../lib/programs/tmux.ts';
import type { Viewer } from '../presence/shared/detector.ts';
import { environmentOf } from '../presence/shared/process-environment.ts';
import { byProgram, definePlace, done, failed, type PlaceTools } from './place-kind.ts';
import { runsBelow } from './processes.ts';

/** Where it is, by the environment of something in it. */
function placeIn({ TMUX, TMUX_PANE }: Viewer['env']): TmuxPlace | null {
  const [socket] = (TMUX ?? '').split(',');
  return socket && /^%\d+$/.test(TMUX_PANE ?? '') ? { socket, pane: TMUX_PANE ?? '' } : null;
}

const viewerOf = ({ pid }: TmuxClient): Viewer => ({ pid, env: environmentOf(pid) ?? {} });

/** A window may be in several sessions of tmux. */
const isInSession = ({ session, window }: TmuxPane, client: TmuxClient): boolean =>
  client.session === session || client.window === window;

/** The terminal used last of those that show the tmux session and whose window can be raised; else the one used last of all. */
export function chooseClient(pane: TmuxPane, canRaise: (client: TmuxClient) => boolean): TmuxClient | null {
  const latest = [...pane.clients].sort((a, b) => b.activity - a.activity);
  return latest.find((client) => isInSession(pane, client) && canRaise(client)) ?? latest[0] ?? null;
}

/** The words that show it there. A terminal that shows another session of tmux is switched. */
export function showWords(socket: string, found: TmuxPane, client: TmuxClient): readonly string[] {
  const { pane, window } = found;
  const session = isInSession(found, client) ? client.session : found.session;
  const change = session === client.session ? [] : ['switch-client', '-c', client.tty, '-t', session, ';'];
  return ['-S', socket, ...change, 'select-window', '-t', `${session}:${window}`, ';', 'select-pane', '-t', pane];
}

async function ask(place: TmuxPlace, { run }: PlaceTools): Promise<TmuxPane | null> {
  return parseTmux((await run('tmux', tmuxQuestion(place))) ?? '');
}

export const tmux = definePlace({
  name: 'tmux',
  level: 'multiplexer',
  applies: ({ env }) => placeIn(env) !== null,
  focus: async ({ viewer }, tools) => {
    const stop = (text: string) => ({ steps: [failed('pane', text)], next: null });
    const place = placeIn(viewer.env);
    const found = place === null ? null : await ask(place, tools);
    if (place === null || found === null) return stop('its pane in tmux is gone, or tmux does not answer');
    const { pane } = place;
    if (viewer.pid === null)
      return stop(`pane ${pane} of tmux is not shown: its process is not known, so it may be another's`);
    if (!(await runsBelow(viewer.pid, [found.pid], tools)))
      return stop(`pane ${pane} of tmux is not shown: something else than the session runs in it now`);
    const client = chooseClient(found, (one) => tools.canRaise(viewerOf(one)));
    if (client === null)
      return stop(`no terminal is attached to tmux: run \`tmux -S ${place.socket} attach -t '${found.session}'\``);
    await tools.run('tmux', showWords(place.socket, found, client));
    const after = (await ask(place, tools))?.clients.find(({ tty }) => tty === client.tty);
    if (after?.pane !== pane) return stop(`tmux did not select pane ${pane}`);
    return { steps: [done('pane', `pane ${pane} of tmux is selected on ${client.tty}`)], next: viewerOf(client) };
  },
  ability: async (_viewer, tools) => byProgram('pane', 'tmux', ['tmux'], tools),
});
