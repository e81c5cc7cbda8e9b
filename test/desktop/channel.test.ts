// The desktop channel against a real notification server on a display of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desktop } from '../../src/channels/desktop.ts';
import { toDesktopNotification } from '../../src/channels/desktop/freedesktop.ts';
import { closeChannels, deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { plainText } from '../../src/lib/text/text.ts';

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop();
});
afterAll(async () => {
  await closeChannels();
  await screen.close();
});

const tools = () => toolsOf({ platform: 'linux', env: screen.env });
const settings = { sound: false };
const last = async () => (await screen.shown()).at(-1);

describe('what is shown', () => {
  test.each([
    ['leading dashes', '--urgency=critical', '-h'],
    ['quotes', `"it's" \`quoted\``, `'"'"' "\${HOME}" $(id) \\n`],
    ['newlines', 'one line', 'first\nsecond\nfourth'],
    ['markup', '<b>bold</b>', '<b>bold</b> <a href="https://example.com">link</a> <img src="x">'],
    ['entities', 'Q&A &amp; &lt;', 'a & b &amp; c &lt;d&gt; &#x41;'],
    ['emoji', 'done 👩‍👩‍👧‍👦 🎉', '🏳️‍🌈 flags 🇩🇪'],
    ['right to left', 'مرحبا بالعالم', 'שלום עולם, مرحبا (abc) 123'],
    ['percent signs', '100% %s %n', '%s %p %%'],
    ['empty body', 'only a title', ''],
  ])('%s', async (_name, title, body) => {
    expect(await deliver(desktop, settings, messageOf({ title, body }), tools())).toMatchObject({ ok: true });
    const shown = await last();
    expect(shown).toMatchObject({ appname: 'Belfry', summary: title });
    expect(unescaped(shown?.body ?? '')).toBe(body);
  });

  test.each([
    [{ urgency: 'low' }, false, 'low', 'dialog-information'],
    [{ urgency: 'normal' }, false, 'normal', 'dialog-information'],
    [{ urgency: 'urgent' }, false, 'critical', 'dialog-information'],
    [{ urgency: 'normal' }, true, 'critical', 'dialog-error'],
    [{ urgency: 'normal', kind: 'agent.waiting' }, false, 'normal', 'dialog-question'],
  ] as const)('urgency and icon of %j, abnormal %s', async (event, abnormal, urgency, icon) => {
    const parcel = messageOf({ event: eventOf({ ...event, abnormal }) });
    await deliver(desktop, settings, parcel, tools());
    expect((await last())?.urgency).toBe(urgency);
    expect(toDesktopNotification(parcel.content, false).icon).toBe(icon);
  });

  test('a later one of the same session takes the place of the earlier, another session has its own', async () => {
    await screen.shown();
    for (const [sessionKey, title] of [
      ['a', 'first'],
      ['a', 'second'],
      ['b', 'other'],
      ['a', 'third'],
    ] as const)
      await deliver(desktop, settings, messageOf({ title }, { threadKey: `tester:${sessionKey}` }), tools());
    expect(await screen.displayed()).toBe(2);
    expect(
      (await screen.shown())
        .slice(-2)
        .map(({ summary }) => summary)
        .sort(),
    ).toEqual(['other', 'third']);
  });

  test(`${hostile.length} hostile strings are shown as text`, async () => {
    for (const [index, text] of hostile.entries()) {
      const parcel = messageOf({ title: text, body: text }, { threadKey: `hostile:${index}` });
      const outcome = await deliver(desktop, settings, parcel, tools());
      expect(outcome, JSON.stringify(text)).toMatchObject({ ok: true });
      const note = toDesktopNotification(parcel.content, false);
      const shown = (await screen.shown()).at(-1);
      expect(shown?.summary, JSON.stringify(text)).toBe(note.summary);
      expect(unescaped(shown?.body ?? ''), JSON.stringify(text)).toBe(note.body);
      expect(plainText(note.body)).toBe(note.body);
    }
  });
});

test('where the bus cannot be spoken to directly, notify-send shows it, replaces it, and text stays text', async () => {
  const other = await startVirtualDesktop({ bus: 'abstract' });
  try {
    const there = toolsOf({ platform: 'linux', env: { ...other.env, PATH: process.env['PATH'] } });
    for (const title of ['--urgency=critical', '-h <b>'])
      expect(
        await deliver(desktop, settings, messageOf({ title, body: `${title} & "x"\nsecond $(id)` }), there),
      ).toMatchObject({
        ok: true,
      });
    expect(await other.displayed()).toBe(1);
    expect((await other.shown()).at(-1)).toMatchObject({
      appname: 'Belfry',
      summary: '-h <b>',
      body: '-h &lt;b&gt; &amp; "x"\nsecond $(id)',
      urgency: 'normal',
    });
    other.hang(true);
    expect(await deliver(desktop, settings, messageOf(), there)).toMatchObject({ ok: false, reason: 'timeout' });
    other.hang(false);
  } finally {
    await other.close();
  }
});

describe('when there is nobody to show it', () => {
  test('no bus: says so, and is no success', async () => {
    const outcome = await deliver(desktop, settings, messageOf(), toolsOf({ platform: 'linux', env: {} }));
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'invalid-config',
      error: expect.stringContaining('no desktop'),
    });
  });

  test('a bus without a notification server: says so', async () => {
    const bare = await startVirtualDesktop({ server: false });
    try {
      const outcome = await deliver(desktop, settings, messageOf(), toolsOf({ platform: 'linux', env: bare.env }));
      expect(outcome).toMatchObject({
        ok: false,
        reason: 'invalid-config',
        error: expect.stringContaining('notification server'),
      });
    } finally {
      await bare.close();
    }
  });

  test('a server that hangs: ends by our own limit, and works again afterwards', async () => {
    screen.hang(true);
    try {
      const began = performance.now();
      expect(await deliver(desktop, settings, messageOf(), tools())).toMatchObject({ ok: false, reason: 'timeout' });
      expect(performance.now() - began).toBeLessThan(20_000); // the bus itself waits 25 s, notify-send 75
    } finally {
      screen.hang(false);
    }
    expect(await deliver(desktop, settings, messageOf({ title: 'again' }), tools())).toMatchObject({ ok: true });
  });

  test('check names the server', async () => {
    expect(await desktop.check(desktop.schema.parse(settings), tools())).toEqual([
      { level: 'ok', text: 'the notification server is dunst' },
    ]);
  });
});

/** Undoes Pango's escapes, once. */
function unescaped(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text
    .replace(/<\/?b>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name = '') =>
      code === undefined ? (names[name] ?? whole) : String.fromCodePoint(Number(code)),
    );
}
