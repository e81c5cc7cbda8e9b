// Takes the person to a session: its pane in a multiplexer, its tab in a terminal, then the window.
import { sleep } from '../lib/clock.ts';
import { onPath } from '../lib/programs/on-path.ts';
import { runProgram } from '../lib/programs/run-program.ts';
import type { Place } from '../model/session/place.ts';
import type { Run, Viewer } from '../presence/shared/detector.ts';
import { terminalProcess } from '../presence/shared/terminal-process.ts';
import { agentViewer } from '../presence/shared/terminal-viewers.ts';
import { isHere } from '../presence/shared/active-window.ts';
import { type Ability, failed, type PlaceKind, type PlaceTools, type Step, type Target } from './place-kind.ts';
import { processesAbove } from './processes.ts';

/** One program takes no longer, ms. */
const LIMIT = 2_500;
/** How long a window manager may take, and how often it is asked, ms. */
const PATIENCE = 1_000;
const EVERY = 40;
/** Multiplexers within each other. */
const DEEPEST = 3;

/** Which session. */
export interface FocusRequest {
  readonly place: Place;
  /** The agent's process, known to be alive; null: not known, so that nothing of a pane can be verified. */
  readonly pid: number | null;
  readonly cwd: string | null;
}

/** `show` takes the person there; `check` only says whether it would. Neither rejects but for bugs. */
export interface Focus {
  readonly show: (request: FocusRequest) => Promise<readonly Step[]>;
  readonly check: (request: FocusRequest) => Promise<readonly Ability[]>;
}

/** `env`: of this process; what is run gets that of the session's terminal besides. */
export function createFocus(
  kinds: readonly PlaceKind[],
  machine: {
    readonly platform: NodeJS.Platform;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Focus {
  const { platform, env: own } = machine;
  const run: Run = async (program, args, env) => {
    const { code, stdout } = await runProgram({ program, args, env: { ...own, ...env }, limit: LIMIT });
    return code === 0 ? stdout : null;
  };
  const of = (level: PlaceKind['level'], viewer: Viewer): readonly PlaceKind[] =>
    kinds.filter((kind) => kind.level === level && kind.applies(viewer, platform));
  const tools: PlaceTools = {
    platform,
    run,
    has: (program) => onPath(program, own['PATH'], platform),
    above: (pid) => processesAbove(pid, platform),
    becomes: eventually,
    canRaise: (viewer) => isHere(viewer) && of('window', viewer).length > 0,
  };
  return {
    show: (request) => show(request, of, tools),
    check: (request) => check(request, of, tools),
  };
}

async function eventually(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + PATIENCE; ; await sleep(EVERY)) {
    if (await isTrue()) return true;
    if (Date.now() >= end) return false;
  }
}

type Of = (level: PlaceKind['level'], viewer: Viewer) => readonly PlaceKind[];

async function show({ place, pid, cwd }: FocusRequest, of: Of, tools: PlaceTools): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let viewer = agentViewer(place, pid);
  for (let depth = 0; depth < DEEPEST; depth++) {
    const [kind] = of('multiplexer', viewer);
    if (!kind) break;
    const went = await kind.focus({ viewer, cwd }, tools);
    steps.push(...went.steps);
    if (!went.next) return steps;
    viewer = went.next;
  }
  const target: Target = { viewer, cwd };
  if (!isHere(viewer)) return [...steps, failed('window', 'its terminal is at the other end of an SSH connection')];
  const [terminal] = of('terminal', viewer);
  if (terminal) steps.push(...(await terminal.focus(target, tools)).steps);
  else if (isOneOfSeveral(viewer))
    steps.push(failed('pane', 'its terminal shows several sessions and does not let others select one'));
  if (steps.some(({ what }) => what === 'window')) return steps;
  return [...steps, ...(await raise(target, of('window', viewer), tools))];
}

const isOneOfSeveral = ({ pid }: Viewer): boolean => {
  const shows = pid === null ? undefined : terminalProcess(pid)?.shows;
  return shows !== undefined && shows > 1;
};

/** The first way that works; else what hindered the first. */
async function raise(target: Target, ways: readonly PlaceKind[], tools: PlaceTools): Promise<readonly Step[]> {
  let hindered: readonly Step[] | null = null;
  for (const way of ways) {
    const { steps } = await way.focus(target, tools);
    if (steps.some(({ done }) => done)) return steps;
    hindered ??= steps;
  }
  return hindered ?? [failed('window', nowhere(target.viewer, tools.platform))];
}

function nowhere({ env }: Viewer, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'which application shows it is not known';
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'its terminal is on no desktop that is known here';
  return `${env['XDG_CURRENT_DESKTOP'] ?? 'this desktop'} on Wayland gives no way to bring a window to the front`;
}

/** Without its process nobody knows whether the pane is still the session's. */
async function paneAbility(multiplexer: PlaceKind, viewer: Viewer, tools: PlaceTools): Promise<Ability> {
  if (viewer.pid !== null) return multiplexer.ability(viewer, tools);
  return { what: 'pane', able: false, text: `a pane of ${multiplexer.name} whose process is not known` };
}

/** The pane of the innermost multiplexer, or the tab; then the window. */
async function check({ place, pid }: FocusRequest, of: Of, tools: PlaceTools): Promise<readonly Ability[]> {
  let viewer = agentViewer(place, pid);
  const [multiplexer] = of('multiplexer', viewer);
  const found: Ability[] = multiplexer ? [await paneAbility(multiplexer, viewer, tools)] : [];
  if (found.some(({ able }) => !able)) return found; // nothing is raised before the pane is there
  if (multiplexer) viewer = { ...viewer, env: { ...viewer.env, TMUX: undefined, ZELLIJ_SESSION_NAME: undefined } };
  if (!isHere(viewer)) return [...found, { what: 'window', able: false, text: 'over SSH' }];
  const [terminal] = multiplexer ? [] : of('terminal', viewer);
  if (terminal) found.push(await terminal.ability(viewer, tools));
  else if (!multiplexer && isOneOfSeveral(viewer))
    found.push({ what: 'pane', able: false, text: 'a terminal with several tabs' });
  const ways = await Promise.all(of('window', viewer).map((way) => way.ability(viewer, tools)));
  const window = ways.find(({ able }) => able) ?? ways[0];
  return [...found, window ?? { what: 'window', able: false, text: nowhere(viewer, tools.platform) }];
}
