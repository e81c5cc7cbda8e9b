// `belfry continue`, by the built programs: what has stopped and what comes next, an instruction that is followed, one that is not, and what only a terminal takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitAsHook } from '../support/answering.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Row {
  readonly session_id: string;
  readonly cause: string;
  readonly next: string;
  readonly next_at: string | null;
}

const failure = (session: string, error: string, text: string): Record<string, unknown> => ({
  session_id: session,
  cwd: `/src/${session}`,
  hook_event_name: 'StopFailure',
  error,
  last_assistant_message: text,
});
const overload = (session: string) => failure(session, 'overloaded', 'API Error: 529 Overloaded');
const prompt = (session: string, text: string): Record<string, unknown> => ({
  session_id: session,
  cwd: `/src/${session}`,
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
});

const give = (home: string, input: Record<string, unknown>) => hook(home, JSON.stringify(input), ['--agent', 'claude']);
const stopped = async (home: string): Promise<readonly Row[]> =>
  (await asked<{ stopped: Row[] }>(home, ['continue', '--list'])).stopped;

/** Again and again until the settings that let it are in force. */
async function goesOn(home: string) {
  for (;;) {
    const ran = await belfry(home, ['continue', 'shop']);
    if (!ran.stdout.includes('[answer] kinds')) return ran;
  }
}

/** The id of the event that says so. */
const failureOf = async (home: string): Promise<string> =>
  (await asked<{ id: string; kind: string }[]>(home, ['events'])).find(({ kind }) => kind === 'session.failed')?.id ??
  '';

/** Its row says what comes next. */
const isNext = (home: string, session: string, next: string): Promise<unknown> =>
  until(
    async () => (await stopped(home)).some((row) => row.session_id === session && row.next === next),
    `${session} to be ${next}`,
  );

async function world(more = '') {
  const receiver = await startReceiver();
  const home = homeWith(webhookTo(receiver.url, more));
  await startDaemon(home);
  return home;
}

test('one that an overload stopped is given its instruction, and is said to go on once its prompt comes', async () => {
  const home = await world();
  await give(home, prompt('shop', 'Mend the cart'));
  await give(home, overload('shop'));
  const waiting = await waitAsHook(home, overload('shop'));
  await isNext(home, 'shop', 'ready');
  // One thing that waits, with its number.
  const listed = (await belfry(home, ['pending'])).stdout;
  expect(listed.match(/claude/gi)).toHaveLength(1);
  const [, number = ''] = /Let it go on: belfry continue (\d+)\n/.exec(listed) ?? [];
  expect((await belfry(home, ['continue', number, '--list'])).stdout).toMatch(/\tcan go on\tshop\n$/);
  // What is not allowed any more is not done.
  const settings = readFileSync(join(home, 'config.toml'), 'utf8');
  writeSettings(home, `${settings}\n[answer]\nkinds = []\n`);
  expect((await belfry(home, ['config', 'check'])).code).toBe(0);
  const notAllowed = async () => (await belfry(home, ['continue', 'shop'])).stdout;
  await until(async () => (await notAllowed()).includes('[answer] kinds does not let'), 'the settings to be in force');
  writeSettings(home, settings);
  const running = goesOn(home);
  const said = await waiting.next();
  expect(said?.data).toMatchObject({ reply: 'continue' });
  await give(home, prompt('shop', 'continue'));
  expect(await running).toMatchObject({ code: 0, stdout: 'shop: goes on\n', stderr: '' });
  expect(await stopped(home)).toEqual([]);
  const events = (await belfry(home, ['events', '--json'])).stdout;
  expect(events).toContain('"detail":"continued"');
  expect(events).toMatch(/It goes on after it had stopped for /);
  const failed = await failureOf(home);
  expect((await belfry(home, ['why', failed])).stdout).toMatch(/Claude goes on, after \d+ s\./);
  const { rows } = await (await visit(home)).call('sessions.timeline', { key: 'shop' });
  expect(rows.map(({ text }) => text)).toContainEqual(expect.stringMatching(/Claude goes on, after \d+ s$/));
});

test('an instruction that no prompt follows is said to be held, and is not given again', async () => {
  const home = await world();
  await give(home, prompt('shop', 'Mend the cart'));
  await give(home, overload('shop'));
  await waitAsHook(home, overload('shop'));
  await isNext(home, 'shop', 'ready');
  const ran = await belfry(home, ['continue']);
  expect(ran).toMatchObject({ code: 5, stderr: '' });
  expect(ran.stdout).toBe(
    'shop: did not go on: it was given its instruction, but no prompt followed; look at its terminal\n',
  );
  const again = await belfry(home, ['continue']);
  expect(again).toMatchObject({
    code: 5,
    stdout: 'shop: nothing was sent: only its terminal takes an instruction; type it there\n',
  });
});

test('what goes on by itself is listed with its time, and held with one command', async () => {
  const home = await world('\n[resume]\non = ["overloaded"]\n');
  await give(home, prompt('shop', 'Mend the cart'));
  await give(home, overload('shop'));
  const waiting = await waitAsHook(home, overload('shop'));
  await isNext(home, 'shop', 'planned');
  const id = await failureOf(home);
  expect((await belfry(home, ['why', id])).stdout).toMatch(/Belfry continues it at \d\d:\d\d\./);
  const [row] = await stopped(home);
  const minutes = (Date.parse(row?.next_at ?? '') - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(1);
  expect(minutes).toBeLessThan(2.5);
  expect(await belfry(home, ['continue', '--not-now'])).toMatchObject({
    code: 0,
    stdout: 'Belfry will not continue shop.\n',
  });
  expect((await stopped(home)).map(({ next }) => next)).toEqual(['ready']);
  waiting.close();
  await isNext(home, 'shop', 'terminal');
});

test('over HTTP it is the same: what became of it, what prevents it, and why not', async () => {
  const home = await world('\n[resume]\non = ["overloaded"]\n');
  const visitor = await visit(home);
  const goOn = (session: string, when: 'now' | 'reset' | 'never') =>
    visitor.call('sessions.continue', { key: session, when });
  await give(home, prompt('shop', 'Mend the cart'));
  await give(home, prompt('docs', 'Write the page'));
  await give(home, overload('shop'));
  const waiting = await waitAsHook(home, overload('shop'));
  await isNext(home, 'shop', 'planned');
  expect(await goOn('shop', 'never')).toEqual({ result: 'off', at: null, why: null });
  await expect(goOn('shop', 'reset')).rejects.toThrow('no limit stopped it');
  await expect(goOn('docs', 'now')).rejects.toThrow('no limit, server error or network error has stopped it');
  await expect(goOn('nobody', 'now')).rejects.toThrow('there is no such session');
  expect(await goOn('shop', 'now')).toMatchObject({
    result: 'held',
    why: expect.stringContaining('look at its terminal'),
  });
  waiting.close();
  await expect(goOn('shop', 'now')).rejects.toThrow('only its terminal takes an instruction');
});

test('what only a terminal takes, what has not stopped, and what is no time: nothing is sent', async () => {
  const home = await world();
  expect(await belfry(home, ['continue'])).toMatchObject({ code: 0, stdout: 'No session has stopped.\n' });
  await give(home, prompt('shop', 'Mend the cart'));
  await give(home, prompt('docs', 'Write the page'));
  await give(home, failure('shop', 'rate_limit', "You've hit your session limit · resets 11:59pm (UTC)"));
  await isNext(home, 'shop', 'terminal');
  expect(await belfry(home, ['continue', 'shop'])).toMatchObject({
    code: 5,
    stdout: 'shop: nothing was sent: only its terminal takes an instruction; type it there\n',
  });
  expect(await belfry(home, ['continue', 'docs'])).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^belfry continue: docs is no session that .* stopped: .*nothing was sent\n$/),
  });
  // The row of a limit means all sessions that it stopped.
  const [, number = ''] = /^(\d+)\s.*limit is reached/m.exec((await belfry(home, ['pending'])).stdout) ?? [];
  expect((await belfry(home, ['continue', number, '--list'])).stdout).toMatch(/^claude\tshop\t/);
  expect(await belfry(home, ['continue', '--at', 'noon'])).toMatchObject({ code: 2 });
  expect(await belfry(home, ['continue', '--list', '--not-now'])).toMatchObject({ code: 2 });
  const listed = await belfry(home, ['continue', '--list']);
  expect(listed.stdout).toMatch(/^claude\tshop\t5-hour limit, until .*\t.*\tonly in its terminal\tshop\n$/);
});
