// tmux: whether its pane is the active one of a terminal that has the focus, and the last key in such a terminal.
import { parseTmux, type TmuxClient, tmuxQuestion } from '../lib/tmux.ts';
import { defineDetector, type Finding, looking, type Subject } from './detector.ts';
import { environmentOf } from './environment-of.ts';
import { idleFor } from './idle-finding.ts';

/** A terminal within another multiplexer gets the focus reported only as far as that one passes it on. */
function focusOf({ pid, focused }: TmuxClient): boolean | null {
  const env = environmentOf(pid) ?? {};
  return env['TMUX'] || env['STY'] || env['ZELLIJ_SESSION_NAME'] ? null : focused;
}

function lookingAt(pane: string, window: string, clients: readonly TmuxClient[]): Finding {
  if (clients.length === 0) return looking('no', 'no terminal is attached to tmux');
  const showing = clients.filter((client) => client.pane === pane);
  if (showing.length === 0) {
    const beside = clients.some((client) => client.window === window);
    return looking('no', beside ? `another pane than ${pane} is active in tmux` : `tmux shows another window`);
  }
  const focused = showing.find((client) => focusOf(client) === true);
  if (focused) return looking('yes', `you look at pane ${pane} of tmux on ${focused.tty}`);
  if (showing.every((client) => focusOf(client) === false))
    return looking('no', `the terminal of pane ${pane} does not have the focus`);
  return looking('unknown', `tmux shows pane ${pane}, but does not know whether its terminal has the focus`);
}

/** Who shows the pane: their windows are looked at then. */
export function tmuxViewers(text: string): readonly TmuxClient[] {
  const found = parseTmux(text);
  return found?.clients.filter(({ pane }) => pane === found.pane) ?? [];
}

export const tmux = defineDetector({
  name: 'tmux',
  about: ['looking', 'idle'],
  applies: ({ place }: Subject) => place.tmux !== null,
  detect: async (subject, run) => {
    const { place, now } = subject;
    const text = place.tmux === null ? null : await run('tmux', tmuxQuestion(place.tmux));
    const found = text === null ? null : parseTmux(text);
    if (found === null) return [looking('unknown', 'tmux does not answer')];
    const { pane, window, clients } = found;
    const last = Math.max(...clients.map(({ activity }) => activity));
    return [lookingAt(pane, window, clients), ...idleFor(Math.max(0, now - last), subject, ' in tmux')];
  },
});
