// tmux: whether its pane is the active one of a terminal that has the focus, and the last key in such a terminal.
import { parseTmux, type TmuxClient, type TmuxPane, type TmuxPlace, tmuxQuestion } from '../lib/programs/tmux.ts';
import { defineDetector, type Finding, looking, type Run, type Subject } from './shared/detector.ts';
import { environmentOf } from './shared/process-environment.ts';
import { idleFor } from './shared/idle-finding.ts';

/** A time so far ahead is one of a clock that was set back since, ms. */
const AHEAD = 2_000;

/** What the server says; null: it does not answer, or the pane is gone. A popup covers whatever its terminal shows, and the server does not say which that is. */
export async function askTmux(place: TmuxPlace, run: Run): Promise<TmuxPane | null> {
  const found = parseTmux((await run('tmux', tmuxQuestion(place))) ?? '');
  if (found === null || found.jobs.length === 0) return found;
  // What runs in a popup has a terminal; what runs for the status line has none.
  const terminals = (await run('ps', ['-o', 'tty=', '-p', found.jobs.join(',')]))?.split('\n') ?? [];
  return { ...found, isCovered: found.isCovered || terminals.some((tty) => /\w/.test(tty)) };
}

/** What is known of the environment of an attached terminal's program. */
type EnvOf = (pid: number) => Readonly<Record<string, string>>;
const envHere: EnvOf = (pid) => environmentOf(pid) ?? {};

/** A terminal within another multiplexer gets the focus reported only as far as that one passes it on. */
function focusOf({ pid, focused }: TmuxClient, envOf: EnvOf): boolean | null {
  const env = envOf(pid);
  return env['TMUX'] || env['STY'] || env['ZELLIJ_SESSION_NAME'] ? null : focused;
}

/** Its last key, Unix ms; null: there was none since it was attached. */
const keyOf = ({ activity, created }: TmuxClient): number | null => (activity > created ? activity : null);

/** The last key in these terminals, Unix ms; null: none is known. */
function lastKey(clients: readonly TmuxClient[], now: number): number | null {
  const keys = clients.flatMap((client) => keyOf(client) ?? []).filter((at) => at <= now + AHEAD);
  return keys.length === 0 ? null : Math.max(...keys);
}

/** Of the terminals that show the pane the one that has the focus. One whose connection is gone claims it for ever: what was used last counts. */
function lookedAt(
  { pane, clients }: TmuxPane,
  envOf: EnvOf,
): { readonly claims: boolean; readonly client: TmuxClient | null } {
  const claiming = clients.filter((client) => client.pane === pane && focusOf(client, envOf) === true);
  const latest = Math.max(...clients.map(({ activity }) => activity));
  return { claims: claiming.length > 0, client: claiming.find(({ activity }) => activity === latest) ?? null };
}

function lookingAt(found: TmuxPane, now: number, envOf: EnvOf): Finding {
  const { pane, window, clients, isCovered } = found;
  if (clients.length === 0) return looking('no', 'no terminal is attached to tmux');
  const showing = clients.filter((client) => client.pane === pane);
  if (showing.length === 0) {
    const beside = clients.some((client) => client.window === window);
    return looking('no', beside ? `another pane than ${pane} is active in tmux` : `tmux shows another window`);
  }
  if (isCovered) return looking('unknown', `tmux may show something else over pane ${pane}`);
  const { claims, client } = lookedAt(found, envOf);
  if (client) return looking('yes', `you look at pane ${pane} of tmux on ${client.tty}`, lastKey([client], now));
  if (claims) return looking('no', `another terminal of tmux was used since the one that shows pane ${pane}`);
  if (showing.every((one) => focusOf(one, envOf) === false))
    return looking('no', `the terminal of pane ${pane} does not have the focus`);
  const unsure = `tmux shows pane ${pane}, but does not know whether its terminal has the focus`;
  return looking('unknown', unsure, lastKey(showing, now));
}

/** The terminals whose windows may show the pane to somebody: the one that has the focus, if one is known to. */
export function tmuxViewers(found: TmuxPane | null): readonly TmuxClient[] {
  if (found === null || found.isCovered) return [];
  const { client } = lookedAt(found, envHere);
  return client ? [client] : found.clients.filter((one) => one.pane === found.pane && focusOf(one, envHere) !== true);
}

/** The same of a tmux server on a machine elsewhere, whose programs `run` runs there: what its clients run within cannot be seen from here. */
export async function lookingThere(place: TmuxPlace, run: Run, now: number): Promise<Finding> {
  const found = await askTmux(place, run);
  return found === null ? looking('unknown', 'tmux there does not answer') : lookingAt(found, now, () => ({}));
}

export const tmux = defineDetector({
  name: 'tmux',
  about: ['looking', 'idle'],
  applies: ({ place }: Subject) => place.tmux !== null,
  detect: async (subject, run) => {
    const { place, now } = subject;
    const found = place.tmux === null ? null : await askTmux(place.tmux, run);
    if (found === null) return [looking('unknown', 'tmux does not answer')];
    const last = lastKey(found.clients, now);
    const idle = last === null ? [] : idleFor(Math.max(0, now - last), subject, ' in tmux');
    return [lookingAt(found, now, envHere), ...idle];
  },
});
