// The way out: the channels' workers, the notices about channels that recover, and what is sent directly, bypassing the outbox.
import type { GateDeps } from '../../decisions/ask-gate.ts';
import type { ConfiguredChannel, DeliveryService } from '../../delivery/index.ts';
import { createDeliveryService } from '../../delivery/index.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import type { Store, Undecided } from '../../store/contract.ts';
import { answerKey } from '../answering/answer-key.ts';
import { type ChannelAnswers, createChannelAnswers } from '../answering/channel-answers.ts';
import { carriesAnswers } from '../answering/refresh-messages.ts';
import { type ClientHooks, createClientHooks } from '../answering/client-hooks.ts';
import { type ChannelRecovery, createChannelRecovery } from '../channels/channel-recovery.ts';
import { createDirectNotifier, type DirectNotifier } from '../channels/direct-notifier.ts';
import { createDueJudge } from '../channels/due-judge.ts';
import { createGoOnButtons, type GoOnButtons } from '../channels/go-on-buttons.ts';
import { createInbound } from '../channels/notification-buttons.ts';
import { presenceReader } from '../presence/presence.ts';
import { createPresenceFile, type PresenceFile } from '../presence/presence-file.ts';
import { createSessionFeed } from '../sessions/session-feed.ts';
import type { Foundation } from './foundation.ts';
import type { Intake } from './intake.ts';

export interface Outgoing {
  /** Who knows whether something of before the start lies in the spool still; until then all sessions wait. */
  readonly spoolOpened: (unread: () => boolean) => void;
  readonly deliveries: DeliveryService;
  readonly recovery: ChannelRecovery;
  readonly directNotifier: DirectNotifier;
  /** What is decided before anything of its session goes out. */
  readonly undecided: () => Undecided;
  /** Calls it whenever a worker has set a timer. */
  readonly onTimerSet: (listener: () => void) => void;
  readonly answers: ChannelAnswers;
  readonly goOn: GoOnButtons;
  readonly presenceFile: PresenceFile;
  /** What the gate is asked with. */
  readonly gate: GateDeps & { readonly store: Store };
  readonly clientHooks: ClientHooks;
}

/** The workers of these channels begin at once. */
export function createOutgoing(
  foundation: Foundation,
  { raise, onAlarm }: Pick<Intake, 'raise' | 'onAlarm'>,
  channels: ReadonlyMap<string, ConfiguredChannel>,
): Outgoing {
  const { store, writer, deciding, config, liveConfig, redactor, bus, clock, env, home, log, paths } = foundation;
  const { detect, doNotDisturb, random } = foundation.outside;
  const { now } = clock;
  /** A worker set a timer. */
  const timers = createEmitter<undefined>();
  const wakeTimers = (): void => timers.emit(undefined);
  const since = now();
  let unread = (): boolean => true;
  const undecided = (): Undecided => ({ since, unread: unread() });
  const key = answerKey(paths.state);
  const answers = createChannelAnswers({ store, deciding, clock, config, log, key });
  const goOn = createGoOnButtons({ store, now });
  const recovery = createChannelRecovery({
    store,
    deciding,
    log,
    isValid: () => liveConfig.invalid() === null,
  });
  writer.onDecided(recovery.decided);
  const clientHooks = createClientHooks(clock, config);
  const presence = presenceReader({ store, now, config, detect, tmuxThere: foundation.remotes.tmux });
  const gate = { store, now, config, profiles: deciding.profiles, home, presence, doNotDisturb };
  const deliveries = createDeliveryService(
    {
      store: { ...store, setHealth: recovery.setHealth },
      clock,
      env,
      log,
      raise,
      random,
      platform: process.platform,
      stateFolder: paths.state,
      clients: clientHooks,
      settled: (delivery, attempt) => bus.publish({ type: 'settled', delivery, attempt }),
      undecided,
      judge: createDueJudge({ ...gate, deciding, wakeTimers }),
      sessions: createSessionFeed({ store, clock }),
      inbound: createInbound({
        store,
        deciding,
        key,
        answers,
        goOn,
        mayAnswer: (channel) => carriesAnswers(config(), channel),
        level: (channel) => config().channels.find(({ name }) => name === channel)?.level ?? config().redaction.level,
        env,
        log,
      }),
    },
    channels,
  );
  writer.onDecided(({ deliveries: planned, rewrite = [], rehold = [] }) => {
    const channels = new Set([...planned, ...rewrite].map(({ channel }) => channel));
    const isOnlySends = rewrite.length === 0 && planned.every(({ operation }) => operation === 'send');
    if (rehold.some(({ heldBy }) => heldBy === null)) deliveries.wake();
    else if (channels.size > 0) deliveries.wake([...channels], isOnlySends ? 'sends' : 'anything');
  });
  const directNotifier = createDirectNotifier({
    store,
    config,
    redactor,
    now,
    home,
    log,
    send: deliveries.sendDirect,
  });
  onAlarm(directNotifier.notify);
  const presenceFile = createPresenceFile({ store, clock, config, detect, env, log });
  const spoolOpened: Outgoing['spoolOpened'] = (given) => {
    unread = given;
    deliveries.wake();
  };
  const built = { undecided, deliveries, recovery, directNotifier, answers, goOn, clientHooks, presenceFile, gate };
  return { ...built, spoolOpened, onTimerSet: timers.on };
}
