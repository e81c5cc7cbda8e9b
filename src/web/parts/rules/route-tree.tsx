// The routes in the order they are tried: what each takes, where it goes, what it does after that.
import type { ApiResult } from '../../../http/api/contract.ts';
import { kindWords } from '../../lib/kinds.ts';
import { shownText } from '../../lib/shown-text.ts';

type Route = ApiResult<'rules.get'>['routes'][number];

/** `machineFile`: where those are from that cannot be changed on the page. */
export function RouteTree({
  routes,
  machineFile,
}: {
  readonly routes: readonly Route[];
  readonly machineFile: string | null;
}) {
  return (
    <ol class="routes">
      {routes.map(({ route, match, to, also, machine, settings }) => (
        <li key={route} class="card block">
          <p>
            <span class="stage">Route {route}, if</span> {shownText(conditions(match))}
          </p>
          <p>
            <span class="stage">send to</span> <strong>{shownText(to.join(', ')) || 'nobody'}</strong>
          </p>
          {Object.entries(settings)
            .filter(isSaid)
            .map(([name, value]) => (
              <p key={name}>
                <span class="stage">{name}</span> {shownText(inWords(value).replace(DURATION, durationWords))}
              </p>
            ))}
          <p class="meta">{also ? 'and go on to the next route' : 'and stop here'}</p>
          {machine ? <p class="meta">Of this machine, not changed here: {shownText(machineFile ?? '')}</p> : null}
        </li>
      ))}
    </ol>
  );
}

/** A duration as the settings have it, and its units as people write them. */
const DURATION = /(?<=^|\s)(\d+)(s|m|h|d)(?=$|[\s,])/g;
const UNITS: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' };
const durationWords = (_all: string, number: string, unit: string): string => `${number} ${UNITS[unit]}`;

/** What every route has unless it says otherwise says nothing. */
const isSaid = ([name, value]: readonly [string, unknown]): boolean => name !== 'when' || value !== 'always';

function conditions(match: Readonly<Record<string, unknown>>): string {
  const all = Object.entries(match).map(([name, value]) =>
    name === 'kind'
      ? `it is “${[value]
          .flat()
          .map((kind) => kindWords(String(kind)))
          .join('” or “')}”`
      : name === 'urgency'
        ? `it is ${[value].flat().join(' or ')}`
        : `${name} is ${inWords(value)}`,
  );
  return all.length === 0 ? 'any event' : all.join(' and ');
}

/** A value of the settings on one line. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} ${inWords(one)}`)
    .join(' ');
}
