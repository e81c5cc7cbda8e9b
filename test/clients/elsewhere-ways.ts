// Three ways to answer an agent from elsewhere: the command line, a chat, and a program of one's own over HTTP.
import { expect } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import type { Question } from '../../src/model/question/question.ts';
import type { SeenMessage } from '../support/answer-ways.ts';
import { startTelegramWay } from '../support/answer-ways-telegram.ts';
import { questionsIn } from '../support/answering.ts';
import { freePort } from '../support/free-port.ts';
import { belfry } from '../support/programs.ts';
import { asked } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** What a person does there. `part`: words of what is asked. */
export interface ElsewhereWay {
  /** config.toml; `answer`: further lines of its [answer]. */
  readonly config: (answer?: string) => string;
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
  /** Resolves when the next instruction can be given there. */
  readonly offers: () => Promise<void>;
  /** Resolves when the one that was offered can be given no more; these words, sent even so, reach nobody, and whoever sends them hears why. */
  readonly offersNoMore: (words: string) => Promise<void>;
  /** What can be answered there now, in words for people. */
  readonly open: () => Promise<readonly string[]>;
}

/** For what a client does. */
const LIMIT = 60_000;
const QUIET = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';

/** The words of a chat's message after a finish. */
const OFFERED = 'next instruction';

const isAbout =
  (part: string) =>
  ({ subject }: { readonly subject: unknown }): boolean =>
    JSON.stringify(subject).includes(part);

/** `belfry answer` and `belfry reply`. */
export async function commandLine(): Promise<ElsewhereWay> {
  let home = '';
  const known = new Map<string, string>();
  const run = async (...words: readonly string[]) => {
    const ran = await belfry(home, words);
    console.log(`belfry ${words.join(' ')}: ${ran.code} ${ran.stdout}${ran.stderr}`.trim());
    return ran;
  };
  const opened = async (): Promise<readonly Question[]> =>
    (await questionsIn(home)).filter(({ state }) => state === 'open');
  const find = async (isIt: (question: Question) => boolean, what: string): Promise<string> =>
    (await until(async () => (await opened()).find(isIt), what, LIMIT)).id;
  const about = (part: string) => find((one) => one.kind !== 'text' && isAbout(part)(one), `a question about ${part}`);
  const offered = () => find(({ kind }) => kind === 'text', 'a finish');
  const give = async (...words: readonly string[]): Promise<void> =>
    expect(await run(...words)).toMatchObject({ code: 0 });
  const refused = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
  };
  return {
    config: (answer = '') => `${QUIET}[answer]\n${answer}\n`,
    begin: async (of) => {
      home = of;
    },
    allow: async (part) => give('answer', await about(part), 'allow', '--wait'),
    deny: async (part, words) => give('answer', await about(part), 'deny', '--message', words),
    choose: async (part, label) => give('answer', await about(part), label.toLowerCase()),
    say: async (part, words) => give('answer', await about(part), words),
    goOn: async (words) => give('reply', await offered(), words),
    shows: async (part) => void known.set(part, await about(part)),
    ended: (part) => refused('answer', known.get(part) ?? part, 'allow'),
    offers: async () => void known.set(OFFERED, await offered()),
    offersNoMore: async (words) => {
      const id = known.get(OFFERED) ?? '';
      await until(async () => !(await opened()).some((one) => one.id === id), 'the finish to be over', LIMIT);
      await refused('reply', id, words);
    },
    open: async () => (await opened()).map(({ kind, subject }) => `${kind}: ${JSON.stringify(subject)}`),
  };
}

/** A bot in Telegram. */
export async function chat(): Promise<ElsewhereWay> {
  const way = await startTelegramWay();
  /** What the button of the latest message carries. */
  const carriedBy = (part: string, label: string): string | undefined => {
    const messages = way.shown().filter(({ text }) => text.includes(part));
    return messages.flatMap(({ buttons }) => buttons).findLast((button) => button.label === label)?.value;
  };
  const button = (part: string, label: string) =>
    until(() => carriedBy(part, label), `a message of ${part} with ${label}`, LIMIT);
  const press = async (part: string, label: string): Promise<void> => way.press(await button(part, label));
  /** The number of the latest message that can be answered, of those from `first` on. */
  const answerable = async (part: string, first = 0): Promise<number> => {
    const isIt = ({ text, buttons }: SeenMessage, at: number): boolean =>
      at >= first && text.includes(part) && buttons.length > 0;
    await until(() => way.shown().some(isIt), `a message of ${part} that can be answered`, LIMIT);
    return way.shown().findLastIndex(isIt);
  };
  const write = async (part: string, words: string): Promise<void> => way.reply?.(await answerable(part), words);
  const refused = async (act: () => Promise<void>): Promise<void> => {
    const refusals = () => (way.lineTo?.() ?? []).filter((line) => line.includes('terminal')).length;
    const before = refusals();
    await act();
    await until(() => refusals() > before, 'the line for whoever answers even so', LIMIT);
  };
  const shown = new Map<string, string>();
  let offer = { at: -1, text: '' };
  /** What was asked before was chosen. */
  let chosen = 0;
  return {
    config: (answer = '') =>
      `[answer]\nchannels = ["phone"]\n${answer}\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`,
    begin: async () => void (await until(way.isListening, 'the receiver')),
    allow: (part) => press(part, 'Allow'),
    deny: async (part, words) => {
      await button(part, 'Deny');
      await write(part, words);
    },
    choose: async (part, label) => {
      await press(part, label);
      chosen = way.shown().length;
    },
    say: async (part, words) => way.reply?.(await answerable(part, chosen), words),
    goOn: (words) => write(OFFERED, words),
    shows: async (part) => void shown.set(part, await button(part, 'Allow')),
    ended: async (part) => {
      await until(() => carriedBy(part, 'Allow') === undefined, `the button of ${part} to go`, LIMIT);
      await refused(() => way.press(shown.get(part) ?? ''));
    },
    offers: async () => {
      const at = await answerable(OFFERED);
      offer = { at, text: way.shown()[at]?.text ?? '' };
    },
    offersNoMore: async (words) => {
      const isThere = ({ text }: SeenMessage): boolean => text.includes(OFFERED);
      await until(() => !way.shown().slice(offer.at).some(isThere), 'what was offered to go', LIMIT);
      const [first] = offer.text.split('\n');
      // What was taken away can be replied to no more.
      if (way.shown()[offer.at]?.text.startsWith(first ?? '')) await refused(async () => way.reply?.(offer.at, words));
    },
    open: async () =>
      way
        .shown()
        .filter(({ text, buttons }) => text.includes(OFFERED) || buttons.some(({ label }) => label === 'Allow'))
        .map(({ text }) => text),
  };
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly subject: unknown;
  readonly seen: string;
}

/** A program with a token that may read and answer. */
export async function http(): Promise<ElsewhereWay> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  let token = '';
  const shown = new Map<string, Listed>();
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-belfry': '1' };
    const given = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${origin}${BASE}${path}`, given);
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const list = async (): Promise<readonly Listed[]> => {
    const listed = await call('/questions').catch(() => null); // the daemon is being started again
    return (listed?.answer['questions'] ?? []) as readonly Listed[];
  };
  const find = (isIt: (question: Listed) => boolean, what: string) =>
    until(async () => (await list()).findLast(isIt), what, LIMIT);
  const about = (part: string) => find((one) => one.kind !== 'text' && isAbout(part)(one), `a question about ${part}`);
  const offered = () => find(({ kind }) => kind === 'text', 'a finish');
  const post = async ({ id, seen }: Listed, answer: object) => {
    const { status, answer: said } = await call(`/questions/${id}/answer`, { seen, answer });
    console.log(`HTTP: ${JSON.stringify(answer)}: ${status} ${JSON.stringify(said)}`);
    return [status, said['detail']];
  };
  const give = async (question: Listed, answer: object): Promise<void> =>
    expect(await post(question, answer)).toEqual([200, undefined]);
  const refused = async (question: Listed, answer: object): Promise<void> =>
    expect(await post(question, answer)).toEqual([410, expect.stringContaining('its terminal')]);
  return {
    config: (answer = '') => `${QUIET}[http]\nlisten = ["${new URL(origin).host}"]\n[answer]\n${answer}\n`,
    begin: async (home) => {
      const isLive = () =>
        fetch(`${origin}/health/live`).then(
          () => true,
          () => false,
        );
      await until(isLive, 'the HTTP interface');
      token = (await asked<{ token: string }>(home, ['token', 'add', 'mine', '--scope', 'read,answer'])).token;
    },
    allow: async (part) => give(await about(part), { type: 'allow' }),
    deny: async (part, words) => give(await about(part), { type: 'deny', message: words }),
    choose: async (part, label) => give(await about(part), { type: 'choose', choices: [label] }),
    say: async (part, words) => give(await about(part), { type: 'choose', choices: [words] }),
    goOn: async (words) => give(await offered(), { type: 'reply', text: words }),
    shows: async (part) => void shown.set(part, await about(part)),
    ended: async (part) => refused(shown.get(part) ?? (await about(part)), { type: 'allow' }),
    offers: async () => void shown.set(OFFERED, await offered()),
    offersNoMore: async (words) => {
      const question = shown.get(OFFERED) ?? (await offered());
      await until(async () => !(await list()).some(({ id }) => id === question.id), 'the finish to be over', LIMIT);
      await refused(question, { type: 'reply', text: words });
    },
    open: async () => (await list()).map(({ kind, subject }) => `${kind}: ${JSON.stringify(subject)}`),
  };
}
