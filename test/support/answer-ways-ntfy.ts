// ntfy as a way to answer: the app writes what a button carries to the second topic.
import type { AnswerWay } from './answer-ways.ts';
import { type NtfyMessage, startNtfyServer } from './ntfy-server.ts';

const CHANNEL_TOPIC = 'belfry-messages-0123456789';
const ANSWER_TOPIC = 'belfry-answers-0123456789';

/** A server that knows no accounts. */
export async function startNtfyWay(): Promise<AnswerWay> {
  const server = await startNtfyServer();
  server.rules.requests = 10_000;
  const shown = (): NtfyMessage[] => {
    const there = new Map<string, NtfyMessage>();
    for (const message of server.published.filter(({ topic }) => topic === CHANNEL_TOPIC)) {
      const key = message.sequence_id ?? message.id;
      if (message.event === 'message') there.set(key, message);
      else there.delete(key);
    }
    return [...there.values()];
  };
  return {
    lines: `type = "ntfy"\nserver = "${server.url}"\ntopic = "${CHANNEL_TOPIC}"\nanswer_topic = "${ANSWER_TOPIC}"`,
    person: 'somebody',
    where: 'through ntfy',
    keepsMessages: false,
    isListening: () => server.subscribers.size > 0,
    shown: () =>
      shown().map(({ title, message, actions = [] }) => ({
        text: `${title}\n${message}`,
        buttons: actions.map(({ label, body }) => ({ label, value: body })),
      })),
    // Who does not know the second topic writes to the first one.
    press: async (value, allowed = true) => {
      await fetch(`${server.url}/${allowed ? ANSWER_TOPIC : CHANNEL_TOPIC}`, { method: 'POST', body: value });
    },
    reply: null,
    lineTo: null,
  };
}
