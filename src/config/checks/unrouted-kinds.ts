// Which kinds of events no route takes: a file that is valid and notifies nobody is what people do not see coming.
import type { Config, Route } from '../../model/settings/config.ts';
import type { Kind, Urgency } from '../../model/event/event.ts';

/** Kinds that ask for somebody's attention, and the urgencies they come with: docs/agents.md. */
const EXPECTED: readonly { readonly kind: Kind; readonly urgency: readonly Urgency[]; readonly abnormal: boolean }[] = [
  { kind: 'agent.waiting', urgency: ['normal'], abnormal: false },
  { kind: 'agent.finished', urgency: ['normal'], abnormal: false },
  { kind: 'session.ended', urgency: ['urgent'], abnormal: true },
  { kind: 'session.failed', urgency: ['urgent'], abnormal: true },
];

/** Those that no route can take, whatever the event's other fields. A route with an empty `to` takes them on purpose. */
export function unroutedKinds(config: Pick<Config, 'routes'>): Kind[] {
  return EXPECTED.filter((event) => !config.routes.some((route) => canTake(route, event))).map(({ kind }) => kind);
}

function canTake({ match }: Route, { kind, urgency, abnormal }: (typeof EXPECTED)[number]): boolean {
  return (
    (match?.kind?.includes(kind) ?? true) &&
    (match?.longer_than === undefined || kind === 'agent.finished') &&
    (match?.urgency?.some((one) => urgency.includes(one)) ?? true) &&
    (match?.abnormal ?? abnormal) === abnormal
  );
}
