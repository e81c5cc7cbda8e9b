// A plan that changes under an answer: what is allowed is what was shown, in each way, and nothing else is ever handed to the agent.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import type { AnswerWay } from '../support/answer-ways.ts';
import { command, openQuestion, waitAsHook } from '../support/answering.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { botHome } from './bot-home.ts';

const ALLOW = { type: 'allow' };
const SHOWN = '1. touch notes.txt\n';
const OTHER = '1. rm -rf ~/\n';

/** A daemon with a bot that may answer, and a plan in its file that somebody is asked about. */
async function planned() {
  const { way, home } = await botHome();
  const transcript = join(home, '.claude', 'projects', '-project', 's.jsonl');
  const plan = join(home, '.claude', 'plans', 'calm-wren.md');
  for (const file of [transcript, plan]) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(transcript, `${JSON.stringify({ type: 'user', slug: 'calm-wren' })}\n`);
  writeFileSync(plan, SHOWN);
  const input = {
    session_id: 's',
    cwd: '/tmp',
    hook_event_name: 'PermissionRequest',
    tool_name: 'ExitPlanMode',
    tool_input: {},
    transcript_path: transcript,
  };
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input, startedAt);
  const question = await openQuestion(home, 's');
  expect(question.subject).toMatchObject({ text: SHOWN, partial: null });
  const page = await visit(home);
  const post = async (seen: string, answer: object = ALLOW) => {
    const response = await fetch(`${page.origin}${BASE}/questions/${question.id}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json', 'x-belfry': '1' },
      body: JSON.stringify({ answer, seen }),
    });
    return { status: response.status, ...((await response.json()) as { detail?: string; question?: PlanRow }) };
  };
  /** The plan that was handed to the agent. */
  const handed = async (): Promise<unknown> => {
    const printed = JSON.parse(String((await talk.next())?.data?.['stdout'])) as Printed;
    const { behavior, updatedInput } = printed.hookSpecificOutput.decision;
    return behavior === 'allow' ? updatedInput?.plan : behavior;
  };
  const seen = seenOf(question);
  return { way, home, plan, question, seen, page, post, handed };
}

interface PlanRow {
  readonly seen: string;
  readonly answers: readonly string[];
  readonly subject: { readonly text: string };
}

interface Printed {
  readonly hookSpecificOutput: {
    readonly decision: { readonly behavior: string; readonly updatedInput?: { readonly plan: string } };
  };
}

/** The message of the chat with this in it and an Allow. */
const allowIn = (way: AnswerWay, part: string) =>
  until(
    () =>
      way
        .shown()
        .findLast(({ text }) => text.includes(part))
        ?.buttons.find(({ label }) => label === 'Allow')?.value,
    `a message of ${part} with Allow`,
  );

test('over HTTP, a plan that changed after it was shown is not allowed, and comes back as it is now', async () => {
  const { plan, seen, post, handed } = await planned();
  writeFileSync(plan, OTHER);
  const refused = await post(seen);
  expect(refused).toMatchObject({
    status: 412,
    detail: expect.stringContaining('has changed since it was shown'),
    question: { subject: { text: OTHER }, answers: ['allow', 'deny'], seen: expect.any(String) },
  });
  expect(refused.question?.seen).not.toBe(seen);
  expect((await post(seen)).status).toBe(412);
  // Who has seen the new one may allow that.
  expect((await post(refused.question?.seen ?? '')).status).toBe(200);
  expect(await handed()).toBe(OTHER);
});

test('by the socket and the command line, a plan that changed after it was shown is not allowed', async () => {
  const { home, plan, question, seen, handed } = await planned();
  writeFileSync(plan, OTHER);
  const given = { id: question.id, seen, answer: ALLOW, pid: process.pid };
  const line = await command(home, 'answer', given);
  expect([line?.exit, line?.error]).toEqual([5, expect.stringContaining('has changed since it was shown')]);
  // It changes back: what was handed out with it is another value all the same, until it is shown again.
  writeFileSync(plan, SHOWN);
  expect((await command(home, 'answer', given))?.exit).toBe(5);
  const denied = await belfry(home, ['answer', question.id, 'deny']);
  expect([denied.code, await handed()]).toEqual([0, 'deny']);
});

test('in a chat, a plan that changed after it was shown is not allowed, and is shown as it is now', async () => {
  const { way, plan, handed } = await planned();
  const old = await allowIn(way, 'touch notes.txt');
  writeFileSync(plan, OTHER);
  await way.press(old);
  await until(
    () => way.lineTo?.().some((line) => line.includes('has changed since it was shown')),
    'the line about it',
  );
  const fresh = await allowIn(way, 'rm -rf ~/');
  expect(fresh).not.toBe(old);
  // The button of before is of what is no longer there.
  writeFileSync(plan, SHOWN);
  await way.press(old);
  await until(
    () => way.lineTo?.().some((line) => line.includes('not made by this Belfry')),
    'the line about the button',
  );
  writeFileSync(plan, OTHER);
  await way.press(fresh);
  expect(await handed()).toBe(OTHER);
});

test('a plan that cannot be read any more is allowed by no way', async () => {
  const { way, home, plan, question, seen, page, post, handed } = await planned();
  rmSync(plan);
  expect(await post(seen)).toMatchObject({ status: 412, question: { answers: ['deny'] } });
  const [now] = (await page.call('questions.list', {})).questions;
  expect(now?.subject).toMatchObject({ partial: 'the plan is shown at the terminal only' });
  expect((await post(now?.seen ?? '')).status).toBe(400);
  expect((await belfry(home, ['answer', question.id, 'allow'])).code).toBe(2);
  await until(() => !JSON.stringify(way.shown()).includes('"Allow"'), 'the Allow of the chat to go');
  expect((await post(now?.seen ?? '', { type: 'deny' })).status).toBe(200);
  expect(await handed()).toBe('deny');
});

test('a plan that changes at the moment of two answers: the one that is handed over is the one that was shown', async () => {
  const { plan, seen, post, handed } = await planned();
  const answers = Array.from({ length: 8 }, async (_none, at) => {
    if (at === 3) writeFileSync(plan, OTHER);
    return post(seen);
  });
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  if (!statuses.includes(200)) {
    const { question } = await post(seen);
    expect((await post(question?.seen ?? '')).status).toBe(200);
    return expect(await handed()).toBe(OTHER);
  }
  expect(await handed()).toBe(SHOWN);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});
