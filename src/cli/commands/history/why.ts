// `belfry why`: what became of an event in plain words, each attempt with the receiver's answer, and why other channels got nothing.
import { oneLine } from '../../../lib/text/text.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { isGroupHold } from '../../../model/delivery/holds.ts';
import type { Attempt, Delivery } from '../../../model/delivery/delivery.ts';
import { plannedTitle } from '../../../model/delivery/planned-title.ts';
import type { Notification } from '../../../model/notification/notification.ts';
import { terminalOnly } from '../../../model/question/terminal-only.ts';
import { homedir } from 'node:os';
import { agentTitle } from '../../../agents/index.ts';
import { loadInitial } from '../../../config/live/initial-load.ts';
import type { WhyRules } from '../../../daemon/processing/why.ts';
import type { WhyRow } from '../../../daemon/processing/why-words.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { eventOf, withStore } from '../../reading/with-store.ts';
import { stateWords } from './delivery-state.ts';
import { wrap } from '../../output/wrap.ts';
import { painter } from '../../output/table-output.ts';
import { verdictLines } from './verdict-lines.ts';
import { attemptJson, deliveryJson, eventJson, iso, notificationJson } from '../../../model/row-json.ts';
import { conditionWords } from '../../../model/delivery/plan-words.ts';
import type { StoredEvent, StoreReader } from '../../../store/contract.ts';

/** Before the rest of a sentence. */
const GAP = '  ';

interface Answer {
  readonly stored: StoredEvent;
  /** Those that its deliveries belong to, oldest first. */
  readonly notifications: readonly Notification[];
  /** Of those that are open, why they have no buttons. */
  readonly unanswerable: readonly string[];
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
  /** All of it in plain words, the channels that it did not go to included. */
  readonly rows: readonly WhyRow[];
}

export const define: Define = (command, io) => {
  command
    .argument(
      '<ID>',
      'number of `belfry pending`, or id of an event, notification, question, delivery or session (its latest event); the beginning is enough',
    )
    .option('--all', "list each stage's verdict as well")
    .action(async (id: string, { all = false }: { all?: boolean }) => {
      const rules = await rulesHere();
      const { readWhy } = await import('../../../daemon/processing/why.ts');
      const answer = await withStore(async (store): Promise<Answer> => {
        const stored = await eventOf(store, id);
        const deliveries = await store.deliveries({ covers: stored.event.id });
        const ids = [...new Set(deliveries.map(({ notificationId }) => notificationId))];
        const notifications = await Promise.all(ids.map((notificationId) => store.notification(notificationId)));
        const present = notifications.filter((one) => one !== null);
        return {
          stored,
          notifications: present,
          unanswerable: await unanswerable(store, present),
          rows: await readWhy(stored, store, rules, { who: agentTitle(stored.event.agent), now: Date.now() }),
          deliveries: await Promise.all(
            deliveries.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) })),
          ),
        };
      });
      if (!io.json) return print(io, answer, all);
      io.data({
        event: eventJson(answer.stored),
        verdicts: answer.stored.verdicts,
        notifications: answer.notifications.map(notificationJson),
        unanswerable: answer.unanswerable,
        rows: answer.rows.map((row) => ({ ...row, at: iso(row.at) })),
        deliveries: answer.deliveries.map(({ delivery, attempts }) => ({
          ...deliveryJson(delivery),
          attempts: attempts.map(attemptJson),
        })),
      });
    });
};

/** Of the settings as they are now; of the last valid ones while the file is broken. */
async function rulesHere(): Promise<WhyRules> {
  const paths = resolveOwnPaths();
  const { routes, channels } = (await loadInitial(paths, true, Date.now())).config;
  return { routes, channels: channels.map(({ name }) => name), home: homedir() };
}

/** The latest question of each counts. */
async function unanswerable(store: StoreReader, notifications: readonly Notification[]): Promise<readonly string[]> {
  const open = notifications.filter(({ state }) => state === 'open');
  if (open.length === 0) return [];
  const questions = await store.questions({});
  const latest = open.map(({ id }) => questions.findLast(({ notificationId }) => notificationId === id));
  return latest.map((one) => one && terminalOnly(one, Date.now())).filter((one) => typeof one === 'string');
}

async function print(io: Io, { stored, unanswerable: reasons, deliveries, rows }: Answer, all: boolean): Promise<void> {
  const paint = await painter(io);
  const { event, verdicts } = stored;
  const now = Date.now();
  /** A sentence; what a terminal has no room for comes below, further in. */
  const say = (text: string): void => {
    const indent = /^ */.exec(text)?.[0] ?? '';
    const lines = wrap(text.trimStart(), io.tty ? io.columns - indent.length - GAP.length : Infinity);
    for (const [i, line] of lines.entries()) io.line(`${indent}${i === 0 ? '' : GAP}${line}`);
  };
  const [first, ...others] = rows;
  io.line(`${clockTime(event.at)}  ${(first?.text ?? '').replace(/\.$/, '')}  ${event.urgency}`);
  if (all) for (const line of verdictLines(verdicts, all, paint)) io.line(line);
  for (const { channel, at, text } of others)
    if (channel === null) say(`  ${text}${at === null || at === event.at ? '' : ` ${clockTime(at)}`}`);
  for (const reason of reasons) say(`  ${oneLine(reason)}`);
  if (deliveries.length === 0 && verdicts.every(({ verdict }) => verdict !== 'stop')) io.line('not sent to anyone');
  for (const { delivery, attempts } of deliveries) {
    const tone =
      delivery.state === 'sent' ? 'good' : delivery.state === 'dead' || delivery.state === 'paused' ? 'bad' : 'plain';
    const state = paint(tone, stateWords(delivery, now));
    const operation = delivery.operation === 'send' ? '' : ` ${delivery.operation}`;
    io.line(
      `${delivery.channel}${operation}: ${state}  ${oneLine(plannedTitle({ ...delivery, title: delivery.content.title }, now))}`,
    );
    const earlier = (attempts[0]?.number ?? 1) - 1;
    if (earlier > 0) io.line(`  (the first ${earlier} attempts are not kept)`);
    for (const attempt of attempts) say(`  ${attemptLine(attempt)}`);
    // What ended it, where that was no attempt: its channel was removed.
    const isSaid = delivery.lastReason !== null && attempts.at(-1)?.error === delivery.lastError;
    if (delivery.lastError !== null && !isSaid) say(`  ${oneLine(delivery.lastError ?? '')}`);
    if (delivery.state === 'pending' && delivery.due > now)
      io.line(`  ${laterWords(delivery)} ${clockTime(delivery.due)}`);
  }
  const named = new Set(deliveries.map(({ delivery }) => delivery.channel));
  for (const { channel, text } of rows) if (channel !== null && !named.has(channel)) say(text);
}

/** What happens when it is due, and under which condition. */
function laterWords({ heldBy, attempts, unless, only }: Delivery): string {
  if (heldBy !== null) return isGroupHold(heldBy) ? 'goes with its group at' : 'comes in a digest at';
  if (attempts > 0) return 'next attempt';
  return `planned${conditionWords({ unless, only })}:`;
}

function attemptLine({ at, number, ok, reason, error, status, answer, ms, next }: Attempt): string {
  const outcome = ok ? 'accepted' : `failed: ${oneLine(error ?? reason ?? 'unknown error')}`;
  const code = status === null || error?.includes(String(status)) ? '' : ` (${status})`;
  const said = answer ? `, response "${oneLine(answer).slice(0, 120)}"` : '';
  const after = ok ? '' : `; ${nextWords(oneLine(next))}`;
  return `${clockTime(at)}  attempt ${number}: ${outcome}${code}${said} (${ms} ms)${after}`;
}

/** What follows a failed attempt: "retry in 5 s", "given up: rejected by the receiver". */
function nextWords(next: string): string {
  const why = next.replace(/^(?:dead|cancelled): /, '');
  return why === next || why.startsWith('given up') ? why : `given up: ${why}`;
}
