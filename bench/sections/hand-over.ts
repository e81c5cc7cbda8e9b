// From a hook to a receiver: how long until a webhook arrives.
import { join } from 'node:path';
import { type BenchHome, DIST, openHome, startDaemon, startReceiver, timeHook } from '../home.ts';
import { type Measure, quantile, type Section, spread } from '../measure.ts';

type Way = readonly [name: string, argv: (home: BenchHome) => readonly string[], env: NodeJS.ProcessEnv];

const WAYS: readonly Way[] = [
  ['fast', (home) => ['/bin/sh', '-c', home.command('fast')], {}],
  ['socket', () => [process.execPath, join(DIST, 'belfry-hook.cjs'), '--agent', 'generic'], {}],
];

async function handOver(full: boolean): Promise<Measure[]> {
  const receiver = await startReceiver();
  const home = openHome(`[channels.bench]
type = "webhook"
url = "${receiver.url}"
allow_private = true

[[routes]]
to = ["bench"]
`);
  const daemon = await startDaemon(home);
  try {
    const times = WAYS.map(() => ({ whole: [] as number[], after: [] as number[] }));
    for (let i = 0; i < (full ? 200 : 25); i++)
      for (const [index, [name, argv]] of WAYS.entries()) {
        const [whole, after] = await timeHook(home, receiver, argv(home), `${name}-${i}`);
        times[index]?.whole.push(whole);
        times[index]?.after.push(after);
      }
    return WAYS.flatMap(([name], index) => {
      const { whole = [], after = [] } = times[index] ?? {};
      const met = quantile(after, 0.5) <= 20 && quantile(after, 0.99) <= 100;
      return [
        spread('hand-over', `${name}: hook's start to receiver`, 'ms', whole),
        spread('hand-over', `${name}: hook's end to receiver`, 'ms', after, { goal: 'p50 <= 20, p99 <= 100', met }),
      ];
    });
  } finally {
    await daemon.stop();
    receiver.close();
    home.remove();
  }
}

export const HAND_OVER_SECTIONS: readonly Section[] = [
  {
    name: 'hand-over',
    about: 'One event at a time, through journal, pipeline and outbox to a webhook on this machine.',
    run: ({ full }) => handOver(full),
  },
];
