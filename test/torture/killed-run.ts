// One short life of a daemon that is killed in the middle, from a seed: real hooks of a few sessions, receivers for records and for people.
// What comes of it depends on moments; what has to be true of it does not.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { receiptSchema } from '../../src/channels/telegram/posts.ts';
import { hook, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';
import { seeded } from './size.ts';

type What = 'ask' | 'used' | 'notice' | 'finish' | 'prompt';

/** One hook. Its folder is its own, so that every message about it names it. */
interface Report {
  /** "s0-3": the fourth of the first session. */
  readonly name: string;
  readonly what: What;
  /** Of `used`: the request that was carried out. */
  readonly of: string;
}

interface Receivers {
  /** A record, which drops repeats by their id. */
  readonly audit: Receiver;
  /** People who cannot be taken anything back from. */
  readonly desk: Receiver;
  /** People whose messages are changed. */
  readonly phone: TelegramServer;
}

/** What a run came to. */
export interface KilledRun {
  readonly kills: number;
  readonly events: number;
  /** What the record was sent again under the same id. */
  readonly repeats: number;
  /** Messages that say at the end that what they were about is over. */
  readonly takenBack: number;
  /** Messages to the phone of which the daemon has a receipt. */
  readonly known: number;
  /** Messages that were on their way at a kill, and over before they could be sent again: they do not say so. */
  readonly leftBehind: number;
  /** What must not be; empty: all is well. */
  readonly breaches: readonly string[];
}

/** Of the route to people. */
const STEP = 'escalate = [{ after = "2s", to = ["desk"] }]\n';
const SETTINGS = ['', 'delay = "1s"\n', STEP, 'group = { by = ["kind"], wait = "1s", every = "1s" }\n'];
/** Most that one channel sends at once, and so may send again after a kill. */
const IN_FLIGHT = 8;
const PATIENCE = 90_000;
/** What is still shown after this, ms, stays: a second is usual. */
const TAKEN_BACK = 30_000;

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T; // none is empty

/** What a session reports. */
function reportsOf(session: number, random: () => number): readonly Report[] {
  const reports: Report[] = [];
  let asked: string | null = null;
  let isFinished = false;
  for (let n = 0, count = 2 + Math.floor(random() * 3); n < count; n++) {
    const name = `s${session}-${n}`;
    const isUsed = asked !== null && random() < 0.6;
    const next: What = isUsed ? 'used' : pick(random, ['ask', 'ask', 'notice', 'finish', 'prompt']);
    // A turn has one finish.
    const what: What = next === 'finish' && isFinished ? 'prompt' : next;
    isFinished = what === 'finish' || (isFinished && what !== 'prompt');
    reports.push({ name, what, of: isUsed && asked !== null ? asked : name });
    if (what === 'ask') asked = name;
    else if (what !== 'notice') asked = null;
  }
  return reports;
}

function inputOf({ name, what, of }: Report): string {
  const tool = { tool_name: 'Bash', tool_input: { command: `make ${of}` }, tool_use_id: of };
  const inputs = {
    ask: { hook_event_name: 'PermissionRequest', ...tool },
    used: { hook_event_name: 'PostToolUse', ...tool, tool_response: {} },
    notice: { hook_event_name: 'Notification', notification_type: 'attention', message: `Look at ${name}` },
    finish: { hook_event_name: 'Stop', last_assistant_message: `Done with ${name}` },
    prompt: { hook_event_name: 'UserPromptSubmit', prompt: `Go on with ${name}` },
  };
  return JSON.stringify({ session_id: name.split('-')[0], cwd: `/tmp/${name}`, ...inputs[what] });
}

function settingsOf({ audit, desk, phone }: Receivers, setting: string): string {
  // A busy machine is no receiver that fails.
  const common = 'allow_private = true\ntimeout = "60s"';
  return [
    `[channels.audit]\ntype = "webhook"\nurl = "${audit.url}"\n${common}`,
    `[channels.desk]\ntype = "slack"\nurl = "${desk.url}/services/x"\n${common}`,
    `[channels.phone]\ntype = "telegram"\napi_url = "${phone.url}"\ntoken = "${TOKEN}"\nchat = 7\n${common}`,
    '[[routes]]\nto = ["audit"]\nalso = true',
    `[[routes]]\nto = ["phone", "desk"]\n${setting}`,
  ].join('\n');
}

/** Reports that say something, to records and to people. */
const says = ({ what }: Report): boolean => what === 'ask' || what === 'notice' || what === 'finish';
/** Nothing of its session came after it: it is open at the end. */
const isLast = (report: Report, reports: readonly Report[]): boolean => reports.at(-1) === report;
const namesIn = (text: string): readonly string[] => [...new Set(text.match(/\bs\d-\d\b/g) ?? [])];
const textOf = ({ body }: { readonly body: string }): string => (JSON.parse(body) as { text: string }).text;
/** The event of the first request under each id, in order. */
function recordedBy({ requests }: Receiver): readonly string[] {
  const first = new Map<string, string>();
  for (const { headers, body } of requests) {
    const { data } = JSON.parse(body) as { data: { event: { project: string | null; kind: string } } };
    const id = String(headers['webhook-id']);
    if (!first.has(id)) first.set(id, data.event.project ?? data.event.kind);
  }
  return [...first.values()];
}

/** The latest messages to the phone of requests that were carried out, as far as they do not say so. */
function stillShown(reports: readonly Report[], { phone: { shown } }: Receivers): TelegramServer['shown'] {
  return reports.flatMap(({ what, of }) => {
    // Of several that a kill left behind the last one is changed.
    const message = shown.findLast(({ text }) => namesIn(text).join() === of);
    return what === 'used' && message !== undefined && !isOver(message) ? [message] : [];
  });
}

/** The ids of messages to the phone that the daemon knows: of one that was on its way at a kill, nobody does. */
function knownMessages(home: string): ReadonlySet<number> {
  const database = new DatabaseSync(join(home, 'state', 'belfry.db'), { readOnly: true });
  try {
    const rows = database.prepare(`SELECT receipt FROM deliveries WHERE receipt IS NOT NULL`).all();
    return new Set(
      rows.flatMap(({ receipt }) => receiptSchema.safeParse(JSON.parse(String(receipt))).data?.message ?? []),
    );
  } finally {
    database.close();
  }
}

/** What has to be there at the end whatever the moments were, and is not yet. */
function missingIn(sessions: readonly (readonly Report[])[], to: Receivers, setting: string): readonly string[] {
  const records = recordedBy(to.audit);
  const texts = to.desk.requests.map(textOf);
  const { shown } = to.phone;
  return sessions.flatMap((reports) =>
    reports.flatMap((report) => {
      const { name } = report;
      const missing: string[] = [];
      if (says(report) && !records.includes(name)) missing.push(`${name} is not in the record`);
      if (says(report) && isLast(report, reports)) {
        const heard = texts.filter((text) => namesIn(text).includes(name));
        if (heard.length === 0) missing.push(`${name} did not reach the desk`);
        if (setting === STEP && !heard.some((text) => text.includes('not acknowledged')))
          missing.push(`the step of ${name} did not come`);
        if (!shown.some(({ text }) => namesIn(text).includes(name))) missing.push(`${name} did not reach the phone`);
      }
      return missing;
    }),
  );
}

const isOver = ({ text, deleted }: { readonly text: string; readonly deleted: boolean }): boolean =>
  deleted || text.includes('\n✓ ');

/** What must never have happened. */
function wrongIn(sessions: readonly (readonly Report[])[], to: Receivers, kills: number): readonly string[] {
  const records = recordedBy(to.audit);
  const twice = records.filter((name, i) => records.indexOf(name) !== i);
  const known = new Set(
    sessions
      .flat()
      .filter(says)
      .map(({ name }) => name),
  );
  const foreign = records.filter((name) => !known.has(name));
  const disordered = sessions.filter((_, session) => {
    const own = records.filter((name) => name.startsWith(`s${session}-`));
    return own.join() !== own.toSorted().join();
  });
  const repeats = (texts: readonly string[]): number => texts.length - new Set(texts).size;
  const again = {
    audit: to.audit.requests.length - records.length,
    desk: repeats(to.desk.requests.map(textOf)),
    phone: repeats(to.phone.shown.map(({ text }) => text)),
  };
  return [
    ...twice.map((name) => `${name} is in the record under two ids`),
    ...foreign.map((name) => `nobody reported ${name}`),
    ...disordered.map((reports) => `out of order: ${reports.map(({ name }) => name).join(', ')}`),
    ...Object.entries(again)
      .filter(([, count]) => count > kills * IN_FLIGHT)
      .map(([channel, count]) => `${channel} was sent ${count} again after ${kills} kills`),
  ];
}

/** Runs it to its end. */
export async function killedRun(seed: number): Promise<KilledRun> {
  const random = seeded(seed);
  const home = mkdtempSync(join(tmpdir(), 'belfry-killed-'));
  const apart = { owned: false };
  const to = {
    audit: await startReceiver(apart),
    desk: await startReceiver(apart),
    phone: await startTelegramServer(apart),
  };
  let daemon: RunningDaemon | null = null;
  try {
    const setting = pick(random, SETTINGS);
    const sessions = [0, 1, 2].map((session) => reportsOf(session, random));
    const events = sessions.flat().length;
    writeFileSync(join(home, 'config.toml'), settingsOf(to, setting), { mode: 0o600 });
    let sent = 0;
    daemon = await startDaemon(home, apart);
    const sending = Promise.all(sessions.map((reports) => sendAll(home, reports, () => (sent += 1))));
    const kills = 1 + Math.floor(random() * 2);
    for (let kill = 0; kill < kills; kill++) {
      const at = Math.floor((events * (kill + random())) / kills);
      const [without, moment] = [Math.floor(random() * 3), random() * 80];
      await until(() => sent >= at, 'hooks');
      await new Promise((resolve) => setTimeout(resolve, moment)); // anywhere within what it does, not at a joint
      await daemon.stop('SIGKILL');
      await until(() => sent >= Math.min(at + without, events), 'hooks that find no daemon');
      daemon = await startDaemon(home, apart);
    }
    await sending;
    const missing = () => missingIn(sessions, to, setting);
    await until(() => missing().length === 0, 'all that has to come', PATIENCE).catch(() => undefined);
    const left = () => stillShown(sessions.flat(), to);
    await until(() => left().length === 0, 'all to be taken back', TAKEN_BACK).catch(() => undefined);
    await daemon.stop();
    const known = knownMessages(home);
    const kept = left().flatMap(({ id, text }) => (known.has(id) ? [`not taken back: ${text}`] : []));
    return {
      kills,
      events,
      repeats: to.audit.requests.length - recordedBy(to.audit).length,
      takenBack: to.phone.shown.filter(isOver).length,
      known: known.size,
      leftBehind: left().length - kept.length,
      breaches: [...missing(), ...kept, ...wrongIn(sessions, to, kills)].map((breach) => `seed ${seed}: ${breach}`),
    };
  } finally {
    await daemon?.stop('SIGKILL');
    await Promise.all([to.audit.close(), to.desk.close(), to.phone.close()]);
    await removeFolder(home);
  }
}

/** One after the other, as agents do; every hook ends with 0 and says nothing, whatever happens to the daemon. */
async function sendAll(home: string, reports: readonly Report[], sent: () => void): Promise<void> {
  for (const report of reports) {
    const { code, stdout, stderr } = await hook(home, inputOf(report), ['--agent', 'claude']);
    if (code !== 0 || stdout !== '' || stderr !== '') throw new Error(`a hook ended with ${code}: ${stdout}${stderr}`);
    sent();
  }
}
