// An address of the HTTP interface that another program has: status and doctor say so, until it is free.
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { bareEnv, belfry, startDaemon } from '../support/programs.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('a port that is taken', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const port = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
  );
  const address = `127.0.0.1:${port}`;
  const home = homeWith(`[http]\nlisten = ["${address}"]\n`);
  await startDaemon(home);
  const env = bareEnv(home);
  const refused = `the HTTP interface cannot listen on ${address}: another program may have the port`;
  const status = () => asked<{ http: readonly string[]; http_refused: readonly string[] }>(home, ['status']);
  expect(await status()).toMatchObject({ http: [], http_refused: [address] });
  expect((await belfry(home, ['status'], { env })).stdout).toMatch(new RegExp(`^HTTP +${refused}; free it`, 'm'));
  const doctor = await belfry(home, ['doctor'], { env });
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(refused)]);
  await new Promise((resolve) => other.close(resolve));
  await until(async () => (await status()).http.includes(address), 'the interface');
  expect((await status()).http_refused).toEqual([]);
  expect((await belfry(home, ['status'], { env })).stdout).toMatch(new RegExp(`^http +listens on ${address}$`, 'm'));
});
