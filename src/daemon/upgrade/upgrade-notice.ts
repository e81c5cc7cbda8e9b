// After an upgrade: says once what changed in who is notified of what, so that nobody wonders why they hear more or less than before.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/files/replace-file.ts';
import { channelOf } from '../../channels/index.ts';
import { unansweredChannels, whyUnanswered } from '../../model/channel/capabilities.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import type { StoreReader } from '../../store/contract.ts';

/** What a change may concern. */
interface Concerned {
  readonly config: Config;
  /** Agents that code of ours inside their client answers, by name. */
  readonly inside: readonly string[];
}

/** A sentence; null: it concerns nobody here. */
export type Change = (concerned: Concerned) => string | null;

/** Oldest first; their number is their place, from 1. One is added where people will hear or can do more or less; none is removed. */
const CHANGES: readonly Change[] = [
  () =>
    'A finish counts as seen only when you typed or clicked after it, so you also hear of those that came shortly before you left.',
  () =>
    'What quiet hours, a mute or a suspended machine held back always reaches you, and its escalation and reminders follow it.',
  ({ config }) => {
    const [first, ...more] = unansweredChannels(config, channelOf);
    if (first === undefined) return null;
    const names = [first, ...more].map(({ name }) => name).join(', ');
    return `No buttons for answers any more on ${names}, where ${whyUnanswered(first.name, first.setting)}.`;
  },
  ({ inside }) =>
    inside.length === 0
      ? null
      : `Run \`belfry install ${inside.join(' ')} --answer\` and restart what runs of ${inside.join(' and ')}: until then it does not say that it took an answer, which is called unconfirmed.`,
];

/** What is asked of where it runs. */
export interface UpgradeNoticeDeps {
  readonly state: string;
  readonly store: Pick<StoreReader, 'events'>;
  readonly config: Config;
  /** Agents that code of ours inside their client answers, by name. */
  readonly inside: () => Promise<readonly string[]>;
  readonly now: () => number;
  /** Journals the event; its id makes a second one of it none. */
  readonly raise: (event: Event) => Promise<void>;
}

/** To be called at each start, before anything new is decided: a home without events is a new one, and hears nothing of what was. */
export async function announceChanges(
  { state, store, config, inside, now, raise }: UpgradeNoticeDeps,
  changes = CHANGES,
): Promise<void> {
  const file = join(state, 'announced-changes');
  const latest = changes.length;
  const last = readNumber(file) ?? ((await store.events({ limit: 1 })).length === 0 ? latest : 0);
  const news = changes.slice(last);
  const concerned = { config, inside: news.length === 0 ? [] : await inside() };
  const sentences = news.flatMap((change) => change(concerned) ?? []);
  if (sentences.length > 0) {
    const title = 'Belfry was upgraded: what you are notified of has changed';
    const body = sentences.join('\n');
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
