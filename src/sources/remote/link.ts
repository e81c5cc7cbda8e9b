// One machine elsewhere, kept connected as its settings say: again after pauses that grow, until something ends that for good.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { TmuxPlace } from '../../lib/programs/tmux.ts';
import type { FarFile } from '../../model/far-file.ts';
import { type EndReason, isLost, type RemoteState, type RemoteStatus } from '../../model/remote-status.ts';
import type { RemoteConfig } from '../../model/settings/remotes.ts';
import { type Owner, relayCommand } from '../../runtime/remote-command.ts';
import { Connection, type ConnectionDeps, type ConnectionEnd, type Hello } from './connection.ts';
import type { FarAnswer, FarProcess, FarTmux } from './protocol.ts';

/** Ms until it is tried again; the last from then on. */
const PAUSES = [1_000, 2_000, 5_000, 10_000, 30_000];
/** What only its person, or other settings, can change. */
const FINAL: ReadonlySet<EndReason> = new Set(['sign-in', 'host-key', 'no-program', 'no-relay', 'refused', 'protocol']);

export interface LinkDeps extends Pick<ConnectionDeps, 'file' | 'env' | 'clock'> {
  readonly name: string;
  readonly config: RemoteConfig;
  readonly owner: Omit<Owner, 'takesOver'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Whether hooks after each tool are wanted now. */
  readonly promptOpen: () => boolean;
  readonly changed: () => void;
  readonly overflow: () => void;
}

export class Link {
  readonly #o: LinkDeps;
  readonly #clock: Clock;
  #state: RemoteState = 'off';
  #since: number;
  #end: ConnectionEnd | null = null;
  #connection: Connection | null = null;
  #hello: Hello | null = null;
  #done: Promise<void> = Promise.resolve();
  #failures = 0;
  #cancelPause: () => void = () => undefined;
  #lastEvent: number | null = null;
  #trouble: RemoteStatus['trouble'] = null;

  constructor(options: LinkDeps) {
    this.#o = options;
    this.#clock = options.clock;
    this.#since = options.clock.now();
    if (options.config.connect !== 'manual') this.connect(false);
  }

  /** Now, whatever ended it before. Does nothing while it is connected or being connected. */
  connect(takesOver: boolean): void {
    if (this.#connection !== null) return;
    this.#cancelPause();
    this.#failures = 0;
    this.#try(takesOver);
  }

  /** Something of an agent there was handed over. */
  heard(): void {
    this.#lastEvent = this.#clock.now();
  }

  /** Until `connect`; resolves once it is. */
  async disconnect(): Promise<void> {
    this.#cancelPause();
    this.#connection?.close();
    await this.#done;
    this.#become('off');
  }

  status(): RemoteStatus {
    const { name } = this.#o;
    const hello = this.#hello;
    const isConnected = this.#state === 'connected';
    return {
      name,
      state: this.#state,
      since: this.#since,
      reason: isConnected ? null : (this.#end?.reason ?? null),
      detail: isConnected ? null : (this.#end?.detail ?? null),
      noise: this.#end?.noise ?? [],
      roundTrip: this.#connection?.roundTrip ?? null,
      hello: hello && { host: hello.host, user: hello.user, shell: hello.shell, os: hello.os },
      lastEvent: this.#lastEvent,
      trouble: this.#trouble,
    };
  }

  /** Which of these run there; null: nobody can say now. */
  async running(processes: readonly FarProcess[]): Promise<readonly boolean[] | null> {
    return (await this.#connection?.running(processes)) ?? null;
  }

  /** The last `most` bytes of a file there; null: there is none that may be read, or nobody can say now. */
  async look(path: string, most: number): Promise<FarFile | null> {
    return (await this.#connection?.look(path, most)) ?? null;
  }

  /** What a tmux server there says of a pane; null: there is none, or nobody can say now. */
  async tmux(place: TmuxPlace): Promise<FarTmux | null> {
    return (await this.#connection?.tmux(place)) ?? null;
  }

  open(isOpen: boolean): void {
    if (this.#state === 'connected') this.#connection?.open(isOpen);
  }

  /** Says to a hook there what it is to do, by its pid and its word. Lost while it is not connected. */
  answer(pid: number, word: string, what: FarAnswer): void {
    if (this.#state === 'connected') this.#connection?.answer(pid, word, what);
  }

  #try(takesOver: boolean): void {
    const { config, owner, env, file, log, name, promptOpen, overflow } = this.#o;
    const nonce = randomBytes(8).toString('hex');
    if (this.#state !== 'waiting') this.#become('connecting');
    const connection = new Connection({
      command: relayCommand(config, nonce, { ...owner, takesOver }),
      nonce,
      env,
      clock: this.#clock,
      overflow,
      file,
      trouble: (what) => {
        if (this.#trouble !== what)
          log('a machine elsewhere cannot write what its hooks leave', { remote: name, what });
        this.#trouble = what;
      },
      connected: (hello) => {
        this.#hello = hello;
        this.#failures = 0;
        this.#trouble = null;
        this.#become('connected');
        log('connected', { remote: name, host: hello.host, shell: hello.shell });
        connection.open(promptOpen());
      },
    });
    this.#connection = connection;
    this.#done = connection.ended.then((end) => this.#ended(end));
  }

  #ended(end: ConnectionEnd): void {
    const { log, name, random } = this.#o;
    this.#connection = null;
    this.#end = end;
    if (end.reason === 'closed') {
      this.#become('off');
      return;
    }
    const { reason, detail } = end;
    if (FINAL.has(reason)) {
      log('a machine elsewhere cannot be reached, and is not tried again', { remote: name, reason, detail });
      this.#become('stopped');
      return;
    }
    if (this.#state === 'connected' || this.#failures === 0)
      log('a machine elsewhere is not connected, and is tried again', { remote: name, reason, detail });
    if (this.#state !== 'waiting') this.#become('waiting');
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)] ?? 0;
    this.#failures++;
    this.#cancelPause = this.#clock.setTimer(pause * (0.8 + 0.4 * random()), () => this.#try(false));
  }

  #become(state: RemoteState): void {
    // What people see is since when it has not been reachable, however often it is tried again.
    const isStill = isLost({ state: this.#state }) && isLost({ state });
    this.#state = state;
    if (!isStill) this.#since = this.#clock.now();
    this.#o.changed();
  }
}
