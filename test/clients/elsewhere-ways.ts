// Two ways to answer an agent from elsewhere that a person has beside the command line: a chat, and a program of their own over HTTP.
import { expect } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import type { SeenMessage } from '../support/answer-ways.ts';
import { startTelegramWay } from '../support/answer-ways-telegram.ts';
import { freePort } from '../support/free-port.ts';
import { asked } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** What a person does there. `part`: words of what is asked. */
export interface ElsewhereWay {
  /** config.toml. */
  readonly config: string;
  /** Resolves when the running daemon has taken over the settings. */
  readonly begin: (home: string) => Promise<void>;
  readonly allow: (part: string) => Promise<void>;
  readonly deny: (part: string, words: string) => Promise<void>;
  /** Takes an option by its label. */
  readonly choose: (part: string, label: string) => Promise<void>;
  /** In words of their own. */
  readonly say: (part: string, words: string) => Promise<void>;
  /** The next instruction after a finish. */
  readonly goOn: (words: string) => Promise<void>;
  /** Resolves when a permission can be given there. */
  readonly shows: (part: string) => Promise<void>;
  /** Resolves when what was shown can be answered no more; what is sent even so reaches nobody, and whoever sends it hears why. */
  readonly ended: (part: string) => Promise<void>;
}

/** For what a client does. */
const LIMIT = 120_000;

/** A bot in Telegram. */
async function chat(): Promise<ElsewhereWay> {
  const way = await startTelegramWay();
  /** What the button of the latest message carries. */
  const carriedBy = (part: string, label: string): string | undefined => {
    const messages = way.shown().filter(({ text }) => text.includes(part));
    return messages.flatMap(({ buttons }) => buttons).findLast((button) => button.label === label)?.value;
  };
  const button = (part: string, label: string) =>
    until(() => carriedBy(part, label), `a message of ${part} with ${label}`, LIMIT);
  const press = async (part: string, label: string): Promise<void> => way.press(await button(part, label));
  /** To a message that can be answered. */
  const write = async (part: string, words: string): Promise<void> => {
    const isIt = ({ text, buttons }: SeenMessage): boolean => text.includes(part) && buttons.length > 0;
    await until(() => way.shown().some(isIt), `a message of ${part} that can be answered`, LIMIT);
    await way.reply?.(way.shown().findLastIndex(isIt), words);
  };
  const shown = new Map<string, string>();
  return {
    config: `[answer]\nchannels = ["phone"]\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`,
    begin: async () => void (await until(way.isListening, 'the receiver')),
    allow: (part) => press(part, 'Allow'),
    deny: async (part, words) => {
      await button(part, 'Deny');
      await write(part, words);
    },
    choose: press,
    say: write,
    goOn: (words) => write('next instruction', words),
    shows: async (part) => void shown.set(part, await button(part, 'Allow')),
    ended: async (part) => {
      await until(() => carriedBy(part, 'Allow') === undefined, `the button of ${part} to go`, LIMIT);
      const refusals = () => (way.lineTo?.() ?? []).filter((line) => line.includes('terminal')).length;
      const before = refusals();
      await way.press(shown.get(part) ?? '');
      await until(() => refusals() > before, 'the line for whoever presses it even so', LIMIT);
    },
  };
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly subject: { readonly text: string; readonly choices: readonly { readonly question: string }[] };
  readonly seen: string;
}

/** A program with a token that may read and answer. */
async function http(): Promise<ElsewhereWay> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  let token = '';
  const shown = new Map<string, Listed>();
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-belfry': '1' };
    const given = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${origin}${BASE}${path}`, given);
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const find = (isIt: (question: Listed) => boolean, what: string) =>
    until(
      async () => {
        const listed = await call('/questions').catch(() => null); // the daemon is being started again
        const questions = (listed?.answer['questions'] ?? []) as readonly Listed[];
        return questions.findLast(isIt);
      },
      what,
      LIMIT,
    );
  const about =
    (part: string) =>
    ({ subject: { text, choices } }: Listed): boolean =>
      text.includes(part) || choices.some(({ question }) => question.includes(part));
  const send = async ({ id, seen }: Listed, answer: object): Promise<void> => {
    const { status, answer: said } = await call(`/questions/${id}/answer`, { seen, answer });
    console.log(`HTTP: ${JSON.stringify(answer)}: ${status} ${JSON.stringify(said)}`);
    expect(status, JSON.stringify(said)).toBe(200);
  };
  const give = async (part: string, answer: object): Promise<void> =>
    send(await find((one) => one.kind !== 'text' && about(part)(one), `a question about ${part}`), answer);
  return {
    config: `[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n[http]\nlisten = ["${new URL(origin).host}"]\n`,
    begin: async (home) => {
      await until(
        () =>
          fetch(`${origin}/health/live`).then(
            () => true,
            () => false,
          ),
        'the HTTP interface',
      );
      token = (await asked<{ token: string }>(home, ['token', 'add', 'mine', '--scope', 'read,answer'])).token;
    },
    allow: (part) => give(part, { type: 'allow' }),
    deny: (part, words) => give(part, { type: 'deny', message: words }),
    choose: (part, label) => give(part, { type: 'choose', choices: [label] }),
    say: (part, words) => give(part, { type: 'choose', choices: [words] }),
    goOn: async (words) => send(await find(({ kind }) => kind === 'text', 'a finish'), { type: 'reply', text: words }),
    shows: async (part) => void shown.set(part, await find(about(part), `a question about ${part}`)),
    ended: async (part) => {
      const { id, seen } = shown.get(part) ?? (await find(about(part), `a question about ${part}`));
      const { status, answer } = await call(`/questions/${id}/answer`, { seen, answer: { type: 'allow' } });
      expect([status, answer['detail']]).toEqual([410, expect.stringContaining('its terminal')]);
    },
  };
}

export const ELSEWHERE: readonly { readonly name: string; readonly start: () => Promise<ElsewhereWay> }[] = [
  { name: 'a chat', start: chat },
  { name: 'HTTP', start: http },
];
