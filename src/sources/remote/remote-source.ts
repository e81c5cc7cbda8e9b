// Machines elsewhere as a source: what their relays hand over is journaled, one after the other as it came from each.
import type { Envelope } from '../../ipc/envelope.ts';
import type { Acknowledgement } from '../../ipc/frames.ts';
import { newId } from '../../ipc/id.ts';
import { decodePartial, type PartialFile } from '../../ipc/shell-spool-file.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../lib/clock.ts';
import type { TmuxPlace } from '../../lib/programs/tmux.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseJson } from '../../lib/json/json.ts';
import type { FarFile } from '../../model/far-file.ts';
import type { RemoteStatus } from '../../model/remote-status.ts';
import type { RemoteConfig } from '../../model/settings/remotes.ts';
import type { Owner } from '../../runtime/remote-command.ts';
import type { Hello } from './connection.ts';
import { FarAsks, farWordOf, type ServeFar } from './far-asks.ts';
import { Link } from './link.ts';
import type { FarProcess, FarTmux, RelayedFile } from './protocol.ts';

/** The agent's name of a test's input, which is not journaled: `remote add` and `check` time it. */
const TEST_AGENT = 'belfry-test';
/** Tests that nobody waits for yet, of which so many are kept. */
const MOST_EARLY = 16;
/** A file handed over this soon, ms, has the process that started its hook as its parent still. */
const PARENT_LIVES = 10_000;
/** A clock there that is wrong by less is taken as it is: the relay tells whole seconds. */
const SAME_CLOCK = 2_000;

/** Who follows what becomes of the machines. Must not throw. */
export interface RemoteListener {
  /** Something about one has changed. */
  readonly changed: () => void;
  /** One has handed over an input, which is journaled. */
  readonly journaled: (name: string) => void;
}

export interface RemoteSourceDeps {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly owner: () => Omit<Owner, 'takesOver'>;
  readonly random: () => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Keeps what cannot be read. */
  readonly setAside: (id: string, bytes: Uint8Array, why: string) => Promise<void>;
  readonly promptOpen: () => boolean;
}

/** All machines elsewhere that the settings name. */
export class RemoteSource {
  readonly #o: RemoteSourceDeps;
  readonly #links = new Map<string, { readonly link: Link; readonly config: RemoteConfig }>();
  readonly #tests = new Map<string, () => void>();
  /** Words of tests that came before they were waited for. */
  readonly #early = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #listener: RemoteListener | null = null;
  /** Unix ms of the latest input of each machine: what comes after it began after it. */
  readonly #latest = new Map<string, number>();
  #wanted: Readonly<Record<string, RemoteConfig>> = {};
  #accept: ((envelope: Envelope) => Promise<Acknowledgement>) | null = null;
  readonly #asks: FarAsks;

  constructor(deps: RemoteSourceDeps) {
    this.#o = deps;
    this.#asks = new FarAsks({ clock: deps.clock, log: deps.log, link: (name) => this.#links.get(name)?.link });
  }

  /** Nothing is connected before. `serve`: one hook there that waits for an answer. */
  async start(accept: (envelope: Envelope) => Promise<Acknowledgement>, serve: ServeFar): Promise<void> {
    this.#accept = accept;
    this.#asks.start(serve);
    await this.#follow();
  }

  /** Takes over the settings: one that changed is connected again. */
  async configure(remotes: Readonly<Record<string, RemoteConfig>>): Promise<void> {
    this.#wanted = remotes;
    await this.#follow();
  }

  status(): readonly RemoteStatus[] {
    return [...this.#links.values()].map(({ link }) => link.status());
  }

  /** Undefined: no such machine. */
  find(name: string): Pick<Link, 'connect' | 'disconnect' | 'status'> | undefined {
    return this.#links.get(name)?.link;
  }

  /** Those of a machine's processes that have exited; none while it cannot be asked. */
  readonly findExited = async <T extends FarProcess>(name: string, processes: readonly T[]): Promise<readonly T[]> => {
    const runs = (await this.#links.get(name)?.link.running(processes)) ?? null;
    return runs === null ? [] : processes.filter((_process, i) => runs[i] === false);
  };

  /** The last `most` bytes of a file of a machine; null: there is none that may be read, or nobody can say now. */
  readonly look = async (name: string, path: string, most: number): Promise<FarFile | null> =>
    (await this.#links.get(name)?.link.look(path, most)) ?? null;

  /** What a tmux server of a machine says of a pane; null: there is none, or nobody can say now. */
  readonly tmux = async (name: string, place: TmuxPlace): Promise<FarTmux | null> =>
    (await this.#links.get(name)?.link.tmux(place)) ?? null;

  /** Hooks after each tool are wanted, or not any more. */
  readonly open = (isOpen: boolean): void => {
    for (const { link } of this.#links.values()) link.open(isOpen);
  };

  /** Resolves with the ms until a test's input with this word has come; null: it does not within `patience` ms. */
  async awaitTest(word: string, patience: number): Promise<number | null> {
    const { clock } = this.#o;
    const from = clock.now();
    if (this.#early.delete(word)) return 0;
    let hasCome = false;
    const come = new Promise<void>((resolve) => {
      const cancel = clock.setTimer(patience, resolve);
      this.#tests.set(word, () => {
        hasCome = true;
        cancel();
        resolve();
      });
    });
    await come;
    this.#tests.delete(word);
    return hasCome ? clock.now() - from : null;
  }

  /** Resolves when something about a machine has changed, or the time (ms) is over. */
  nextChange(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#waiting.delete(end);
        resolve();
      };
      const cancel = this.#o.clock.setTimer(patience, end);
      this.#waiting.add(end);
    });
  }

  /** One follows it. */
  follow(listener: RemoteListener): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#accept = null;
    this.#listener = null;
    this.#asks.stop();
    await Promise.all([...this.#links.values()].map(({ link }) => link.disconnect()));
    this.#links.clear();
  }

  async #follow(): Promise<void> {
    if (this.#accept === null) return;
    for (const [name, { link, config }] of this.#links) {
      if (isDeepStrictEqual(this.#wanted[name], config)) continue;
      this.#asks.forget(name);
      this.#links.delete(name);
      await link.disconnect();
    }
    for (const [name, config] of Object.entries(this.#wanted)) if (!this.#links.has(name)) this.#begin(name, config);
  }

  #begin(name: string, config: RemoteConfig): void {
    const { owner, env, clock, random, log, promptOpen } = this.#o;
    const link = new Link({
      name,
      config,
      owner: owner(),
      env,
      clock,
      random,
      log,
      promptOpen,
      changed: () => {
        for (const wake of this.#waiting) wake();
        this.#listener?.changed();
      },
      file: (file, hello) => this.#take(name, file, hello),
      overflow: () =>
        log('hooks of a machine elsewhere kept nothing for a time: too many files waited', { remote: name }),
    });
    this.#links.set(name, { link, config });
  }

  /** On a busy machine it is here before whoever began it has said that they wait. */
  #tested(word: string): void {
    const heard = this.#tests.get(word);
    if (heard === undefined) this.#early.add(word);
    else heard();
    if (this.#early.size > MOST_EARLY) this.#early.delete([...this.#early][0] ?? '');
  }

  async #take(name: string, file: RelayedFile, hello: Hello): Promise<boolean> {
    const { log, setAside, clock } = this.#o;
    const read = readFile(file);
    const id = newId(file.modified, sha256(`${name} ${hello.box}/${file.id}`));
    if (typeof read === 'string') {
      log('a file of a machine elsewhere cannot be read and is in quarantine', {
        remote: name,
        file: file.id,
        why: read,
      });
      await setAside(id, file.bytes, read);
      return true;
    }
    if (read.header.agent === TEST_AGENT) {
      this.#tested(Buffer.from(read.raw).toString('utf8').trim());
      return true;
    }
    this.#links.get(name)?.link.heard();
    const now = clock.now();
    const wrong = now - file.handedOver;
    const at = Math.min(now, file.modified + (Math.abs(wrong) < SAME_CLOCK ? 0 : wrong));
    const startedAt = Math.max(at, this.#latest.get(name) ?? 0);
    this.#latest.set(name, startedAt);
    const envelope = envelopeOf(name, id, startedAt, file, read);
    const word = farWordOf(envelope);
    if (word !== null) {
      this.#asks.hear(envelope, word, this.#links.get(name)?.config.answer === true);
      return true; // the hook itself waits: nothing of it outlives the two of us
    }
    const acknowledged = await this.#accept?.(envelope);
    if (acknowledged?.ok === true) this.#listener?.journaled(name);
    return acknowledged?.ok === true;
  }
}

function readFile(file: RelayedFile): PartialFile | string {
  const read = decodePartial(file.bytes, file.writer);
  if (typeof read === 'string') return read;
  const isWhole =
    read.complete || read.cut !== undefined || parseJson(Buffer.from(read.raw).toString('utf8')) !== undefined;
  return isWhole ? read : 'its writer was killed before the input was whole';
}

/** Where it ran is what the settings call that machine; what the far side says of itself names nothing here. */
function envelopeOf(name: string, id: string, at: number, file: RelayedFile, read: PartialFile): Envelope {
  const { ppid, env, cwd, ...rest } = read.header;
  const isFresh = file.handedOver - file.modified < PARENT_LIVES && file.ancestors.length > 0;
  return {
    id,
    ...rest,
    startedAt: at,
    receivedAt: at,
    ...(read.cut && { cut: read.cut }),
    origin: {
      pid: file.writer,
      ppid,
      env,
      host: name,
      remote: name,
      ...(cwd !== undefined && { cwd }),
      // The relay itself found them running.
      ...(isFresh ? { ancestors: file.ancestors, seen: true } : { ancestors: [] }),
      ...(isFresh && file.tty !== null && { tty: file.tty }),
    },
    raw: read.raw,
  };
}
