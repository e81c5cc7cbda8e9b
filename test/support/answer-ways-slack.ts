// A Slack app as a way to answer: buttons, and a window for words.
import type { AnswerWay } from './answer-ways.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, type SlackShown, startSlackServer } from './slack-server.ts';
import { until } from './wait.ts';

const STRANGER = { id: 'U9', name: 'eve', username: 'eve', team_id: 'T9' };

/** A workspace with one channel. */
export async function startSlackWay(): Promise<AnswerWay> {
  const server = await startSlackServer();
  const keys = `token = "${BOT_TOKEN}"\napp_token = "${APP_TOKEN}"\nchannel = "${CHANNEL}"\nallow = ["U042"]`;
  const there = (): SlackShown[] => server.shown.filter(({ deleted }) => !deleted);
  const buttonsOf = ({ blocks }: SlackShown) => blocks.find(({ type }) => type === 'actions')?.elements ?? [];
  const unescaped = (text: string): string =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const textOf = ({ blocks }: SlackShown): string =>
    unescaped(blocks.flatMap(({ text }) => (text ? [text.text] : [])).join('\n'));
  const labelOf = (element: { readonly text: unknown }): string =>
    unescaped((element.text as { readonly text: string }).text);
  return {
    lines: `type = "slack-app"\napi_url = "${server.url}/api"\nthread = "none"\n${keys}`,
    person: 'ada',
    where: 'in Slack',
    keepsMessages: true,
    isListening: () => server.sockets.size > 0,
    shown: () =>
      there().map((message) => ({
        text: textOf(message),
        buttons: buttonsOf(message).map((element) => ({ label: labelOf(element), value: element.value ?? '' })),
      })),
    press: async (value, allowed = true) => {
      const found = there().find((message) => buttonsOf(message).some((one) => one.value === value)) ?? there()[0];
      const action = found && buttonsOf(found).find((one) => one.value === value)?.action_id;
      if (found)
        server.press(found, { value, action: action ?? 'belfry_answer_0', ...(allowed ? {} : { user: STRANGER }) });
    },
    reply: async (index, text, allowed = true) => {
      const message = there()[index];
      const words = message && buttonsOf(message).find(({ action_id: id }) => id?.startsWith('belfry_words'));
      if (!message || words?.value === undefined) return;
      const before = server.views.length;
      server.press(message, { value: words.value, action: words.action_id ?? '' });
      await until(() => server.views.length > before, 'the window');
      const view = server.views.at(-1);
      if (view) server.submit(view, text, allowed ? {} : STRANGER);
    },
    lineTo: () => server.whispers.map(({ text }) => text),
  };
}
