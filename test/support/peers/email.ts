// A mail server as a peer.
import { PASSWORD, readMail, startMailServer, USER } from '../../channels/mail-server.ts';
import type { Peer, Trouble } from './peer.ts';

export async function emailPeer(): Promise<Peer> {
  let trouble: Trouble = null;
  const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
  const { port, mails } = await startMailServer({
    options: {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        if (trouble === 'refused') return done(refusal(535, '5.7.8 Authentication credentials invalid'));
        if (trouble === 'saysBack') return done(refusal(535, `no ${String(username)} ${String(password)}`));
        done(null, { user: String(username) });
      },
      onMailFrom: (_address, _session, done) =>
        done(trouble === 'limited' ? refusal(450, '4.7.1 Try again later') : null),
    },
  });
  const read = () => mails.map(({ raw }) => readMail(raw));
  return {
    port,
    settings: (reached) => ({
      host: '127.0.0.1',
      port: reached,
      tls: 'none',
      user: USER,
      password: PASSWORD,
      from: 'Belfry <me@example.com>',
      to: 'me@example.com',
    }),
    secrets: [PASSWORD, Buffer.from(`\0${USER}\0${PASSWORD}`).toString('base64')],
    // A mailbox drops a mail whose id it has.
    titles: () => [...new Map(read().map(({ headers }) => [headers['message-id'], headers['subject'] ?? ''])).values()],
    seen: () => {
      const byId = new Map(
        read().map(({ headers, text }) => [
          headers['message-id'] ?? '',
          [`Subject: ${headers['subject']}`, ...importance(headers['importance']), ...text.trimEnd().split('\n')],
        ]),
      );
      return [...byId].map(([id, lines]) => ({ id, lines }));
    },
    trouble: (kind) => {
      trouble = kind;
    },
    acted: (answers) => /250 .*queued/.test(answers),
  };
}

const importance = (value: string | undefined): string[] => (value === undefined ? [] : [`Importance: ${value}`]);
