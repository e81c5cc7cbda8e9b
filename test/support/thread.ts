// The whole thread for a test: a home with settings, a real daemon, receivers, hooks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { newId } from '../../src/ipc/id.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import { temporaryFolder } from './home.ts';
import { listed, LISTS } from './lists.ts';
import { belfry } from './programs.ts';
import type { Received } from './receiver.ts';

export const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;

/** A fresh home with this config.toml. */
export function homeWith(toml: string): string {
  const home = temporaryFolder();
  writeSettings(home, toml);
  return home;
}

/** Writes config.toml again. */
export function writeSettings(home: string, toml: string): void {
  writeFileSync(join(home, 'config.toml'), toml, { mode: 0o600 });
}

/** Settings of a signed webhook at this address that gets everything but the silent kinds. */
export function webhookTo(url: string, more = ''): string {
  return `[channels.audit]\ntype = "webhook"\nurl = "${url}"\nsecret = "${SECRET}"\nallow_private = true\n[[routes]]\nto = ["audit"]\n${more}`;
}

/** The same route to a chat as well: people look at it, so mutes and quiet hours hold what goes there, and nothing that the webhook gets. */
export function chatAndWebhookTo(chat: string, audit: string, more = ''): string {
  return `[channels.chat]\ntype = "slack"\nurl = "${chat}"\nallow_private = true\n${webhookTo(audit, more).replace('["audit"]', '["chat", "audit"]')}`;
}

/** The title of what the chat got. */
export function chatTitle({ body }: Received): string {
  const { text } = JSON.parse(body) as { text: string };
  return text.split('\n', 1).join('');
}

/** What the webhook's body says; throws when the signature is not right. */
export interface Notified {
  readonly type: string;
  readonly data: {
    readonly event: Record<string, unknown>;
    readonly notification: { readonly title: string; readonly body: string; readonly count: number };
    readonly context: { readonly messages: readonly unknown[] };
  };
}

export function verified(request: Received): Notified {
  return new Webhook(SECRET).verify(request.body, request.headers as Record<string, string>) as Notified;
}

/** A Stop of this session, as a client that nobody knows pipes it. */
export function stop(session: string, words = 'done'): Record<string, unknown> {
  return { session_id: session, hook_event_name: 'Stop', cwd: '/src/payments', last_assistant_message: words };
}

/** Puts an input into the spool as a hook that ran at `at` would have. */
export function spool(home: string, input: unknown, at: number, how: { agent?: string; event?: string } = {}): string {
  const id = newId(at);
  const raw = Buffer.from(JSON.stringify(input));
  const envelope = { id, ...how, startedAt: at, receivedAt: at, origin: { pid: 1, ppid: 1, env: {} }, raw };
  const trouble = writeSpool(join(home, 'spool'), envelope);
  if (trouble) throw new Error(trouble);
  return id;
}

/** `belfry ARGS --json`, parsed; a list is read in this process. */
export async function asked<T>(home: string, args: readonly string[]): Promise<T> {
  if (LISTS.has(args[0] ?? '')) return listed<T>(home, args);
  const { code, stdout, stderr } = await belfry(home, [...args, '--json']);
  if (stdout === '') throw new Error(`belfry ${args.join(' ')}: exit ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
