// A hook that asks whether its client is to write something to its terminal: it hears so at once, and prints what a channel offers for its session soon.
import type { Reply } from '../ipc/frames.ts';
import type { AskOutput, AskWait } from '../ipc/ask.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { HERE } from '../model/local-host.ts';
import { sessionKeyText } from '../model/ids.ts';
import { type AdmissionDeps, readAsk } from './sources/hook/admit.ts';
import type { ClientTerminals } from './client-terminals.ts';

/** The notifying hook of the same moment has reported by then, ms. */
const PATIENCE = 1_500;

/** What it needs. */
export interface ServeTerminalDeps extends Pick<AdmissionDeps, 'agents'> {
  readonly terminals: ClientTerminals;
  /** Whether any channel hands something to clients. */
  readonly isWanted: () => boolean;
}

/** Whether it was such a hook; it is served to its end then. */
export async function serveTerminal(
  given: Readonly<Record<string, unknown>>,
  reply: (reply: Reply) => Promise<void>,
  gone: AbortSignal,
  { agents, terminals, isWanted }: ServeTerminalDeps,
): Promise<boolean> {
  const args = readAsk(given);
  const terminal = args && agents(args.agent)?.answering?.terminal;
  const input = args && terminal ? parseJson(args.raw) : null;
  const sessionId = terminal && isObject(input) ? terminal.reads(input) : null;
  if (!args || !terminal || sessionId === null) return false;
  if (!isWanted()) {
    await reply({ data: { left: 'no channel hands anything to clients' }, done: true });
    return true;
  }
  const key = sessionKeyText({ ...HERE, agent: args.agent, sessionId });
  await reply({ data: { wait: PATIENCE } satisfies AskWait });
  const sequence = await terminals.take(key, PATIENCE, gone);
  const output: AskOutput =
    sequence === null ? { left: 'nothing is to be shown' } : { stdout: terminal.print(sequence) };
  await reply({ data: output, done: true });
  return true;
}
