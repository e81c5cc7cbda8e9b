// Hostile text (test/fixtures/hostile.json) through every channel: it arrives as text. The desktop's own server is asked in test/desktop.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  escapeMarkup,
  notifyArguments,
  notifySendArguments,
  toDesktopNotification,
} from '../../src/channels/desktop/freedesktop.ts';
import { macOptions, windowsOptions } from '../../src/channels/desktop/node-notifier.ts';
import { slackMessage } from '../../src/channels/shared/slack.ts';
import { webhook } from '../../src/channels/webhook.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, eventOf, messageOf, notificationOf } from '../contracts/channel.ts';
import { startReceiver } from '../support/receiver.ts';

const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const texts = hostile.map((text) => [JSON.stringify(text).slice(0, 60), text] as const);

test('the list has 300 strings and more, each once', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(300);
});

/** Every string in a JSON value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

describe('slack', () => {
  test.each(texts)('%s', (_name, text) => {
    const event = eventOf({ reason: text, detail: text });
    const body = slackMessage(notificationOf({ title: text, body: text, abnormal: true, event }));
    for (const made of stringsOf(body)) {
      expect(made).not.toMatch(/[<>]/);
      expect(made).not.toMatch(/&(?!amp;|lt;|gt;)/);
      expect(made).not.toMatch(CONTROLS);
    }
  });
});

describe('webhook', () => {
  test('arrives exactly as it is, in valid JSON', async () => {
    const receiver = await startReceiver();
    const settings = { url: receiver.url, secret: 'a secret of some length', allow_private: true };
    for (const text of hostile) {
      const event = eventOf({ message: text, cwd: text, project: text, reason: text });
      expect(await deliver(webhook, settings, messageOf({ title: text, body: text, event }))).toMatchObject({
        ok: true,
      });
      const { data } = JSON.parse(receiver.requests.at(-1)?.body ?? '') as {
        data: Record<string, Record<string, unknown>>;
      };
      expect(data['notification']).toMatchObject({ title: text, body: text, count: 1 });
      expect(data['event']).toMatchObject({ message: text, cwd: text, project: text, reason: text });
    }
  });
});

describe('desktop', () => {
  test.each(texts)('%s', (_name, text) => {
    const note = toDesktopNotification(notificationOf({ title: text, body: text }), false);
    expect(note.summary).not.toMatch(CONTROLS);
    expect(note.summary).not.toMatch(/\n/);
    expect(note.body).not.toMatch(CONTROLS);

    const plain = { replaces: 0, buttons: [], reply: null };
    const [, , , summary, body] = notifyArguments(note, { ...plain, capabilities: ['body', 'body-markup'] });
    expect(summary).toBe(note.summary);
    expect(body).toBe(escapeMarkup(note.body));
    expect(body).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    expect(notifyArguments(note, { ...plain, capabilities: ['body'] })[4]).toBe(note.body);

    const argv = notifySendArguments(note, 7);
    expect(argv.slice(argv.indexOf('--'))).toEqual(['--', note.summary, escapeMarkup(note.body)]);
    expect(argv.slice(0, argv.indexOf('--')).join(' ')).toBe(
      '--app-name=Belfry --urgency=normal --icon=dialog-information --hint=string:desktop-entry:belfry --print-id --replace-id=7',
    );

    for (const options of [macOptions(note, text), windowsOptions(note, text)]) {
      expect(options).toMatchObject({ title: note.summary, message: note.body || ' ', wait: false });
      // Nothing of the text becomes the name of an option.
      expect(
        Object.keys(options).filter((key) => !/^(?:title|message|group|id|wait|timeout|sound)$/.test(key)),
      ).toEqual([]);
    }
  });

  test('nothing was executed', () => {
    expect(existsSync('/tmp/belfry-pwned')).toBe(false);
  });
});
