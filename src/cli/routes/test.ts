// `belfry routes test`: every route's answer to one event; decided from a hook's input, or as it is stored.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadInitial } from '../../config/initial-load.ts';
import type { Config } from '../../model/config.ts';
import type { Event } from '../../model/event.ts';
import type { Verdict } from '../../model/verdict.ts';
import { oneLine } from '../../lib/text.ts';
import { resolveOwnPaths } from '../../runtime/environment.ts';
import type { RouteTrace } from '../../daemon/explain.ts';
import { readHookInput } from '../hook-input.ts';
import type { Io } from '../io.ts';
import { painter } from '../table-output.ts';
import { eventOf, withStore } from '../with-store.ts';

interface Options {
  readonly agent?: string;
  readonly event?: string;
}

/** Stages that say when something is sent. */
const PLANS: ReadonlySet<string> = new Set(['settle', 'group', 'schedule', 'silence', 'quiet']);

interface Decided {
  readonly event: Event;
  readonly channels: readonly string[];
  /** Of a stage before the routes that stops it; null: none. */
  readonly stopped: Verdict | null;
  /** When, and with what: in words. */
  readonly planned: readonly string[];
}

/** Prints what each route makes of it, then where it would go. */
export async function test(io: Io, what: string, options: Options): Promise<void> {
  const { config: path, state } = resolveOwnPaths();
  const { config } = await loadInitial(path, state, false, Date.now());
  const { traceRoutes, reach } = await import('../../daemon/explain.ts');
  const isFile = what === '-' || existsSync(what) || /[/\\]|\.json$/.test(what);
  const decided = isFile ? await ofInput(what, options, config) : await ofStored(what, config, reach);
  const traces = traceRoutes(decided.event, config, homedir());
  const { event, channels, stopped } = decided;
  if (io.json) {
    const { kind, detail, urgency, agent, project } = event;
    return io.data({
      event: { id: isFile ? null : event.id, kind, detail, urgency, agent, project },
      routes: traces,
      channels,
      stopped,
      planned: decided.planned,
    });
  }
  const paint = await painter(io);
  io.line(oneLine([event.agent, event.kind, event.detail, event.urgency].filter((part) => part !== null).join(' · ')));
  for (const trace of traces)
    io.line(`  route ${trace.route}  ${paint(trace.matches && trace.reached ? 'good' : 'dim', oneLine(words(trace)))}`);
  if (stopped !== null) io.line(paint('notice', oneLine(`not sent: ${stopped.note} (${stopped.stage})`)));
  else
    io.line(
      channels.length === 0 ? paint('notice', 'not sent: no route matches') : `goes to ${oneLine(channels.join(', '))}`,
    );
  for (const line of decided.planned) io.line(`  ${oneLine(line)}`);
}

function words({ to, also, reached, matches, misses }: RouteTrace): string {
  const channels = to.length === 0 ? 'nobody' : to.join(', ');
  if (!matches) return `no: ${misses.join(', ')} ${misses.length === 1 ? 'does' : 'do'} not match`;
  if (!reached) return `matches, but an earlier route ends the search`;
  return `matches → ${channels}${also ? ', and on' : ''}`;
}

async function ofInput(file: string, { agent, event }: Options, config: Config): Promise<Decided> {
  const raw = await readHookInput(file);
  const { explain } = await import('../../daemon/explain.ts');
  const explained = await withStore((store) => explain({ raw, agent, event, env: {}, home: homedir() }, config, store));
  const stopped = explained.verdicts.find(({ verdict }) => verdict === 'stop') ?? null;
  const planned = explained.verdicts.filter(({ stage, verdict }) => PLANS.has(stage) && verdict === 'change');
  return {
    event: explained.event,
    channels: explained.channels,
    stopped: stopped?.stage === 'route' ? null : stopped,
    planned: planned.map(({ note }) => note),
  };
}

async function ofStored(
  id: string,
  config: Config,
  reach: typeof import('../../daemon/explain.ts').reach,
): Promise<Decided> {
  const { event } = await withStore((store) => eventOf(store, id));
  return { event, channels: reach(event, config, homedir()), stopped: null, planned: [] };
}
