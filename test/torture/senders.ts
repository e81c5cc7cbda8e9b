// Senders: each is one session whose client runs the built hook, one event after the other, as agents do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Received } from '../support/receiver.ts';
import { hook } from '../support/programs.ts';

/** Settings with one webhook that takes everything. Its time is long: a busy machine is no receiver that fails, and each kill would cut off its next probe. */
export function settleIn(home: string, url: string, more = ''): void {
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.audit]\ntype = "webhook"\nurl = "${url}"\nallow_private = true\ntimeout = "60s"\n${more}\n[[routes]]\nto = ["audit"]\n`,
    { mode: 0o600 },
  );
}

const input = (session: string, n: number): string =>
  JSON.stringify({
    session_id: session,
    cwd: '/tmp',
    hook_event_name: 'Notification',
    notification_type: 'permission_prompt',
    message: `${session} asks ${n}`,
  });

/** Runs one hook; every hook ends with 0 and says nothing, whatever happens to the daemon. Returns its ms. */
export async function sendOne(home: string, session: string, n: number): Promise<number> {
  const ran = await hook(home, input(session, n), ['--agent', 'claude']);
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  return ran.ms;
}

/** Each session sends `each` events, its own in order, all sessions at once. */
export async function sendAll(
  home: string,
  sessions: readonly string[],
  each: number,
  sent: () => void = () => undefined,
): Promise<void> {
  await Promise.all(
    sessions.map(async (session) => {
      for (let n = 0; n < each; n++) {
        await sendOne(home, session, n);
        sent();
      }
    }),
  );
}

/** What a receiver got, as it would keep it: by webhook-id, in order of first arrival. */
export interface Kept {
  readonly requests: number;
  readonly ids: number;
  /** Messages that came under more than one id: sent twice. */
  readonly twice: readonly string[];
  readonly missing: readonly string[];
  /** Sessions of which something first came after what followed it. */
  readonly disordered: readonly string[];
}

export function kept(requests: readonly Received[], sessions: readonly string[], each: number): Kept {
  const first = new Map<string, string>();
  for (const { headers, body } of requests) {
    const id = String(headers['webhook-id']);
    const { data } = JSON.parse(body) as { data: { event: { message: string } } };
    if (!first.has(id)) first.set(id, data.event.message);
  }
  const messages = [...first.values()];
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  const expected = sessions.flatMap((s) => Array.from({ length: each }, (_, n) => `${s} asks ${n}`));
  const disordered = sessions.filter((s) => {
    const numbers = messages.filter((m) => m.startsWith(`${s} asks `)).map((m) => Number(m.split(' ').at(-1)));
    return numbers.some((n, i) => i > 0 && n < (numbers[i - 1] ?? 0));
  });
  return {
    requests: requests.length,
    ids: first.size,
    twice: [...counts].filter(([, n]) => n > 1).map(([message]) => message),
    missing: expected.filter((message) => !counts.has(message)),
    disordered,
  };
}
