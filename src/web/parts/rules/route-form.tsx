// The usual changes of one route without writing TOML: each is made in the text at once, which shows what it comes to.
import { shownText } from '../../lib/shown-text.ts';
import { useState } from 'preact/hooks';
import { Options } from '../options.tsx';
import { dropped, routesShown, type RouteEdit, type StoredRules, editRules } from '../../store/rules-draft.ts';

type Fields = StoredRules['routes'][number];

const WHENS = [
  ['always', 'At any time'],
  ['away', 'Only while I am away from that session'],
  ['idle', 'Only while I am idle'],
] as const;

const URGENCIES = ['low', 'normal', 'urgent'] as const;

export function RouteForm({ channels }: Pick<StoredRules, 'channels'>) {
  const [chosen, setChosen] = useState(1);
  const routes = routesShown.value;
  if (routes.length === 0) return null;
  const fields = routes.find(({ route }) => route === chosen) ?? routes[0];
  if (fields === undefined) return null;
  return (
    <div class="card block route-form">
      <label class="field">
        <span>Change</span>
        <select value={String(fields.route)} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
          {routes.map((route) => (
            <option key={route.route} value={String(route.route)}>
              {shownText(nameOf(route))}
            </option>
          ))}
        </select>
      </label>
      <FieldsOf key={fields.route} fields={fields} channels={channels} />
    </div>
  );
}

/** "Route 2: urgent, project api, to desk, phone". */
function nameOf({ route, to, urgency, projects }: Fields): string {
  const takes = [...urgency, ...(projects.length === 0 ? [] : [`project ${projects.join(', ')}`])];
  return `Route ${route}: ${[...takes, to.length === 0 ? 'to nobody' : `to ${to.join(', ')}`].join(', ')}`;
}

function FieldsOf({ fields, channels }: { readonly fields: Fields } & Pick<StoredRules, 'channels'>) {
  const { route, to, when, delay, urgency, projects } = fields;
  const edit = (change: Omit<RouteEdit, 'route'>): void => editRules({ route, ...change });
  const toggled = <T extends string>(all: readonly T[], has: readonly string[], one: T): T[] =>
    all.filter((name) => (name === one ? !has.includes(name) : has.includes(name)));
  const known = URGENCIES.filter((name) => urgency.includes(name));
  const unknown = to.filter((name) => channels.every((channel) => channel.name !== name));
  const names = [...to.filter((name) => !unknown.includes(name)), ...channels.map(({ name }) => name)];
  const order = [...new Set(names)];
  return (
    <>
      <fieldset class="tick-row">
        <legend>Send to</legend>
        {channels.map(({ name, locked }) => (
          <label
            key={name}
            class="check"
            title={locked ? 'It runs a program: a route can begin to do that in config.toml only' : undefined}
          >
            <input
              type="checkbox"
              checked={to.includes(name)}
              disabled={locked && !to.includes(name)}
              onChange={() => edit({ to: [...toggled(order, to, name), ...unknown] })}
            />
            {shownText(name)}
            {locked ? ' (runs a program: config.toml only)' : ''}
            {dropped.value.includes(name) ? (
              <span class="warning">(runs a program: once this is saved, only config.toml can bring it back)</span>
            ) : null}
          </label>
        ))}
      </fieldset>
      <fieldset class="tick-row">
        <legend>Only if it is (none ticked: any)</legend>
        {URGENCIES.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={urgency.includes(name)}
              onChange={() => edit({ urgency: toggled(URGENCIES, known, name) })}
            />
            {shownText(name)}
          </label>
        ))}
      </fieldset>
      <div class="head form">
        <label class="field">
          <span>When</span>
          <select
            value={when}
            onChange={(event) => {
              const chosen = WHENS.find(([value]) => value === event.currentTarget.value);
              if (chosen !== undefined) edit({ when: chosen[0] });
            }}
          >
            <Options of={WHENS} />
          </select>
        </label>
        <label class="field">
          <span>Wait before sending (optional)</span>
          <input
            value={delay}
            placeholder="30s, 2m"
            maxLength={40}
            onChange={(event) => edit({ delay: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>Only these projects (optional)</span>
          <input
            value={projects.join(', ')}
            placeholder="api, web-*"
            onChange={(event) => edit({ projects: listOf(event.currentTarget.value) })}
          />
        </label>
      </div>
    </>
  );
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
