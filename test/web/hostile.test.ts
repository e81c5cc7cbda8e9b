// Hostile text of agents in a real browser: every string is shown as text, on lists, in time lines and in what an agent asks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openStore } from '../../src/store/open.ts';
import { shownText } from '../../src/web/lib/shown-text.ts';
import { permission, startWaiting } from '../support/answering.ts';
import { HOSTILE_COUNT, hostileHome } from '../support/hostile-home.ts';
import { openPage } from '../support/browser.ts';
import { pathsBelow } from '../support/home.ts';
import { visit } from '../support/interface.ts';
import { madeDecision, madeEntry, madeSession } from '../support/made.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { serviceSettings } from '../support/service-home.ts';
import { commitOne } from '../support/store-writes.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** What no text of ours makes: elements that load, run or leave. */
const FOREIGN =
  'main script, main img, main iframe, main style, main link, main object, main embed, main svg, main marquee, main b, main i, main u, main form[action], main [onerror], main [onload], main [onclick], main a[href^="javascript"], main a[href^="data"], main a[href^="http"]:not([href^="http://127.0.0.1"])';

test(`${HOSTILE_COUNT} hostile strings are text`, async () => {
  const home = await hostileHome();
  const { call } = await visit(home);
  const events = await until(async () => {
    const found = await call('events.list', { limit: 500 });
    return found.events.length >= HOSTILE_COUNT ? found.events : null;
  }, 'all events');
  const { page, complaints, origin } = await openPage(home, {}, '/events');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const foreign = async (where: string): Promise<void> => {
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(FOREIGN)})].map((one) => one.outerHTML)`,
    );
    expect(found, where).toEqual([]);
  };
  const seen = new Map<string, string>();
  await page.locator('.rows > li').first().waitFor();
  await until(async () => {
    const rows = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('.rows a')].map((one) => [one.getAttribute('href'), one.querySelector('strong').textContent])`,
    );
    for (const [href, title] of rows) seen.set(decodeURIComponent(href.slice('/events/'.length)), title);
    await foreign('events');
    await page.mouse.wheel(0, 900);
    return seen.size >= events.length;
  }, 'every row to have been shown');
  for (const { id, title } of events) expect(seen.get(id)).toBe(shownText(title));

  await page.goto(`${origin}/sessions`);
  await page.locator('.card.session').first().waitFor();
  await foreign('sessions');
  await page.goto(origin);
  const waiting = page.locator('.inbox-row');
  await waiting.first().waitFor();
  for (let at = 0; at < Math.min(40, await waiting.count()); at++) {
    await waiting.nth(at).click();
    await page.locator('[data-subject]').waitFor();
    await foreign(`inbox ${at}`);
  }
  const markup = events.filter(({ title, project }) => /[<&"']/.test(`${title}${project ?? ''}`)).slice(0, 25);
  for (const { id } of markup) {
    await page.goto(`${origin}/events/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: 'What came in' }).waitFor();
    await foreign(id);
  }
  expect(dialogs).toEqual([]);
  expect(complaints).toEqual([]);
});

/** No place in it where a line may break, wider than any window, and markup at its end. */
const LONG = `${'WideNameWithoutABreak'.repeat(8)}</tool_name>`;
const REMOTE = 'wide-machine-without-a-break-'.repeat(2).slice(0, 60);

const CHANNELS = [`first ${LONG}`, `second ${LONG}`];
const namesOf = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;

/** Every name that settings have is that long, and so is every text. */
const wideSettings = (url: string): string =>
  `${CHANNELS.map((name) => `[channels.${JSON.stringify(name)}]\ntype = "slack"\nurl = "${url}/${LONG}"\nallow_private = true\n`).join('')}
[[routes]]
match = { project = ${JSON.stringify(`${LONG}*`)}, branch = ${JSON.stringify(LONG)} }
to = ${namesOf(CHANNELS)}
escalate = [{ after = "10m", to = ${namesOf(CHANNELS)} }]
also = true

[[routes]]
to = ${namesOf(CHANNELS.slice(0, 1))}
escalate = [{ after = "10m", to = ${namesOf(CHANNELS.slice(1))} }]

[quiet]
hours = ["03:00-03:01"]
channels = ${namesOf(CHANNELS)}

[messages]
title = { "agent.finished" = "{project}: ${LONG}" }

[answer]
kinds = ["permission", "question"]

[remotes.${REMOTE}]
run = ["false"]
`;

/** Names of the service's, by their fields. */
const NAMED =
  /^(name|hostname|model_id|user_email|tool|remoteUser|error|repoName|repoUrl|branch|changedBy|email|path|title|maxAutonomyLevel)$/;

/** The same with every name as long. */
function widened(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return NAMED.test(key) ? `${value}${LONG}` : value;
  if (Array.isArray(value)) return value.map((one) => widened(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, widened(one, name)]));
}

/** What this address answers, widened. */
async function widenedService(address: string): Promise<string> {
  const proxy = await startReceiver();
  proxy.answer =
    ({ method, path, headers, body }) =>
    (_request, response) => {
      const pass = async (): Promise<void> => {
        const init = { method, headers: { authorization: headers.authorization ?? '' }, ...(body ? { body } : {}) };
        const answer = await fetch(`${address}${path}`, init);
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(widened(await answer.json())));
      };
      pass().catch((error: unknown) => response.destroy(error as Error));
    };
  return proxy.url;
}

async function wideService(): Promise<string> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  sandbox.changeControls({ maxAutonomyLevel: 'high', sandbox: { enabled: false } });
  const [base, app] = [await widenedService(sandbox.baseUrl), await widenedService(sandbox.appUrl)];
  return serviceSettings(base, app, sandbox.apiKey);
}

/** What sticks out at a side, and what is cut off: a line that ends in dots has its whole text in a title, or where a press on it leads. */
const LOST = `[...document.querySelectorAll('body *')].filter((one) => {
  if (!one.checkVisibility() || one.closest('.hidden, .skip, option') !== null) return false;
  const { left, right, width, height } = one.getBoundingClientRect();
  if (width <= 1 || height <= 1) return false;
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(one);
  const isInput = one.matches('input, textarea, select');
  if (!isInput && /hidden|clip/.test(overflowX) && one.scrollWidth > one.clientWidth + 1)
    return textOverflow !== 'ellipsis' && webkitLineClamp === 'none' || one.closest('a, summary, [title]') === null;
  const scrolls = one.parentElement?.closest('.scroll, pre, textarea, .rule-changes, .row-line, .asked-window');
  return (right > innerWidth + 1 || left < -1) && (scrolls === null || scrolls === undefined) && one.closest('a, summary') === null;
}).map((one) => one.outerHTML.slice(0, 300))`;

async function expectWhole(page: Page, what: string): Promise<void> {
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect
      .soft([what, width, await page.evaluate('document.documentElement.scrollWidth')])
      .toEqual([what, width, width]);
    expect.soft([what, width, await page.evaluate<string[]>(LOST)]).toEqual([what, width, []]);
  }
}

test('names that are wider than the window stay in it, wherever they are shown, and can be read', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => ({ status: 403, body: LONG });
  const home = homeWith(`${await wideService()}${wideSettings(receiver.url)}`);
  const { database } = pathsBelow(home);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const store = await openStore(database);
  const now = Date.now();
  await store.append(madeEntry({ id: 'entry', startedAt: now, receivedAt: now }));
  const wide = { since: now, firstSeen: now, lastEvent: now, host: REMOTE, project: LONG, branch: LONG } as const;
  const sessions = [
    madeSession({ ...wide, sessionId: 'working', state: 'working', title: LONG }),
    madeSession({ ...wide, sessionId: LONG, state: 'finished', title: null }),
  ];
  await commitOne(store, madeDecision({ entryId: 'entry', at: now, sessions }));
  await store.close();
  await startDaemon(home);
  const cwd = join(home, LONG.slice(0, 240).replaceAll('/', '-'));
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), `ref: refs/heads/${LONG}\n`);
  const give = (input: object) => hook(home, JSON.stringify({ cwd, ...input }), ['--agent', 'claude']);
  await give({ session_id: 'a', hook_event_name: 'UserPromptSubmit', prompt: LONG });
  await give({ session_id: 'a', hook_event_name: 'StopFailure', error: 'server_error', message: LONG });
  await give({
    session_id: 'b',
    hook_event_name: 'Stop',
    last_assistant_message: `# ${LONG}\n\n- ${LONG}\n\n| ${LONG} | b |\n|---|---|\n| ${LONG} | \`${LONG}\` |`,
  });
  const asks = [
    { tool_name: 'Bash', tool_input: { command: `rm -rf ../${LONG} && ${LONG}`, description: LONG } },
    { tool_name: 'Edit', tool_input: { file_path: `/${LONG}`, old_string: LONG, new_string: `${LONG}1` } },
    { tool_name: `mcp__${LONG}`, tool_input: { [LONG]: LONG } },
    { tool_name: 'ExitPlanMode', tool_input: { plan: `# ${LONG}\n\n1. ${LONG}\n\n\`\`\`\n${LONG}\n\`\`\`\n` } },
    {
      tool_name: 'AskUserQuestion',
      tool_input: {
        questions: [
          {
            question: LONG,
            header: LONG,
            options: [
              { label: LONG, description: LONG },
              { label: 'b', description: LONG },
            ],
          },
        ],
      },
    },
    ...['x', 'y'].map(() => ({ tool_name: 'Bash', tool_input: { command: 'npm ci' } })),
  ];
  for (const [at, ask] of asks.entries()) {
    const asked = { ...permission(`q${at}`), cwd, ...ask };
    await startWaiting(home, asked);
    await give(asked);
  }
  const { call } = await visit(home);
  await call('mutes.add', { minutes: 60, cwd, reason: LONG.slice(0, 200) });
  const { page, origin, complaints } = await openPage(home, { viewport: { width: 768, height: 800 } });
  await until(async () => (await page.locator('.inbox-row').count()) >= asks.length + 1, 'all that waits');
  await expectWhole(page, 'inbox');
  const hrefs = await page
    .locator('.inbox-row')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('href') ?? ''));
  for (const href of hrefs) {
    await page.goto(`${origin}${href}`);
    await page.locator('[data-subject]').waitFor();
    const expand = page.locator('.expand');
    if ((await expand.count()) > 0) await expand.first().click();
    await page.locator('.inbox-subject .fold summary').click();
    await page.locator('.why-list li').first().waitFor();
    await expectWhole(page, `inbox ${await page.locator('.subject-head h2').innerText()}`);
  }
  const { events } = await call('events.list', { limit: 100 });
  const one = events.find(({ kind }) => kind === 'agent.waiting');
  for (const [path, shown] of [
    ['/sessions', '.card.session:nth-child(2)'],
    ['/sessions/working', '.happened'],
    [`/sessions/a`, '.happened li'],
    [`/sessions/q0`, '.happened li'],
    ['/events', '.rows li'],
    ['/events?q=wide', '.rows li'],
    [`/events/${one?.id}`, '.why-list li'],
    ['/deliveries', '.rows li'],
    [`/deliveries?channel=${encodeURIComponent(CHANNELS[0] ?? '')}`, '.rows li'],
    ['/channels', '.card'],
  ] as const) {
    await page.goto(`${origin}${path}`);
    await page.locator(shown).first().waitFor({ state: 'attached' });
    for (const fold of await page.locator('details:not([open]) > summary').all()) await fold.click();
    await expectWhole(page, path);
  }
  await page.goto(`${origin}/rules`);
  await page.getByLabel(/^A hook's input/).fill(JSON.stringify({ hook_event_name: 'Stop', session_id: LONG, cwd }));
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('It would go to').waitFor();
  const editor = page.getByRole('region', { name: 'Change the rules' });
  await editor.getByLabel('Change').selectOption({ index: 1 });
  await editor.getByRole('group', { name: 'Send to' }).getByRole('checkbox').first().uncheck();
  await editor.locator('.rule-changes li').first().waitFor();
  await expectWhole(page, 'rules');
  for (const show of [
    'models',
    'users',
    'activity',
    'tools',
    'productivity',
    'autonomy',
    'readiness',
    'controls',
    'computers',
    'limits',
  ]) {
    await page.goto(`${origin}/usage?show=${show}`);
    await page.locator('main :is(table, textarea)').first().waitFor();
    if ((await page.locator('figure.chart').count()) > 0) await page.locator('.chart canvas').waitFor();
    await expectWhole(page, `usage ${show}`);
  }
  expect(complaints).toEqual([]);
});
