// What the tests know of the service at the end of a channel: how it is reached, what people there see, and the trouble it can make.
import type { Answer, Received, Receiver } from '../receiver.ts';

/** A message as it stands there now. */
export interface Seen {
  readonly id: string;
  /** As people, or a program, get it: the title first. */
  readonly lines: readonly string[];
}

/** limited: not now; refused: the credentials are wrong, or the settings; saysBack: refuses, and says back what it was given. */
export type Trouble = 'limited' | 'refused' | 'saysBack' | null;

/** A service that works until it is given trouble. */
export interface Peer {
  readonly port: number;
  /** Settings that reach it on this port, as in config.toml. */
  readonly settings: (port: number) => Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** What the channel keeps in the daemon's state to reach it on this port; absent: nothing. */
  readonly prepare?: (stateFolder: string, port: number) => Promise<void>;
  /** Titles of all that was shown, in order; a repeat that the receiver drops is not among them. */
  readonly titles: () => readonly string[];
  /** What can be seen now. */
  readonly seen: () => readonly Seen[];
  /** All that it was handed, where that is encrypted on its way. */
  readonly decrypted?: () => string;
  /** From now on, until it is null. */
  readonly trouble: (kind: Trouble) => void;
  /** Whether an answer of this text says that the service has acted; absent: any. */
  readonly acted?: (answers: string) => boolean;
}

export const portOf = ({ url }: Pick<Receiver, 'url'>): number => Number(new URL(url).port);
export const addressAt = (port: number): string => `http://127.0.0.1:${port}`;
export const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** Answers of a receiver in trouble; without one of them, it answers as ever. */
export function troubleOf(
  receiver: Receiver,
  answers: Readonly<Record<'limited' | 'refused', Answer>>,
  secrets: readonly string[],
) {
  const usual = receiver.answer;
  const saysBack = ({ path, headers, body }: Received): Answer => ({
    status: 403,
    body: [secrets.join(' '), path, headers.authorization, body].join('\n'),
  });
  return (kind: Trouble): void => {
    if (kind === null) receiver.answer = usual;
    else receiver.answer = kind === 'saysBack' ? saysBack : () => answers[kind];
  };
}

/** An answer in JSON. */
export const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
