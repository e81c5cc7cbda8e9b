// A home with a day's work in it, always the same: sessions, events, deliveries, a mute, a dead letter.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/model/event/event.ts';
import { openStore } from '../../src/store/open.ts';
import { eventTitle } from '../../src/decisions/event-title.ts';
import { pathsBelow } from '../support/home.ts';
import {
  madeContent,
  madeDecision,
  madeDelivery,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
} from '../support/made.ts';
import { commitOne, keepSession } from '../support/store-writes.ts';

/** When the screens were taken, Unix ms. */
export const TAKEN = NOON + 95 * 60_000;

const CONFIG = `[channels.desk]
type = "desktop"

[channels.team]
type = "slack"
url = "secret:team"

[channels.audit]
type = "webhook"
url = "http://127.0.0.1:8080/hooks/agents"
allow_private = true

[[routes]]
match = { urgency = "urgent" }
to = ["desk", "team"]

[[routes]]
match = { kind = "agent.waiting", cwd = "~/src/**" }
to = ["desk"]
also = true

[[routes]]
to = ["desk", "audit"]
`;

const MINUTE = 60_000;

/** Minutes after noon, the event, and what became of its delivery to each channel. */
const DAY: readonly (readonly [at: number, event: Partial<Event>, sent: Readonly<Record<string, 'sent' | 'dead'>>])[] =
  [
    [
      2,
      { kind: 'agent.finished', detail: null, message: 'All 34 tests pass.', attributes: { seconds: 125 } },
      { desk: 'sent', audit: 'sent' },
    ],
    [
      31,
      {
        kind: 'agent.waiting',
        detail: 'permission',
        message: 'Publish the release',
        hookEvent: 'PermissionRequest',
        attributes: { tool: { name: 'Bash', summary: 'npm publish --tag next' } },
      },
      { desk: 'sent', audit: 'sent' },
    ],
    [
      48,
      {
        kind: 'session.failed',
        detail: 'rate-limit',
        urgency: 'urgent',
        abnormal: true,
        hookEvent: 'StopFailure',
        message: 'Too many requests. Please try again later.',
        project: 'docs',
        sessionId: 'session-2',
        cwd: '/home/dev/src/docs',
      },
      { desk: 'sent', team: 'dead' },
    ],
    [
      70,
      {
        kind: 'session.ended',
        reason: 'logout',
        urgency: 'low',
        hookEvent: 'SessionEnd',
        message: null,
        project: 'docs',
        sessionId: 'session-2',
        cwd: '/home/dev/src/docs',
      },
      {},
    ],
    [
      93,
      {
        kind: 'agent.waiting',
        detail: 'question',
        message: 'Which colour should the button have?\n- Blue: A calm blue\n- Red: A strong red',
        hookEvent: 'PermissionRequest',
        project: 'shop',
        sessionId: 'session-3',
        cwd: '/home/dev/src/shop',
        attributes: { tool: { name: 'AskUserQuestion', summary: null } },
      },
      { desk: 'sent', audit: 'sent' },
    ],
  ];

/** Ids as they look, ended so that their beginnings differ. */
const idOf = (index: number): string => `019ea02${index}-7f00-7a3c-9c41-5b1d6e0c2f0${index}`;

function openNotification(event: Event, id: string): ReturnType<typeof madeNotification> {
  const { kind, detail, urgency, at } = event;
  return madeNotification({ id, kind, detail, urgency, title: eventTitle(event), eventIds: [event.id], createdAt: at });
}

/** What is asked of you at that moment. */
const QUESTIONS = (['permission', 'choice'] as const).map((kind) => ({
  kind,
  id: `qst_${kind}`,
  nonce: 'nonce',
  inputHash: kind,
  sessionKey: `vm/dev/claude/${kind}`,
  notificationId: kind === 'permission' ? 'ntf_1' : 'ntf_4',
  deadline: TAKEN + 42 * MINUTE,
  subject: {
    agent: 'claude',
    sessionId: kind,
    cwd: null,
    subagent: null,
    partial: null,
    tool: kind === 'permission' ? 'Bash' : null,
    text: kind === 'permission' ? 'npm run build\nnpm publish --tag next' : 'Which colour should the button have?',
    choices:
      kind === 'permission'
        ? []
        : [
            {
              question: 'Which colour should the button have?',
              options: ['Blue', 'Red'],
              descriptions: ['A calm blue', 'A strong red'],
              multiple: false,
            },
          ],
  },
}));

/** Fills an empty home. */
export async function fillHome(home: string): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.toml'), CONFIG, { mode: 0o600 });
  const store = await openStore(pathsBelow(home).database);
  for (const [index, [minutes, more, sent]] of DAY.entries()) {
    const at = NOON + minutes * MINUTE;
    const event = madeEvent({ id: idOf(index), agent: 'claude', cwd: '/home/dev/src/payments', at, ...more });
    const channels = Object.keys(sent);
    const route =
      channels.length === 0
        ? { stage: 'route', verdict: 'stop' as const, note: 'no route matches' }
        : {
            stage: 'route',
            verdict: 'route' as const,
            note: `${channels.join(', ')}: route ${event.urgency === 'urgent' ? 1 : 3}`,
          };
    const deliveries = channels.map((channel, i) => {
      const dead = sent[channel] === 'dead';
      return madeDelivery({
        id: `dlv_${index}${i}c0ffee${channel}`,
        eventId: event.id,
        notificationId: `ntf_${index}`,
        channel,
        state: dead ? 'dead' : 'sent',
        attempts: dead ? 12 : 1,
        createdAt: at,
        updatedAt: at + 120,
        due: at,
        lastReason: dead ? 'server' : null,
        lastError: dead ? 'answered 503 (Service Unavailable)' : null,
        content: madeContent({ title: eventTitle(event), body: event.message ?? '', event }),
      });
    });
    const what = `${event.hookEvent} classified as ${event.kind}${event.detail === null ? '' : `/${event.detail}`}, urgency ${event.urgency}`;
    await commitOne(
      store,
      madeDecision({
        entryId: event.id,
        at,
        events: [{ event, fingerprint: null, verdicts: [{ stage: 'classify', verdict: 'pass', note: what }, route] }],
        deliveries,
        notifications: event.kind === 'agent.waiting' ? [openNotification(event, `ntf_${index}`)] : [],
      }),
    );
  }
  for (const question of QUESTIONS) await store.putQuestion(question);
  const sessions = [
    { sessionId: 'session-1', project: 'payments', state: 'working', minutes: 31, title: 'Release 2.4' },
    { sessionId: 'session-2', project: 'docs', state: 'ended', minutes: 70, title: 'Tidy the guides' },
    { sessionId: 'session-3', project: 'shop', state: 'waiting', minutes: 93, title: 'Buttons of the checkout' },
  ] as const;
  for (const { minutes, ...row } of sessions)
    await keepSession(
      store,
      madeSession({
        ...row,
        agent: 'claude',
        cwd: `/home/dev/src/${row.project}`,
        branch: 'main',
        since: NOON + minutes * MINUTE,
        lastEvent: NOON + minutes * MINUTE,
        waitingFor: row.state === 'waiting' ? 'question' : null,
      }),
    );
  await store.close();
  writeFileSync(
    join(home, 'question.json'),
    JSON.stringify({
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      session_id: 'session-9',
      cwd: '/home/dev/src/payments',
      message: 'Claude needs your permission',
    }),
  );
}
