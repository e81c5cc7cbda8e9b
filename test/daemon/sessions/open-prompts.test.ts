// The marker of open prompts: there before a prompt is written, gone after the last one, and right again after a start.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOpenPrompts } from '../../../src/daemon/sessions/open-prompts.ts';
import type { Notification } from '../../../src/model/notification/notification.ts';
import { madeNotification } from '../../support/made.ts';
import { temporaryFolder } from '../../support/home.ts';

function bench(stored: readonly Notification[] = []) {
  const marker = join(temporaryFolder(), 'prompt-open');
  const prompts = createOpenPrompts({
    marker,
    store: { notifications: async () => stored },
    log: () => undefined,
  });
  const write = (...notifications: readonly Notification[]) =>
    prompts.around({ notifications }, async () => 'written' as const);
  return { marker, prompts, write, there: () => existsSync(marker) };
}

const one = madeNotification();
const two = madeNotification({ id: 'ntf_0002', detail: 'question' });
const over = (notification: Notification): Notification => ({ ...notification, state: 'resolved' });

test('is there while a permission or a question is open', async () => {
  const { write, there } = bench();
  await write(madeNotification({ detail: 'idle' }));
  await write(madeNotification({ kind: 'agent.finished', detail: null }));
  expect(there()).toBe(false);
  await write(one);
  await write(two);
  await write(over(one));
  expect(there()).toBe(true);
  await write({ ...two, state: 'acknowledged' });
  expect(there()).toBe(true);
  await write(over(two));
  expect(there()).toBe(false);
});

test('is there before the decision is written, also while another resolves the last one', async () => {
  const { prompts, write, there } = bench();
  await write(one);
  await prompts.around({ notifications: [two] }, async () => {
    await write(over(one));
    expect(there()).toBe(true);
    return 'written';
  });
  expect(there()).toBe(true);
});

test.each(['already', 'conflict'] as const)('goes again when the decision is %s', async (result) => {
  const { prompts, there } = bench();
  await prompts.around({ notifications: [one] }, async () => result);
  expect(there()).toBe(false);
});

test('goes again when the decision cannot be written', async () => {
  const { prompts, there } = bench();
  const failed = prompts.around({ notifications: [one] }, () => Promise.reject(new Error('disk full')));
  await expect(failed).rejects.toThrow('disk full');
  expect(there()).toBe(false);
});

describe('a start', () => {
  test.each([
    ['makes it', [one], true],
    ['removes it', [], false],
  ] as const)('%s', async (_name, stored, expected) => {
    const { marker, prompts, there } = bench(stored);
    if (expected) rmSync(marker, { force: true });
    else writeFileSync(marker, '');
    await prompts.start();
    expect(there()).toBe(expected);
  });
});

test('stays however old a prompt is, and goes once the store says that it is over', async () => {
  const stored = [one];
  const { prompts, write, there } = bench(stored);
  await write(one);
  await prompts.review();
  expect(there()).toBe(true);
  stored.pop();
  await prompts.review();
  expect(there()).toBe(false);
});
