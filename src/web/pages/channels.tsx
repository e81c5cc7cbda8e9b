// Channels: whether each one works, what it can do, and a test of it.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { abilities, counted } from '../lib/terms.ts';
import { atDayTime, dayTime } from '../../model/time/clock-time.ts';
import { now } from '../lib/clock.ts';
import { BrowserNotifications } from '../parts/frame/browser-notifications.tsx';
import { shownText } from '../lib/shown-text.ts';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { WithCode } from '../parts/reading/with-code.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TestChannelButton } from '../parts/test-channel-button.tsx';
import { ClockTime } from '../parts/clock-time.tsx';

type Channel = ApiResult<'channels.list'>['channels'][number];

export function ChannelsPage() {
  const live = useLive('channels', ['health', 'delivery'], (signal) => call('channels.list', {}, signal));
  return (
    <>
      <h1>Channels</h1>
      <BrowserNotifications />
      <Shown of={live}>
        {({ channels }) =>
          channels.length === 0 ? (
            <EmptyState title="No channels">
              <code>belfry channel add TYPE</code> adds one.
            </EmptyState>
          ) : (
            <ul class="cards">
              {channels.map((channel) => (
                <ChannelCard key={channel.name} channel={channel} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}

function ChannelCard({ channel }: { readonly channel: Channel }) {
  const { name, type, state, error, reason, since, probe_at, paused_until, waiting, last_attempt, can, quota } =
    channel;
  return (
    <li class="card block">
      <div class="row">
        <strong class="title">{shownText(name)}</strong>
        <StateBadge state={state === 'ok' && last_attempt?.ok === false ? 'last-failed' : state} />
      </div>
      <p class="meta">{[type, ...abilities(can)].join(' · ')}</p>
      {state === 'ok' ? null : (
        <p class="bad-words">
          {since === null ? null : `Since ${dayTime(Date.parse(since), now.value)}: `}
          <WithCode text={error ?? reason ?? ''} />
          {probe_at === null ? null : `. The next try is ${atDayTime(Date.parse(probe_at), now.value)}.`}
        </p>
      )}
      {paused_until === null ? null : (
        <p>Paused by the service; goes on {atDayTime(Date.parse(paused_until), now.value)}</p>
      )}
      <p class="meta">
        {last_attempt === null ? (
          'Nothing was sent yet'
        ) : (
          <span class={last_attempt.ok ? undefined : 'bad-words'}>
            Last {last_attempt.ok ? 'sent' : <WithCode text={failedWords(channel, last_attempt)} />}{' '}
            <ClockTime at={last_attempt.at} />
          </span>
        )}
        {waiting === 0 ? null : (
          <a href={`/deliveries?channel=${encodeURIComponent(name)}`}>
            {counted(waiting, 'delivery', 'deliveries')} to come
          </a>
        )}
      </p>
      {quota === null ? null : <p class="meta">{quota}</p>}
      <div class="buttons">
        <TestChannelButton name={name} />
      </div>
    </li>
  );
}

/** Why is said once: not again where it is why the channel fails. */
function failedWords({ state, error, reason }: Channel, last: NonNullable<Channel['last_attempt']>): string {
  const why = last.error ?? last.reason ?? 'no reason';
  return state !== 'ok' && why === (error ?? reason) ? 'failed' : `failed (${why})`;
}
