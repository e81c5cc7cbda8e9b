// Listeners: in order, each for itself; one that throws, hangs or is slow costs nobody else anything.
import { expect, test } from 'vitest';
import { type DaemonEvent, createEventBus } from '../../../src/daemon/shared/event-bus.ts';
import { until } from '../../support/wait.ts';

const taken = (source: string): DaemonEvent => ({ type: 'taken', what: 'accepted', source });
const sourceOf = (news: DaemonEvent): string => (news.type === 'taken' ? news.source : news.type);

test.each<[string, (heard: string[]) => (news: DaemonEvent) => void | Promise<void>]>([
  ['throws', () => () => JSON.parse('{')],
  ['rejects', () => async () => JSON.parse('{')],
  ['never ends', () => () => new Promise(() => undefined)],
])('one that %s does not keep the news from whoever publishes, nor from the others', async (_how, bad) => {
  const logged: string[] = [];
  const desk = createEventBus((message) => void logged.push(message));
  const heard: string[] = [];
  desk.subscribe(bad(heard));
  desk.subscribe((news) => void heard.push(sourceOf(news)));
  for (const source of ['a', 'b', 'c']) expect(() => desk.publish(taken(source))).not.toThrow();
  await until(() => heard.length === 3, 'the other one to hear all');
  expect(heard).toEqual(['a', 'b', 'c']);
});

test('a slow one hears what still fits its queue, in order, and the log says how many it missed', async () => {
  const logged: unknown[] = [];
  const desk = createEventBus((message, fields) => void logged.push([message, fields]));
  const heard: number[] = [];
  let go = (): void => undefined;
  const first = new Promise<void>((resolve) => (go = resolve));
  desk.subscribe(async (news) => {
    heard.push(Number(sourceOf(news)));
    await first;
  });
  desk.publish(taken('0'));
  await until(() => heard.length === 1, 'the first to be heard');
  for (let n = 1; n <= 1_500; n++) desk.publish(taken(String(n)));
  go();
  await until(() => heard.at(-1) === 1_500, 'the last to be heard');
  expect(heard).toEqual([0, ...Array.from({ length: 1_000 }, (_, i) => i + 501)]);
  await until(() => logged.length === 1, 'the log');
  expect(logged).toEqual([[expect.stringContaining('too slow'), { dropped: 500 }]]);
});

test('who has ended hears nothing more', async () => {
  const desk = createEventBus(() => undefined);
  const heard: string[] = [];
  const end = desk.subscribe((news) => void heard.push(sourceOf(news)));
  desk.publish(taken('dropped with its queue'));
  end();
  desk.publish(taken('too late'));
  desk.subscribe((news) => void heard.push(sourceOf(news)));
  desk.publish(taken('heard'));
  await until(() => heard.length > 0, 'the one that listens');
  expect(heard).toEqual(['heard']);
});
