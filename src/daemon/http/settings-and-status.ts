// The settings in force, what an input would come to, and the daemon's status.
import { excerpt } from '../../config/toml/excerpt.ts';
import type { InvalidConfig } from '../../config/live/initial-load.ts';
import { registries } from '../../config/registries.ts';
import { routedChannels } from '../../config/checks/routed-channels.ts';
import { shownConfig } from '../../config/show.ts';
import type { ApiCall, ApiResult } from '../../http/api/contract.ts';
import { Refusal } from '../../http/api/refusal.ts';
import type { Handlers } from '../../http/api/routes.ts';
import { VERSION } from '../../lib/version.ts';
import { plannedCondition } from '../../model/delivery/plan-words.ts';
import { eventJson, iso } from '../../model/row-json.ts';
import { timeNamed } from '../../model/time/named-time.ts';
import { runCommand } from '../commands/index.ts';
import { eventTitle } from '../../decisions/event-title.ts';
import { explain, type Explanation, explainStored, traceRoutes } from '../processing/explain.ts';
import { ifNow, type IfNowForecast } from '../processing/if-now.ts';
import type { CommandContext } from '../commands/context.ts';

type Json = Readonly<Record<string, unknown>>;

type Named = 'rules.get' | 'rules.try' | 'rules.explain' | 'status.get' | 'status.ifNow';

export function ruleHandlers(deps: CommandContext): Pick<Handlers, Named> {
  const { clock } = deps;
  return {
    'rules.get': async () => rulesInForce(deps),
    'rules.try': (call) => tryInput(call, deps),
    'rules.explain': (call) => explainEvent(call, deps),
    'status.ifNow': () => ifItCameNow(deps),
    'status.get': async () => {
      const status = (await runCommand('status', {}, deps)) as { started_at: string; events: number };
      return { ...status, version: VERSION, now: new Date(clock.now()).toISOString() };
    },
  };
}

async function ifItCameNow({ gate }: CommandContext): Promise<ApiResult<'status.ifNow'>> {
  const { at, text, from, prompt, urgent, notes } = await ifNow(gate);
  const forecast = ({ text: sentence, outcome, reaches, sends }: IfNowForecast) => ({
    text: sentence,
    outcome,
    reaches,
    sends: sends.map((send) => ({ ...send, at: new Date(send.at).toISOString(), until: iso(send.until) })),
  });
  return {
    at: new Date(at).toISOString(),
    text,
    from: from === null ? null : { agent: from.agent, project: from.project, session_id: from.sessionId },
    prompt: forecast(prompt),
    urgent: forecast(urgent),
    notes: [...notes],
  };
}

function rulesInForce({ liveConfig, file }: CommandContext): ApiResult<'rules.get'> {
  const config = liveConfig.config();
  const [invalid, machine] = [liveConfig.invalid(), liveConfig.machine()];
  const routed = routedChannels(config);
  const shown = shownConfig(config, registries);
  const { routes = [], quiet = null, ...settings } = shown as { routes?: Json[]; quiet?: Json | null } & Json;
  return {
    file,
    origin: liveConfig.origin(),
    settings,
    errors: invalid === null ? [] : errorsOf(invalid),
    machine_file: machine.config === null ? null : machine.file,
    routes: routes.map(({ match = {}, to, also, ...own }, index) => ({
      route: index + 1,
      match: { ...(match as object) },
      to: [...(to as readonly string[])],
      also: also === true,
      machine: config.routes[index]?.machine === true,
      settings: own,
    })),
    unrouted: config.channels.map(({ name }) => name).filter((name) => !routed.has(name)),
    quiet: quiet === null ? null : { ...quiet },
  };
}

/** What is wrong with the file as it is now. */
function errorsOf({ diagnostics, text, isMachine }: InvalidConfig): ApiResult<'rules.get'>['errors'] {
  return diagnostics.map((diagnostic) => ({
    line: diagnostic.line,
    column: diagnostic.column,
    message: [...(isMachine ? [diagnostic.file] : []), diagnostic.key, diagnostic.message].filter(Boolean).join(': '),
    excerpt: text === null ? null : excerpt(text, diagnostic).join('\n') || null,
  }));
}

async function tryInput(
  { body }: ApiCall<'rules.try'>,
  { liveConfig, store, home, files, clock }: CommandContext,
): Promise<ApiResult<'rules.try'>> {
  const { input, agent, event } = body;
  const at = momentOf(body.at, clock.now());
  const request = { raw: Buffer.from(input), agent, event, env: {}, home, files, at };
  const explained = await explain(request, liveConfig.config(), store);
  return {
    agent: explained.agent,
    event: { ...eventJson(explained), title: eventTitle(explained.event) },
    ...decidedJson(explained, at),
    notifications: explained.notifications.map(({ channel, notification: { title, body: text, urgency } }) => ({
      channel,
      title,
      urgency,
      body: text,
    })),
  };
}

async function explainEvent(
  { params, query }: ApiCall<'rules.explain'>,
  { liveConfig, store, home, clock }: CommandContext,
): Promise<ApiResult<'rules.explain'>> {
  const stored = await store.event(params.id);
  if (stored === null) throw new Refusal(404, 'there is no event of this id');
  const at = momentOf(query.at, clock.now());
  const config = liveConfig.config();
  const explained = await explainStored(stored.event, config, store, { home, at });
  const routes = traceRoutes(stored.event, config, home).map((trace) => ({
    ...trace,
    to: [...trace.to],
    later: [...trace.later],
    misses: [...trace.misses],
  }));
  return { ...decidedJson(explained, at), routes };
}

/** Unix ms of a moment as people name it; without one now. */
function momentOf(named: string | undefined, now: number): number {
  const at = named === undefined ? now : timeNamed(named, now);
  if (at === null) throw new Refusal(400, 'the time must be such as 23:30, "sat 03:00" or 2026-03-01T23:30');
  return at;
}

function decidedJson(
  { verdicts, plan }: Pick<Explanation, 'verdicts' | 'plan'>,
  now: number,
): Pick<ApiResult<'rules.explain'>, 'at' | 'verdicts' | 'plan'> {
  return {
    at: new Date(now).toISOString(),
    verdicts: verdicts.map((verdict) => ({ ...verdict })),
    plan: plan.map((planned) => {
      const { channel, step, due, unless, only, heldBy = null, reason } = planned;
      return {
        channel,
        step,
        unless,
        only,
        reason,
        held_by: heldBy,
        due: new Date(due).toISOString(),
        condition: plannedCondition(planned, now),
      };
    }),
  };
}
