// The settings in force, what an input would come to, and the daemon's status.
import { excerpt } from '../../config/excerpt.ts';
import { readConfig } from '../../config/load.ts';
import { registries } from '../../config/registries.ts';
import { shownConfig } from '../../config/show.ts';
import type { ApiCall, ApiResult } from '../../http/api/contract.ts';
import type { Handlers } from '../../http/api/routes.ts';
import { VERSION } from '../../lib/version.ts';
import { eventJson } from '../../model/row-json.ts';
import { runCommand } from '../commands/index.ts';
import { eventTitle } from '../event-title.ts';
import { explain } from '../explain.ts';
import type { CommandContext } from '../commands/context.ts';

type Json = Readonly<Record<string, unknown>>;

export function ruleHandlers(deps: CommandContext): Pick<Handlers, 'rules.get' | 'rules.try' | 'status.get'> {
  const { clock } = deps;
  return {
    'rules.get': () => rulesInForce(deps),
    'rules.try': (call) => tryInput(call, deps),
    'status.get': async () => {
      const status = (await runCommand('status', {}, deps)) as { started_at: string; events: number };
      return { ...status, version: VERSION, now: new Date(clock.now()).toISOString() };
    },
  };
}

async function rulesInForce({ liveConfig, file }: CommandContext): Promise<ApiResult<'rules.get'>> {
  const config = liveConfig.config();
  const shown = shownConfig(config, registries);
  const { routes = [], quiet = null, ...settings } = shown as { routes?: Json[]; quiet?: Json | null } & Json;
  return {
    ...{ file, origin: liveConfig.origin(), settings },
    errors: liveConfig.invalid() === null ? [] : await errorsOf(file),
    routes: routes.map(({ match = {}, to, also, ...own }, index) => ({
      route: index + 1,
      match: { ...(match as object) },
      to: [...(to as readonly string[])],
      also: also === true,
      settings: own,
    })),
    unrouted: config.channels
      .map(({ name }) => name)
      .filter((name) => config.routes.every(({ to }) => !to.includes(name))),
    quiet: quiet === null ? null : { ...quiet },
  };
}

/** What is wrong with the file as it is now. */
async function errorsOf(file: string): Promise<ApiResult<'rules.get'>['errors']> {
  const loaded = await readConfig(file);
  if (loaded.ok) return []; // corrected this moment
  const { text, diagnostics } = loaded;
  return diagnostics.map((diagnostic) => ({
    ...{ line: diagnostic.line, column: diagnostic.column },
    message: diagnostic.key === '' ? diagnostic.message : `${diagnostic.key}: ${diagnostic.message}`,
    excerpt: text === null ? null : excerpt(text, diagnostic).join('\n') || null,
  }));
}

async function tryInput(
  { body }: ApiCall<'rules.try'>,
  { liveConfig, store, home }: CommandContext,
): Promise<ApiResult<'rules.try'>> {
  const { input, agent, event } = body;
  const request = { raw: Buffer.from(input), agent, event, env: {}, home };
  const explained = await explain(request, liveConfig.config(), store);
  return {
    agent: explained.agent,
    event: { ...eventJson(explained), title: eventTitle(explained.event) },
    verdicts: explained.verdicts.map((verdict) => ({ ...verdict })),
    notifications: explained.notifications.map(({ channel, notification: { title, body: text, urgency } }) => ({
      ...{ channel, title, urgency },
      body: text,
    })),
  };
}
