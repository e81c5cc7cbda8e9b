// From a captured input on the hook's stdin to the screen: built programs, no settings at all, a real notification server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { type Shown, startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop();
});
afterAll(() => screen.close());

/** The notification that is shown for an input, by an agent's words; every test has a session of its own. */
async function shownFor(home: string, input: Record<string, unknown>): Promise<Shown> {
  const before = (await screen.shown()).length;
  expect(await hook(home, `${JSON.stringify(input)}\n`)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  return until(async () => {
    const all = (await screen.displayed()) > 0 ? await screen.shown() : [];
    return all.length > before && all.at(-1);
  }, 'a notification on the screen');
}

const INPUTS = [
  ['claude', 'Notification', 'tui-permission-deny', /Claude/, 'normal'],
  ['claude', 'Stop', 'tui-question', /Claude finished/, 'normal'],
  ['claude', 'StopFailure', 'print-rate-limit', /Claude.*rate limit/i, 'critical'],
  ['claude', 'SessionEnd', 'print-plain', /Claude.*abnormally/, 'critical'],
  ['droid', 'Notification', 'tui-permission-deny', /Droid/, 'normal'],
  ['droid', 'Notification', 'tui-question', /Droid/, 'normal'],
  ['droid', 'Stop', 'exec-plain', /Droid finished/, 'normal'],
  ['droid', 'SessionEnd', 'exec-plain', /Droid.*abnormally/, 'critical'],
] as const;

const TEXTS = [
  '--urgency=critical -h',
  `"double" 'single' $(id) \\n`,
  'first line\nsecond line\nlast',
  '<b>bold</b> <script>x</script>',
  'Q&A &amp; &lt;b&gt;',
  '👩‍👩‍👧‍👦 done 🎉',
  'שלום עולם, مرحبا',
];

describe('with no settings', () => {
  test('captured inputs are shown, each with its urgency', async () => {
    const home = temporaryFolder();
    await startDaemon(home, { env: screen.env });
    for (const [index, [agent, event, scenario, title, urgency]] of INPUTS.entries()) {
      const shown = await shownFor(home, { ...sample(agent, event, scenario).input, session_id: `shown-${index}` });
      expect(shown, `${agent} ${event}-${scenario}`).toMatchObject({ appname: 'Belfry', urgency });
      expect(shown.summary).toMatch(title);
    }
  });

  test('text is intact, whatever it is', async () => {
    const home = temporaryFolder();
    await startDaemon(home, { env: screen.env });
    for (const [index, message] of TEXTS.entries()) {
      const input = { ...sample('claude', 'Notification', 'tui-permission-deny').input, notification_type: 'other' };
      const shown = await shownFor(home, { ...input, message, session_id: `text-${index}` });
      const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(shown.body).toContain(escaped);
    }
  });

  test('a session’s next notification takes the place of its last', async () => {
    const home = temporaryFolder();
    await startDaemon(home, { env: screen.env });
    const { input } = sample('claude', 'Notification', 'tui-permission-deny');
    await screen.shown();
    for (const message of ['one', 'two', 'three'])
      await hook(home, JSON.stringify({ ...input, notification_type: 'other', message, session_id: 'replaced' }));
    await until(async () => {
      const { stdout } = await belfry(home, ['deliveries', '--json']);
      return stdout.split('"sent"').length - 1 === 3;
    }, 'all three to be delivered');
    expect(await screen.displayed()).toBe(1);
    expect((await screen.shown()).at(-1)?.body).toContain('three');
  });
});
