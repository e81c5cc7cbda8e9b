// What a schema cannot see: names that must exist elsewhere in the file, and what someone may not have meant.
import { urlWarnings } from '../../lib/net/outbound-url-schema.ts';
import { secretRefKind } from '../../lib/secrets/secret-ref.ts';
import { isLoopback, parseListenAddress } from '../../lib/net/listen-address.ts';
import { unansweredChannels, whyUnanswered } from '../../model/channel/capabilities.ts';
import { apiSchema, type Config, type Route } from '../../model/settings/config.ts';
import { secretFields } from '../../model/settings/secret-fields.ts';
import type { Issue } from '../diagnostic.ts';
import type { Registries } from '../registries.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { joinAnd } from '../../lib/text/text.ts';
import { routedChannels } from './routed-channels.ts';
import type { Kind, Urgency } from '../../model/event/event.ts';

/** Channels that are named and not there. `input`: the file as parsed, whatever else is wrong with it, laid over the machine's where there is one. */
export function unknownTargets(input: JsonObject, machineFile?: string): Issue[] {
  const where = machineFile === undefined ? 'in this file' : `in this file or in ${machineFile}`;
  const names = Object.keys(asObject(input['channels']));
  const missing = (targets: unknown, path: readonly PropertyKey[]): Issue[] =>
    asList(targets).flatMap((name, i): Issue[] => {
      if (typeof name !== 'string' || names.includes(name)) return [];
      const message = `no [channels.${name}] ${where}${didYouMean(name, names)}`;
      return [{ path: [...path, i], point: 'value', message }];
    });
  const routes = asList(input['routes']).flatMap((route, i) => {
    const { to, escalate } = asObject(route);
    const steps = asList(escalate).flatMap((step, j) =>
      missing(asObject(step)['to'], ['routes', i, 'escalate', j, 'to']),
    );
    return [...missing(to, ['routes', i, 'to']), ...steps];
  });
  return [
    ...routes,
    ...missing(asObject(input['quiet'])['channels'], ['quiet', 'channels']),
    ...missing(asObject(input['answer'])['channels'], ['answer', 'channels']),
  ];
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const LITERAL = 'is a secret in plain text; use "secret:NAME", "env:NAME" or "file:PATH" to keep it out of this file';

/** What is written for records and is for people: they get each event at once, and once. */
function idleForRecords({ routes, quiet, channels }: Config, registries: Registries): Issue[] {
  const isRecord = (name: string): boolean => {
    const type = channels.find((channel) => channel.name === name)?.type;
    return registries.channels.find((entry) => entry.type === type)?.audience === 'records';
  };
  const quieted = (quiet.channels ?? []).flatMap((name, i): Issue[] => {
    if (!isRecord(name)) return [];
    const message = `holds nothing: ${name} keeps a record, and gets each event at once`;
    return [{ path: ['quiet', 'channels', i], point: 'value', message }];
  });
  const repeated = routes.flatMap(({ to, repeat }, i): Issue[] => {
    if (repeat === undefined || to.length === 0 || !to.every(isRecord)) return [];
    const message = `repeats nothing: ${to.join(', ')} keeps a record, and gets each event once`;
    return [{ path: ['routes', i, 'repeat'], point: 'key', message }];
  });
  return [...quieted, ...repeated];
}

/** Valid settings that someone may not have meant. `inFile`: the file has channels or routes. */
export function configWarnings(config: Config, registries: Registries, inFile: boolean): Issue[] {
  const found: Issue[] = [];
  const literals = (base: readonly string[], schema: unknown, settings: unknown): void => {
    for (const { path, value, mayBeLiteral } of secretFields(schema, settings))
      if (!mayBeLiteral && secretRefKind(value) === 'literal')
        found.push({ path: [...base, ...path], point: 'value', message: LITERAL });
  };
  literals(['api'], apiSchema, config.api);
  found.push(...httpWarnings(config));
  if (!inFile) return found;
  found.push(...idleForRecords(config, registries));
  const typeOf = (type: string) => registries.channels.find((entry) => entry.type === type);
  for (const { name, setting } of unansweredChannels(config, typeOf)) {
    const message = `${name} carries no buttons: ${whyUnanswered(name, setting)}`;
    found.push({ path: ['answer', 'channels', config.answer.channels.indexOf(name)], point: 'value', message });
  }
  const routed = routedChannels(config);
  for (const { name, type, settings } of config.channels) {
    const channel = registries.channels.find((entry) => entry.type === type);
    if (channel) literals(['channels', name], channel.schema, settings);
    for (const { key, message } of urlWarnings(settings))
      found.push({ path: ['channels', name, key], point: 'value', message });
    if (!routed.has(name))
      found.push({
        path: ['channels', name],
        point: 'key',
        message: 'no route names it, so it receives only `belfry test` and channel.failing',
      });
  }
  const unrouted = unroutedKinds(config);
  if (config.routes.length === 0)
    found.push({
      path: ['channels'],
      point: 'key',
      message: 'there are no [[routes]], so nothing will be sent; add one',
    });
  else if (unrouted.length > 0)
    found.push({
      path: ['routes'],
      point: 'key',
      message: `no route takes ${joinAnd(unrouted)}, so nobody is notified of them; end with a [[routes]] without match for the rest (to = [] if you mean it)`,
    });
  return found;
}

function httpWarnings({ daemon, http }: Config): Issue[] {
  const found: Issue[] = [];
  const { metrics } = daemon;
  if (metrics !== undefined) {
    const message = `is the older form: write [http] listen = ["${metrics}"] instead`;
    found.push({ path: ['daemon', 'metrics'], point: 'value', message });
  }
  http.listen.forEach((text, i) => {
    const address = parseListenAddress(text);
    if (address === null || isLoopback(address)) return;
    const message =
      'other machines can reach it, unencrypted: every request there needs a token, metrics and health too';
    found.push({ path: ['http', 'listen', i], point: 'value', message });
  });
  return found;
}

const PROMPT = { kind: 'agent.waiting', urgency: ['normal'], abnormal: false } as const;

/** Kinds that ask for somebody's attention, and the urgencies they come with: docs/agents/README.md. */
const EXPECTED: readonly { readonly kind: Kind; readonly urgency: readonly Urgency[]; readonly abnormal: boolean }[] = [
  PROMPT,
  { kind: 'agent.finished', urgency: ['normal'], abnormal: false },
  { kind: 'session.ended', urgency: ['urgent'], abnormal: true },
  { kind: 'session.failed', urgency: ['urgent'], abnormal: true },
];

/** Those that no route can take, whatever the event's other fields. A route with an empty `to` takes them on purpose. */
function unroutedKinds(config: Pick<Config, 'routes'>): Kind[] {
  return EXPECTED.filter((event) => !config.routes.some((route) => canTake(route, event))).map(({ kind }) => kind);
}

/** Of machine-wide routes that take the place of the built-in ones: whether somebody without routes of their own hears of a prompt. */
export function unheardPrompts({ routes, channels }: Config, registries: Registries): Issue[] {
  const isForPeople = (name: string): boolean => {
    const type = channels.find((channel) => channel.name === name)?.type;
    return registries.channels.find((entry) => entry.type === type)?.audience === 'people';
  };
  const isHeard = (route: Route): boolean =>
    canTake(route, PROMPT) && [...route.to, ...(route.escalate ?? []).flatMap(({ to }) => to)].some(isForPeople);
  if (routes.some(isHeard)) return [];
  const message =
    'whoever has no routes of their own hears of no prompt: none of these sends one to a channel that people look at; end with one such as to = ["desk"], and a [channels.desk]';
  return [{ path: ['routes'], point: 'key', message }];
}

function canTake({ match }: Route, { kind, urgency, abnormal }: (typeof EXPECTED)[number]): boolean {
  return (
    (match?.kind?.includes(kind) ?? true) &&
    (match?.longer_than === undefined || kind === 'agent.finished') &&
    (match?.urgency?.some((one) => urgency.includes(one)) ?? true) &&
    (match?.abnormal ?? abnormal) === abnormal
  );
}
