// Rules: who is notified and when: the routes, quiet hours, mutes; what an input would come to; mistakes of the file.
import { useEffect } from 'preact/hooks';
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { shownText } from '../lib/shown-text.ts';
import { tomlText } from '../lib/toml-text.ts';
import { LazyPage } from '../parts/lazy-page.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { MuteList } from '../parts/rules/mute-list.tsx';
import { QuietHours } from '../parts/rules/quiet-hours.tsx';
import { RouteTree } from '../parts/rules/route-tree.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { TryInput } from '../parts/rules/try-input.tsx';

type Rules = ApiResult<'rules.get'>;

export function RulesPage() {
  const live = useLive('rules', ['settings'], (signal) => call('rules.get', {}, signal));
  const { refresh } = live;
  // Whoever comes back from their editor sees what is in force now.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') refresh();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <>
      <h1>Rules</h1>
      <section aria-labelledby="mutes">
        <h2 id="mutes">Mutes</h2>
        <MuteList />
      </section>
      <Shown of={live}>{(rules) => <RulesShown rules={rules} />}</Shown>
    </>
  );
}

const loadEditor = () => import('../parts/rules/rules-editor.tsx').then(({ RulesEditor }) => RulesEditor);

function RulesShown({ rules }: { readonly rules: Rules }) {
  const { file, origin, errors, routes, machine_file: machineFile, unrouted, quiet, settings } = rules;
  return (
    <>
      {errors.length === 0 ? null : <Mistakes errors={errors} origin={origin} />}
      <section aria-labelledby="routes">
        <h2 id="routes">Routes</h2>
        {routes.length === 0 ? (
          <EmptyState title="No routes">Nothing is sent to anybody.</EmptyState>
        ) : (
          <RouteTree routes={routes} machineFile={machineFile} />
        )}
        {unrouted.length === 0 ? null : <p class="warning">No route names {shownText(unrouted.join(', '))}.</p>}
      </section>
      <section aria-labelledby="quiet">
        <h2 id="quiet">Quiet hours</h2>
        <QuietHours quiet={quiet} />
      </section>
      <section aria-labelledby="change">
        <h2 id="change">Change the rules</h2>
        <LazyPage load={loadEditor} />
      </section>
      <section aria-labelledby="try">
        <h2 id="try">Try an input</h2>
        <TryInput />
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings in force</h2>
        <p class="meta lead-in">
          {origin === 'defaults' ? 'Defaults: there is no' : origin === 'file' ? 'From' : 'The last good state of'}{' '}
          {file}
          {machineFile === null ? '' : `, over those of this machine in ${machineFile}`}. Secrets are hidden; change the
          file itself to change them.
        </p>
        <pre class="settings">
          <code>{shownText(tomlText(settings))}</code>
        </pre>
      </section>
    </>
  );
}

function Mistakes({ errors, origin }: Pick<Rules, 'errors' | 'origin'>) {
  return (
    <section class="card block" role="alert" aria-labelledby="mistakes">
      <h2 id="mistakes">config.toml has mistakes</h2>
      {origin === 'last good' ? <p>Belfry goes on with the last good settings.</p> : null}
      {errors.map(({ line, column, message, excerpt }) => (
        <div key={`${line}:${column} ${message}`}>
          <p class="bad-words">
            Line {line}, column {column}: {message}
          </p>
          {excerpt === null ? null : <pre class="asked">{excerpt}</pre>}
        </div>
      ))}
    </section>
  );
}
