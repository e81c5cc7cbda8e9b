// Starts and stops the parts of the daemon, in the order that loses nothing.
import { startRetention } from '../../delivery/index.ts';
import { createRemoteNotices } from '../remotes/remote-notices.ts';
import { leaveFallback } from '../../runtime/fallback-files.ts';
import type { HttpService } from '../shared/http-service.ts';
import { tidyKeptFiles } from '../journal/kept-files.ts';
import { answeredInside } from '../answering/joining.ts';
import { sleep } from '../../lib/clock.ts';
import { announceChanges } from '../upgrade/upgrade-notice.ts';
import { reviewHolds } from '../../decisions/batch/stale-holds.ts';
import type { ConfigFollowers } from './follow-config.ts';
import type { Foundation } from './foundation.ts';
import type { Intake } from './intake.ts';
import type { Outgoing } from './outgoing.ts';
import type { Processing } from './processing.ts';

/** All of them. */
export interface DaemonParts extends Intake, Outgoing, Processing {
  readonly http: HttpService;
  readonly followers: ConfigFollowers;
}

/** Everything that was left undone goes on. Resolves with what ends the upkeep of the store. */
export async function startParts(foundation: Foundation, parts: DaemonParts): Promise<() => Promise<void>> {
  const { initial, store, openPrompts, clock, log, config, paths, program, home, env, remotes } = foundation;
  const { followers, answering, processor, deliveries, recovery } = parts;
  leaveFallback(paths, program);
  await announceChanges({
    state: paths.state,
    store,
    config: config(),
    now: clock.now,
    raise: parts.raise,
    inside: () => answeredInside({ home, env, platform: process.platform }, log),
  }).catch((error: unknown) => log('what an upgrade changed could not be announced', { error: String(error) }));
  if (initial.invalid) await followers.raiseInvalid(initial.invalid);
  await followers.service();
  await followers.watches();
  // Until now everything waited in the journal. In one step with the look into it: what comes meanwhile must not overtake what lies there.
  parts.onIncoming(processor.take);
  await answering.start();
  await parts.goingOn.start();
  await reviewHolds(store, clock.now());
  await processor.start();
  parts.onTimerSet(processor.wakeTimers); // it looks at all there are when it starts
  await followers.http();
  await followers.presenceFile();
  await followers.remotes();
  const stopNotices = createRemoteNotices({ remotes, store, clock, log, raise: parts.raise });
  deliveries.wake();
  await recovery.reconcile();
  const stopRetention = startRetention({
    store,
    clock,
    log,
    retention: () => config().retention,
    expired: openPrompts.review,
    tidyFiles: (rules) => tidyKeptFiles(paths, rules),
  });
  return () => {
    stopNotices();
    return stopRetention();
  };
}

/** Finishes what is in flight, within `graceMs`; then the store is closed. */
export async function stopParts(
  { liveConfig, clock, store, files }: Foundation,
  parts: DaemonParts,
  stopUpkeep: () => Promise<void>,
  graceMs: number,
): Promise<void> {
  const inOrder = async (): Promise<void> => {
    await Promise.all([liveConfig.close(), parts.watchScheduler.stop()]);
    await parts.http.stop();
    await parts.goingOn.stop();
    await parts.answering.stop();
    await parts.answers.stop();
    await parts.ingest.idle();
    await parts.processor.stop();
    await parts.presenceFile.stop();
    await parts.recovery.stop();
    await parts.deliveries.stop(graceMs / 2);
    await parts.directNotifier.stop();
    await stopUpkeep();
  };
  const cancel = new AbortController();
  await Promise.race([inOrder(), sleep(graceMs, clock, cancel.signal)]);
  cancel.abort();
  files.stop();
  await store.close();
}
