// What people read of every captured input: title, body, the desktop's lines and Slack's text, and Markdown taken off.
import { describe, expect, it, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { briefBody, readableBody } from '../../src/channels/shared/readable-body.ts';
import { toDesktopNotification } from '../../src/channels/desktop/freedesktop.ts';
import { slackMessage } from '../../src/channels/shared/slack.ts';
import { stripMarkdown } from '../../src/lib/text/markdown.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import { createState } from '../../src/pipeline/what-happened/classify.ts';
import { noFacts, render } from '../../src/pipeline/index.ts';
import { hints } from '../contracts/agent.ts';
import { madeContent, madeEvent, madeSession } from '../support/made.ts';
import { samples } from '../support/samples.ts';

/** A session that was asked something a while ago, in a repository on a branch. */
const FACTS = {
  same: null,
  reportsByOthers: [],
  silences: [],
  process: null,
  home: '/home/dev',
  place: { project: 'project', branch: 'main' },
};
const STARTED = Date.UTC(2026, 5, 1, 12);

function contentOf(agentName: string, event: string, input: Record<string, unknown>): NotificationContent | null {
  const agent = agents.find(({ name }) => name === agentName);
  if (!agent) throw new Error(`no agent ${agentName}`);
  const parsed = agent.parse(input, hints(agent, { event }));
  if (parsed.kind === 'agent.other' || parsed.isSignal || parsed.signal === 'started') return null;
  const record = madeSession({
    agent: agentName,
    turnStarted: STARTED - 125_000,
    memory: { request: 'Build the release and tell me what is left' },
  });
  const incoming = {
    type: 'hook' as const,
    agent: agent.name,
    host: 'box',
    user: 'dev',
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: '',
    entryId: 'e-1',
    source: 'socket' as const,
    startedAt: STARTED,
    receivedAt: STARTED,
  };
  const { event: made } = createState(incoming, { ...noFacts(FACTS.home), ...FACTS, record });
  return render(made, { messages: [] }, agent.title);
}

/** The blocks of a Slack message as the client shows them: bold header, fields as `name: value`, bars as `|`. */
function slackText(content: NotificationContent): string {
  type Text = { text: string };
  type Block = { text?: Text; fields?: Text[]; elements?: Text[] };
  const message = slackMessage(content) as unknown as { blocks: Block[]; attachments?: { blocks: Block[] }[] };
  const lines = (blocks: Block[]) =>
    blocks.flatMap(({ text, fields, elements }) => [
      ...(text?.text.split('\n') ?? []),
      ...(fields === undefined ? [] : [fields.map((field) => field.text).join('   ')]),
      ...(elements ?? []).map((element) => `> ${element.text}`),
    ]);
  const red = (message.attachments ?? []).flatMap(({ blocks }) => lines(blocks)).map((line) => `| ${line}`);
  return [...lines(message.blocks), ...red].join('\n');
}

const indented = (text: string): string => text.replace(/^/gm, '    ').replaceAll(/ +$/gm, '');

describe('captured inputs', () => {
  const shown = samples().flatMap((sample) => {
    const content = contentOf(sample.agent, sample.event, sample.input);
    return content === null ? [] : [{ name: `${sample.agent} ${sample.event}-${sample.scenario}`, content }];
  });

  it('are the texts of the table, word for word', async () => {
    expect(shown.length).toBeGreaterThan(40);
    const table = shown.map(({ name, content }) => {
      const { summary, body } = toDesktopNotification(content, false);
      const parts = [
        ['title', content.title],
        ['body', content.body],
        ['desktop', `${summary}\n${body}`],
        ['slack', slackText(content)],
      ];
      return [`## ${name}`, ...parts.flatMap(([what, text]) => ['', `${what}:`, '', indented(text ?? '')])].join('\n');
    });
    await expect(`${table.join('\n\n')}\n`).toMatchFileSnapshot('../fixtures/notification-texts.md');
  });

  it.each(shown)('$name: four lines at most, and nothing twice', ({ content }) => {
    const { summary, body } = toDesktopNotification(content, false);
    const lines = body.split('\n');
    expect(lines.length).toBeLessThanOrEqual(4);
    expect(body.length).toBeLessThanOrEqual(260);
    expect(new Set(lines).size).toBe(lines.length);
    for (const line of lines) if (line.includes(' ')) expect(summary).not.toContain(line);
  });
});

describe('Markdown', () => {
  test.each([
    ['# Done\n\nAll **34** tests pass, see `src/app.ts`.', 'Done\n\nAll 34 tests pass, see src/app.ts.'],
    ['- one\n* two\n+ three\n1. four', '- one\n- two\n- three\n1. four'],
    ['See [the docs](https://example.com/a) and ![a chart](c.png).', 'See the docs and a chart.'],
    ['```ts\nconst a = b ** c * d;\n```\nDone.', 'const a = b ** c * d;\nDone.'],
    ['| file | state |\n|---|:-:|\n| a.ts | ok |', 'file · state\na.ts · ok'],
    ['> quoted\n---\n***\nend', 'quoted\nend'],
    ['*very* _well_ ~~not~~ **bold with `code`**', 'very well not bold with code'],
    ['src/**/test/**/*.ts and *.ts,*.js and 2*3*4', 'src/**/test/**/*.ts and *.ts,*.js and 2*3*4'],
    ['snake_case_name, __init__.py, a_b and _', 'snake_case_name, __init__.py, a_b and _'],
    ['`**/*.ts` stays', '**/*.ts stays'],
    ['-rf "x" \'y\' <b>bold</b> & a|b', '-rf "x" \'y\' <b>bold</b> & a|b'],
    ['|', '|'],
    ['``', '``'],
  ])('%j', (text, plain) => {
    expect(stripMarkdown(text)).toBe(plain);
  });

  test('a command is not Markdown, nor is what somebody sent', () => {
    const body = 'rm -rf `pwd`/**/*.o\n# a comment';
    const asks = madeEvent({ kind: 'agent.waiting', detail: 'permission', branch: null });
    expect(readableBody(madeContent({ body, event: asks }))).toBe(body);
    const sent = madeEvent({ kind: 'test', presetText: { title: 'T', body }, branch: null });
    expect(briefBody(madeContent({ body, event: sent }))).toBe(body);
  });
});

describe('on a small display', () => {
  const brief = (body: string) => briefBody(madeContent({ body, event: madeEvent({ branch: null }) }));

  test('whole sentences, when they fill half of it', () => {
    const sentence = 'The build is green again and the release notes are written. ';
    expect(brief(sentence.repeat(9))).toBe(sentence.repeat(4).trim());
  });

  test('otherwise as much as fits', () => {
    const text = brief('x'.repeat(1_000));
    expect(text).toHaveLength(240);
    expect(text.endsWith('…')).toBe(true);
  });

  test('many lines: the first four, and a sign that there are more', () => {
    expect(brief('one\n\ntwo\n\nthree\nfour.\nfive')).toBe('one\ntwo\nthree\nfour…');
  });

  test('hostile lengths take no time', () => {
    const started = performance.now();
    for (const text of [
      '*'.repeat(64_000),
      '['.repeat(64_000),
      '`a'.repeat(32_000),
      '|'.repeat(64_000),
      '**a '.repeat(16_000),
      '_a'.repeat(32_000),
    ])
      brief(text);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
