// Which processes are in the terminals that show a session: the agent itself, or the clients of tmux that show its pane.
import type { Place } from '../../model/session/place.ts';
import type { Run, Viewer } from './detector.ts';
import { environmentOf } from './process-environment.ts';
import { askTmux, tmuxViewers } from '../tmux.ts';

/** As Windows Terminal, and nothing else without a name, calls its tabs. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What the hook saw, where the process cannot be read. */
function environmentAt({ display, windowId, terminal, paneId, ssh }: Place): Viewer['env'] {
  const isX = display !== null && /:\d/.test(display);
  return {
    ...(display !== null && { [isX ? 'DISPLAY' : 'WAYLAND_DISPLAY']: display }),
    ...(windowId !== null && { WINDOWID: windowId }),
    ...(terminal !== null && { TERM_PROGRAM: terminal }),
    ...(paneId !== null && terminal === 'WezTerm' && { WEZTERM_PANE: paneId }),
    ...(paneId !== null && terminal === null && UUID.test(paneId) && { WT_SESSION: paneId }),
    ...(ssh !== null && { SSH_CONNECTION: ssh }),
  };
}

/** The agent itself in its terminal, or in its pane. `pid`: its process, where it is known. */
export function agentViewer(place: Place, pid: number | null): Viewer {
  const own = pid === null ? null : environmentOf(pid);
  const { tmux } = place;
  if (own === null)
    return { pid, env: { ...environmentAt(place), ...(tmux && { TMUX: tmux.socket, TMUX_PANE: tmux.pane }) } };
  // Where the terminal does not name its window, the one that a prompt was given in is known.
  return { pid, env: { ...(place.windowId !== null && { WINDOWID: place.windowId }), ...own } };
}

/** `pid`: the agent's process, where it is known. */
export async function viewersOf(place: Place, pid: number | null, run: Run): Promise<readonly Viewer[]> {
  if (place.tmux === null) return [agentViewer(place, pid)];
  const found = await askTmux(place.tmux, run);
  return tmuxViewers(found).map((client) => ({ pid: client.pid, env: environmentOf(client.pid) ?? {} }));
}
