// The thread that reads for the HTTP interface: a long list never holds up the loop that acknowledges hooks.
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../http/api/refusal.ts';
import { displayName } from '../../model/agent/agent.ts';
import { UserError } from '../../model/errors.ts';
import { openReader } from '../../store/open-reader.ts';
import type { WhyRules } from '../processing/why.ts';
import { READS, type ReadName } from './reads/index.ts';

/** What it is begun with. */
export interface ReaderStart {
  readonly database: string;
  /** Names of agents as they are shown to people. */
  readonly titles: Readonly<Record<string, string>>;
}

/** One read. */
export interface ReadRequest {
  readonly number: number;
  readonly name: ReadName;
  readonly call: unknown;
  /** Unix ms. */
  readonly now: number;
  readonly rules: WhyRules;
  readonly lost: ReadonlyMap<string, number>;
}

/** Nobody waits for this read any more. */
export interface ReadOver {
  readonly over: number;
}

/** Its end: JSON, or what is wrong; `status` null: a bug. */
export type ReadReply =
  | { readonly number: number; readonly json: Uint8Array }
  | { readonly number: number; readonly status: number | null; readonly detail: string };

const { database, titles } = workerData as ReaderStart; // handed in by reader.ts
const store = openReader(database, 'all');
store.catch(() => undefined); // each read says so

/** What ends each read that is under way. */
const underway = new Map<number, AbortController>();

async function answer({ number, name, call, now, rules, lost }: ReadRequest): Promise<ReadReply> {
  const over = new AbortController();
  underway.set(number, over);
  try {
    // The call was read by its schemas.
    const run = READS[name] as (context: object, call: unknown, over: AbortSignal) => Promise<unknown>;
    const context = {
      store: await store,
      now,
      rules,
      lost,
      displayName: (agent: string) => displayName(agent, titles[agent]),
    };
    const result = await run(context, call, over.signal);
    return { number, json: Buffer.from(JSON.stringify(result)) };
  } catch (error) {
    if (error instanceof Refusal) return { number, status: error.status, detail: error.message };
    if (error instanceof UserError) return { number, status: 503, detail: error.message };
    return { number, status: null, detail: String(error) };
  } finally {
    underway.delete(number);
  }
}

parentPort?.on('message', (message: ReadRequest | ReadOver) => {
  if ('over' in message) underway.get(message.over)?.abort(new Refusal(409, 'nobody waits for this any more'));
  else void answer(message).then((reply) => parentPort?.postMessage(reply)); // never rejects
});
