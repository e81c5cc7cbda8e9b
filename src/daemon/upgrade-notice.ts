// After an upgrade: says once what changed in who is notified of what, so that nobody wonders why they hear more or less than before.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../lib/replace-file.ts';
import type { Event } from '../model/event.ts';
import { internalEvent } from '../model/internal-event.ts';
import type { StoreReader } from '../store/contract.ts';

/** The sentences, oldest first; their number is their place, from 1. One is added where people will hear more or less; none is removed. */
const CHANGES: readonly string[] = [
  'A finish counts as seen only when you typed or clicked after it, so you also hear of those that came shortly before you left.',
  'What quiet hours, a mute or a suspended machine held back always reaches you, and its escalation and reminders follow it.',
];

/** What is asked of where it runs. */
export interface UpgradeNoticeDeps {
  readonly state: string;
  readonly store: Pick<StoreReader, 'events'>;
  readonly now: () => number;
  /** Journals the event; its id makes a second one of it none. */
  readonly raise: (event: Event) => Promise<void>;
}

/** To be called at each start, before anything new is decided: a home without events is a new one, and hears nothing of what was. */
export async function announceChanges(
  { state, store, now, raise }: UpgradeNoticeDeps,
  changes = CHANGES,
): Promise<void> {
  const file = join(state, 'announced-changes');
  const latest = changes.length;
  const last = readNumber(file) ?? ((await store.events({ limit: 1 })).length === 0 ? latest : 0);
  if (last < latest) {
    const title = 'Belfry was upgraded: what you are notified of has changed';
    const body = changes.slice(last).join('\n');
    const id = `changes-${last + 1}-to-${latest}`;
    await raise(internalEvent({ id, kind: 'belfry.upgraded', at: now(), presetText: { title, body } }));
  }
  if (readNumber(file) === null || last < latest) await replaceFile(file, `${latest}\n`);
}

/** Null: there is none, or nothing that can be read. */
function readNumber(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d{1,6}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
