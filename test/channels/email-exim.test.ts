// E-mail through a real mail server, over STARTTLS and signed in, as far as the mailbox.
import { describe, expect, test } from 'vitest';
import type { OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import { messageOf } from '../contracts/channel.ts';
import { bareEnv, run } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { isInstalled, SIGN_IN, startExim } from './exim.ts';
import { readMail } from './mail-server.ts';

const PROGRAM = new URL('send-mails.ts', import.meta.url).pathname;

interface Case {
  readonly input: object;
  readonly messages: readonly OutgoingMessage[];
}

/** Sends them one after the other, in a process that trusts this authority. */
async function send(cert: string | undefined, cases: readonly Case[]): Promise<Outcome[]> {
  const env = bareEnv('/', { NODE_EXTRA_CA_CERTS: cert });
  const ran = await run(process.execPath, ['--import', 'tsx', PROGRAM], env, { input: JSON.stringify(cases) });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout) as Outcome[];
}

describe.skipIf(!isInstalled)('Exim', () => {
  test('delivers to the mailbox, in one thread a session; refuses, greylists and trusts as it should', async () => {
    const { port, cert, mailbox } = await startExim();
    const base = {
      host: 'localhost',
      port,
      allow_private: true,
      from: 'Belfry <dev@example.test>',
      to: 'dev@example.test',
    };
    const input = { ...base, ...SIGN_IN };
    const long = 'Über 👩‍👩‍👧 <b>\n.\n..dots\n'.repeat(200);
    const of = (id: string, threadKey: string, body: string) =>
      messageOf({ title: `“${id}”`, body }, { id, threadKey });
    const three = [of('dlv_1', 'a', long), of('dlv_2', 'a', 'two'), of('dlv_3', 'b', 'three')];
    const ok = expect.objectContaining({ ok: true, answer: expect.stringMatching(/^250 OK/) });
    expect(await send(cert, [{ input, messages: three }])).toEqual([ok, ok, ok]);
    const mails = await until(() => {
      const all = mailbox()
        .split(/^From .*\n/m)
        .slice(1);
      return all.length === 3 ? all.map(readMail) : null;
    }, 'three mails in the mailbox');
    const by = (subject: string) => mails.find(({ headers }) => headers['subject'] === `“${subject}”`);
    expect(by('dlv_1')?.text).toContain(long.trim());
    const threads = ['dlv_1', 'dlv_2', 'dlv_3'].map((id) => by(id)?.headers['references']);
    expect([threads[0] === threads[1], threads[0] === threads[2]]).toEqual([true, false]);

    const [first] = three;
    const cases: readonly [object, OutgoingMessage | undefined, object][] = [
      [input, of('dlv_4', 'a', 'UNWANTED'), { reason: 'client', status: 550 }],
      [{ ...input, to: 'grey@example.test' }, first, { reason: 'server', status: 451 }],
      [{ ...input, to: 'nobody@example.test' }, first, { reason: 'invalid-config', status: 550 }],
      [{ ...input, to: 'dev@example.org' }, first, { reason: 'invalid-config', status: 550 }],
      [{ ...input, password: 'wrong' }, first, { reason: 'auth', status: 535 }],
      [base, first, { reason: 'invalid-config', status: 550 }],
      [{ ...base, tls: 'none' }, first, { reason: 'invalid-config', status: 550 }],
    ];
    const refused = await send(
      cert,
      cases.map(([given, message]) => ({ input: given, messages: message === undefined ? [] : [message] })),
    );
    expect(refused).toMatchObject(cases.map(([, , expected]) => ({ ok: false, ...expected })));
    const untrusted = await send(undefined, [{ input, messages: three.slice(0, 1) }]);
    expect(untrusted).toMatchObject([{ ok: false, reason: 'network', error: expect.stringMatching(/self-signed/) }]);
  });
});
