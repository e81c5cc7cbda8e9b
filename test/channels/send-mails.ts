// A program of the tests: sends mails as the settings and messages on its standard input say, and prints the outcomes. In a process of its own, since the
// authorities that Node trusts (NODE_EXTRA_CA_CERTS) are read when it starts.
import { text } from 'node:stream/consumers';
import { email } from '../../src/channels/email.ts';
import type { OutgoingMessage } from '../../src/model/channel/channel.ts';

const cases = JSON.parse(await text(process.stdin)) as { input: object; messages: OutgoingMessage[] }[];
const tools = { now: Date.now, env: {}, platform: process.platform, log: () => undefined, stateFolder: '/nowhere' };
const outcomes = [];
for (const { input, messages } of cases) {
  const open = email.open(email.schema.parse(input), tools);
  for (const message of messages)
    outcomes.push(await open.send(message, { signal: new AbortController().signal, timeoutMs: 60_000 }));
  await open.close();
}
process.stdout.write(JSON.stringify(outcomes));
