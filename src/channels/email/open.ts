// Email at work: one mail a notification, over a connection of its own.
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { mailOf } from './mail.ts';
import { sendMail } from './send.ts';
import { type EmailSettings, serverOf } from './settings.ts';

/** Connects to nothing yet. */
export function openEmail(settings: EmailSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const to = [settings.to].flat();
  const server = serverOf(settings);
  const clean = withoutSignIn(settings);
  return {
    send: (message, context) =>
      running.run(context.signal, async (signal) => {
        const mail = asOutcome(() => mailOf(message, { from: settings.from, to }, tools.now()));
        if ('ok' in mail) return mail;
        const outcome = await sendMail(server, mail, context.timeoutMs, signal);
        return outcome.answer === undefined ? outcome : { ...outcome, answer: clean(outcome.answer) };
      }),
    close: running.close,
  };
}

/** A server may say back what it was given to sign in, where user and password are encoded as one. */
function withoutSignIn({ user = '', password = '' }: EmailSettings): (answer: string) => string {
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64');
  return (answer) => (password === '' ? answer : answer.replaceAll(plain, '[redacted]'));
}
