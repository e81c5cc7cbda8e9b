// `continue`: the sessions that have stopped, and those of them that are to go on, now or later, or not by themselves.
import * as z from 'zod';
import type { SessionRecord } from '../../model/session/session.ts';
import { keyOfPath, pathKeyOf, sessionKeyText } from '../../model/ids.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { GoingOn, Stopped, WentOn } from '../sessions/going-on.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const keys = z.array(z.string().max(2_000)).max(1_000);
const schema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('list') }),
  /** Null: all that can. */
  z.object({ what: z.literal('go-on'), sessions: keys.nullable(), when: z.enum(['now', 'reset']) }),
  /** Null: none goes on by itself. */
  z.object({ what: z.literal('hold'), sessions: keys.nullable() }),
]);

/** A session that has stopped, as the command line shows it. Times are ISO. */
export interface StoppedRow {
  readonly key: string;
  readonly session_id: string;
  readonly agent: string;
  readonly project: string | null;
  readonly title: string | null;
  /** limit, overloaded or network. */
  readonly cause: string;
  /** Name of the limit; null: no limit stopped it. */
  readonly limit: string | null;
  readonly resets_at: string | null;
  readonly stopped_at: string;
  /** itself: its client goes on; planned: Belfry lets it go on; ready: it can be let go on; terminal: only there. */
  readonly next: 'itself' | 'planned' | 'ready' | 'terminal';
  readonly next_at: string | null;
}

/** What became of one that was to go on. */
export interface ContinuedRow {
  readonly key: string;
  readonly session_id: string;
  readonly project: string | null;
  readonly title: string | null;
  readonly result: WentOn['result'];
  readonly at: string | null;
  readonly why: string | null;
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const named = (record: SessionRecord) => ({
  key: pathKeyOf(sessionKeyText(record)),
  session_id: record.sessionId,
  project: record.project,
  title: record.title,
});

function rowOf({ record, failed, cause, limit, next }: Stopped): StoppedRow {
  return {
    ...named(record),
    agent: record.agent,
    cause,
    limit: limit?.name ?? null,
    resets_at: iso(limit?.resetsAt ?? null),
    stopped_at: new Date(failed.at).toISOString(),
    next: next.what,
    next_at: 'at' in next ? iso(next.at) : null,
  };
}

/** Of all those that can: what its client does by itself, or its terminal alone, was not asked for. Where none can, each is to say why. */
async function allMeant(goingOn: GoingOn, when: 'now' | 'reset'): Promise<readonly Stopped[]> {
  const all = await goingOn.stopped();
  const isAble = ({ next, limit }: Stopped): boolean =>
    (next.what === 'ready' || next.what === 'planned') && (when === 'now' || limit !== null);
  return all.some(isAble) ? all.filter(isAble) : all;
}

/** Replies with rows: `stopped`, `continued` or `held`. */
export const goOn: CommandHandler = async (given, { goingOn }) => {
  const asked = parseArgs(schema, given);
  if (asked.what === 'list') return { stopped: (await goingOn.stopped()).map(rowOf) };
  if (asked.what === 'hold') return { held: (await goingOn.hold(asked.sessions?.map(keyOfPath) ?? null)).map(named) };
  const { sessions, when } = asked;
  const meant = sessions?.map(keyOfPath) ?? (await allMeant(goingOn, when)).map(({ record }) => record);
  const done = await goingOn.goOn(meant, when, HERE.user);
  const continued: ContinuedRow[] = done.map(({ session, result, at, why }) => ({
    ...named(session),
    result,
    at: iso(at),
    why,
  }));
  return { continued };
};
