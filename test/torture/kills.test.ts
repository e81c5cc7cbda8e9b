// With delays, steps, quiet hours and a group beside the record that counts: nothing changes for it, and people get no step twice.
// Nobody answers a prompt, so reminders come rarely in the whole form: ten thousand every few seconds are more than a machine sends.
// The daemon killed again and again while eight sessions go on sending: nothing is lost, nothing comes under a second id, order holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../support/home.ts';
import { hoursIn } from '../support/hours.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendAll, settleIn } from './senders.ts';
import { figures, seeded, size } from './size.ts';

const SESSIONS = Array.from({ length: 8 }, (_, i) => `sender-${i}`);
const EACH = size(1_250, 100);
const KILLS = size(200, 20);
const REPEAT = `${size(1_800, 9)}s`;

/** A channel for people, asked first: its route goes on to the one of the record. Groups, where routes may have them. */
async function everything(url: string): Promise<string> {
  const desk = `[channels.desk]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;
  const steps = `escalate = [{ after = "2s", to = ["desk"] }, { after = "6s", to = ["desk"] }]\nrepeat = "${REPEAT}"`;
  const quiet = `[quiet]\nhours = ["${hoursIn(10, 11)}"]\n`;
  const route = `[[routes]]\nto = ["desk"]\nalso = true\ndelay = "1s"\nwhen = "away"\n${steps}\n`;
  const group = 'group = { by = ["session"], wait = "1s", every = "5s" }\n';
  const grouped = `${desk}${quiet}${route}${group}`;
  return (await loadConfig(grouped)).ok ? grouped : `${desk}${quiet}${route}`;
}

/** What the daemon said last, and how it stands. */
async function explain(home: string): Promise<void> {
  const log = readFileSync(join(home, 'state', 'daemon.log'), 'utf8')
    .split('\n')
    .slice(-60)
    .join('\n');
  const status = (await belfry(home, ['status'], { env: { BELFRY_NO_AUTOSTART: '1' } })).stdout;
  const deliveries = (await belfry(home, ['deliveries', '--limit', '40'])).stdout;
  process.stdout.write(`\n${log}\n${status}\n${deliveries}\n`);
}

test(`${KILLS} SIGKILLs over ${EACH * SESSIONS.length} events from ${SESSIONS.length} senders`, async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  const people = await startReceiver();
  settleIn(home, `${receiver.url}/audit`, await everything(people.url));
  const random = seeded(7);
  const total = EACH * SESSIONS.length;
  let sent = 0;
  const sending = sendAll(home, SESSIONS, EACH, () => sent++);
  let kills = 0;
  let inFlight = 0;
  while (kills < KILLS) {
    const daemon = await startDaemon(home);
    // Kills are spread over the events, and each finds the daemon at work.
    const from = receiver.requests.length;
    const at = Math.floor((kills / KILLS) * total);
    await until(() => sent >= Math.min(at, total - 1), 'the senders to go on', 600_000);
    await until(() => receiver.requests.length > from || sent >= total, 'a delivery', 120_000).catch(async (error) => {
      await explain(home);
      throw error;
    });
    await new Promise((resolve) => setTimeout(resolve, random() * 60)); // anywhere within what it does, not at a joint
    await daemon.stop('SIGKILL');
    kills++;
    // At most what one channel sends at once may come again.
    inFlight += 8;
  }
  const last = await startDaemon(home);
  await sending;
  // However slow the machine: until all are there, or nothing comes any more.
  const missing = (): boolean => kept(receiver.requests, SESSIONS, EACH).missing.length > 0;
  for (let before = -1; missing() && receiver.requests.length > before; ) {
    before = receiver.requests.length;
    await until(() => !missing(), 'every event', 60_000).catch(() => undefined);
  }
  await last.stop();
  const end = kept(receiver.requests, SESSIONS, EACH);
  figures('kills', {
    kills,
    events: total,
    received: end.requests,
    lost: end.missing.length,
    'repeats dropped by id': end.requests - end.ids,
    'notified twice': end.twice.length,
    'sessions out of order': end.disordered.length,
  });
  expect(end.missing).toEqual([]);
  expect(end.twice).toEqual([]);
  expect(end.disordered).toEqual([]);
  expect(end.requests - end.ids).toBeLessThanOrEqual(inFlight);
  // A kill is no damage, and what it cut off does not pile up.
  expect(readdirSync(join(home, 'state')).filter((name) => /damaged|\.part$/.test(name)).length).toBeLessThanOrEqual(1);
  expect(readFileSync(join(home, 'state', 'daemon.log'), 'utf8')).not.toContain('cannot be read');
  // A receiver that drops no repeats: what was in flight at a kill may come again.
  const texts = people.requests.map(({ body }) => body);
  expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(inFlight);
});
