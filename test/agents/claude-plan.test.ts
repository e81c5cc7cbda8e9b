// Claude's plan: read from the file that its input or its transcript names, whole or not at all, and handed back as it was shown.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { createFiles } from '../../src/files/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createPresentMounts } from '../../src/lib/mounts/present-mounts.ts';
import type { Answering } from '../../src/model/question/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { BELFRY } from '../support/programs.ts';

const PLAN = '# The plan\n1. touch notes.txt\n';
const answering = claude.answering as Answering;

function place() {
  const home = temporaryFolder();
  const folder = join(home, '.claude');
  const transcript = join(folder, 'projects', '-home-dev-project', 's.jsonl');
  const plan = join(folder, 'plans', 'plan-it-wren.md');
  for (const file of [transcript, plan]) mkdirSync(dirname(file), { recursive: true });
  const mounts = createPresentMounts(process.platform, Date.now);
  const program = join(dirname(BELFRY), 'file-reader.js');
  const files = createFiles({ clock: systemClock, mounts, program, log: () => undefined });
  onTestFinished(() => files.stop());
  const asked = (tool_input: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
    session_id: 's',
    hook_event_name: 'PermissionRequest',
    tool_name: 'ExitPlanMode',
    transcript_path: transcript,
    tool_input,
    ...more,
  });
  const read = async (input: Record<string, unknown>) => {
    const whole = (await answering.complete?.(input, files)) ?? input;
    const { text, partial } = answering.read(whole, { env: {} }) ?? {};
    return { text, partial, allow: JSON.parse(answering.print({ type: 'allow' }, whole)) as unknown };
  };
  return { home, transcript, plan, asked, read };
}

function written(path: string, text: string) {
  writeFileSync(path, text);
  return { planFilePath: path };
}

const record = (slug: unknown) => `${JSON.stringify({ type: 'user', slug })}\n`;
const allowing = (updatedInput?: object) => ({
  hookSpecificOutput: {
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'allow', ...(updatedInput && { updatedInput }) },
  },
});
const AT_TERMINAL = 'the plan is shown at the terminal only';

test('in the input alone', async () => {
  const { asked, read } = place();
  expect(await read(asked({ plan: PLAN }))).toEqual({ text: PLAN, partial: null, allow: allowing({ plan: PLAN }) });
});

test('in the file that the input names, as it is now', async () => {
  const { asked, read, plan } = place();
  writeFileSync(plan, '# Another\n');
  const input = { plan: PLAN, planFilePath: plan };
  const now = { plan: '# Another\n', planFilePath: plan };
  expect(await read(asked(input))).toEqual({ text: '# Another\n', partial: null, allow: allowing(now) });
});

test("in the session's file that the transcript names, the latest name, and a subagent's own", async () => {
  const { asked, read, plan, transcript } = place();
  writeFileSync(transcript, `${record('other')}not JSON\n${record('plan-it-wren')}${record(['x'])}\n`);
  expect(await read(asked({}))).toMatchObject({ partial: AT_TERMINAL });
  writeFileSync(plan, PLAN);
  expect(await read(asked({}))).toEqual({ text: PLAN, partial: null, allow: allowing({ plan: PLAN }) });
  expect(await read(asked({}, { agent_id: 'a1' }))).toMatchObject({ partial: AT_TERMINAL });
  writeFileSync(plan.replace('.md', '-agent-a1.md'), '# Mine\n');
  expect(await read(asked({}, { agent_id: 'a1' }))).toMatchObject({ text: '# Mine\n', partial: null });
});

test('what it is to be allowed besides is shown', async () => {
  const { asked, read } = place();
  const allowedPrompts = [{ tool: 'Bash', prompt: 'delete accounts' }];
  const { text } = await read(asked({ plan: PLAN, allowedPrompts }));
  expect(text).toContain(PLAN);
  expect(text).toContain('"delete accounts"');
});

test('a long plan in the input is whole', async () => {
  const { asked, read } = place();
  const plan = `${'step\n'.repeat(20_000)}rm -rf ~/`;
  expect(await read(asked({ plan }))).toMatchObject({ text: plan, partial: null });
});

test.each<[what: string, make: (at: ReturnType<typeof place>) => Record<string, unknown>]>([
  ['no file', ({ plan }) => ({ planFilePath: plan })],
  ['an empty one', ({ plan }) => written(plan, ' \n')],
  ['one that is too long', ({ plan }) => written(plan, 'x'.repeat(60_001))],
  [
    'a folder',
    ({ plan }) => {
      mkdirSync(plan);
      return { planFilePath: plan };
    },
  ],
  [
    'a pipe that nobody writes to',
    ({ plan }) => {
      execFileSync('mkfifo', [plan]);
      return { planFilePath: plan };
    },
  ],
  ['another kind of file', ({ home }) => written(join(home, 'key'), 'x')],
  ['a path from nowhere', () => ({ planFilePath: 'plan.md' })],
  ['a path of the wrong kind', ({ plan }) => ({ planFilePath: [written(plan, PLAN).planFilePath] })],
  [
    'a name that leads elsewhere',
    ({ transcript, plan, home }) => {
      writeFileSync(join(home, 'x.md'), PLAN);
      writeFileSync(transcript, record('../../x'));
      symlinkSync(join(home, 'none'), plan);
      return {};
    },
  ],
])('%s: answered at the terminal', async (_what, make) => {
  const at = place();
  expect(await at.read(at.asked(make(at)))).toMatchObject({ partial: AT_TERMINAL, allow: allowing() });
});
