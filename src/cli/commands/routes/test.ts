// `belfry routes test`: every route's answer to one event; decided from a hook's input, or as it is stored.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadInitial } from '../../../config/live/initial-load.ts';
import type { Config } from '../../../model/settings/config.ts';
import type { Event } from '../../../model/event/event.ts';
import type { PlannedDelivery } from '../../../model/delivery/delivery.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { RouteTrace } from '../../../daemon/processing/explain.ts';
import { agentOf } from '../../options/agent.ts';
import { readHookInput } from '../../options/hook-input.ts';
import type { Io } from '../../io.ts';
import { plannedJson, plannedWords } from '../../../model/delivery/plan-words.ts';
import { painter } from '../../output/table-output.ts';
import { parseAt } from '../../options/times.ts';
import { withFiles } from '../../reading/with-files.ts';
import { eventOf, withStore } from '../../reading/with-store.ts';

interface Options {
  readonly agent?: string;
  readonly event?: string;
  readonly at?: string;
}

interface Decided {
  readonly event: Event;
  readonly channels: readonly string[];
  readonly plan: readonly PlannedDelivery[];
  /** Of another stage than the routes that stops it; null: none. */
  readonly stopped: Verdict | null;
  /** What it goes together with, in words; null: it goes alone. */
  readonly group: string | null;
}

/** Prints what each route makes of it, then where it would go. */
export async function test(io: Io, what: string, options: Options): Promise<void> {
  const { config } = await loadInitial(resolveOwnPaths(), false, Date.now());
  const at = parseAt(options.at, Date.now());
  const { traceRoutes } = await import('../../../daemon/processing/explain.ts');
  const isFile = what === '-' || existsSync(what) || /[/\\]|\.json$/.test(what);
  const decided = isFile ? await ofInput(what, options, config, at) : await ofStored(what, config, at);
  const traces = traceRoutes(decided.event, config, homedir());
  const { event, channels, plan, stopped } = decided;
  if (io.json) {
    const { kind, detail, urgency, agent, project } = event;
    return io.data({
      event: { id: isFile ? null : event.id, kind, detail, urgency, agent, project },
      routes: traces,
      channels,
      plan: plan.map((planned) => plannedJson(planned, at)),
      stopped,
      group: decided.group,
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
  for (const planned of plan) io.line(`  ${oneLine(planned.channel)}: ${paint('dim', plannedWords(planned, at))}`);
  if (decided.group !== null) io.line(`  ${oneLine(decided.group)}`);
}

function words({ to, also, reached, matches, misses }: RouteTrace): string {
  const channels = to.length === 0 ? 'nobody' : to.join(', ');
  if (!matches) return `no: ${misses.join(', ')} ${misses.length === 1 ? 'does' : 'do'} not match`;
  if (!reached) return `matches, but an earlier route ends the search`;
  return `matches → ${channels}${also ? ', and on' : ''}`;
}

/** What the routes say themselves shows above. */
function stoppedBy(verdicts: readonly Verdict[]): Verdict | null {
  const stopped = verdicts.find(({ verdict }) => verdict === 'stop') ?? null;
  return stopped?.stage === 'route' ? null : stopped;
}

const groupOf = (verdicts: readonly Verdict[]): string | null =>
  verdicts.find(({ stage, verdict }) => stage === 'group' && verdict === 'change')?.note ?? null;

async function ofInput(file: string, options: Options, config: Config, at: number): Promise<Decided> {
  const agent = agentOf(options.agent);
  const { event } = options;
  const raw = await readHookInput(file);
  const { explain } = await import('../../../daemon/processing/explain.ts');
  const question = { raw, agent, event, env: {}, home: homedir(), at };
  const explained = await withFiles((files) => withStore((store) => explain({ ...question, files }, config, store)));
  return { ...explained, stopped: stoppedBy(explained.verdicts), group: groupOf(explained.verdicts) };
}

async function ofStored(id: string, config: Config, at: number): Promise<Decided> {
  const { explainStored } = await import('../../../daemon/processing/explain.ts');
  return withStore(async (store) => {
    const { event } = await eventOf(store, id);
    const explained = await explainStored(event, config, store, { home: homedir(), at });
    return { event, ...explained, stopped: stoppedBy(explained.verdicts), group: groupOf(explained.verdicts) };
  });
}
