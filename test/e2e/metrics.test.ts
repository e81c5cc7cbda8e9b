// Metrics: on a loopback port when switched on, by its own host names only; switched on and off while running.
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, stop, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

function get(port: number, path: string, host: string): Promise<{ status: number; body: string } | null> {
  return new Promise((resolve) => {
    const asked = request({ port, path, host: '127.0.0.1', headers: { host }, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('error', () => resolve(null));
    asked.end();
  });
}

test('counts what was accepted, suppressed, delivered and failed', async () => {
  const audit = await startReceiver();
  audit.answer = (_request, index) => (index === 0 ? 400 : 200);
  const port = await freePort();
  const settings = webhookTo(audit.url);
  const home = homeWith(settings);
  await startDaemon(home);
  expect(await get(port, '/metrics', 'localhost')).toBeNull();
  writeSettings(home, `${settings}\n[daemon]\nmetrics = "127.0.0.1:${port}"\n`);
  await until(() => get(port, '/metrics', 'localhost'), 'the metrics to be served');
  for (const session of ['a', 'b']) await hook(home, JSON.stringify(stop(session)));
  await hook(home, JSON.stringify({ ...stop('c'), hook_event_name: 'SubagentStop' }));
  await hook(home, 'not json');
  await audit.waitFor(2);
  const body = await until(async () => {
    const now = await get(port, '/metrics', `127.0.0.1:${port}`);
    return now?.body.includes('belfry_events_unreadable_total{') && now.body.includes('belfry_deliveries_total{')
      ? now.body
      : null;
  }, 'everything to be counted');
  for (const line of [
    /belfry_events_accepted_total\{source="(socket|spool)"\} [1-4]/,
    /belfry_events_suppressed_total\{reason="route"\} 1/,
    /belfry_deliveries_total\{channel="audit"\} 1/,
    /belfry_delivery_failures_total\{channel="audit",reason="client"\} 1/,
    /belfry_delivery_latency_seconds_count\{channel="audit"\} 1/,
    /belfry_outbox_deliveries\{state="dead"\} 1/,
  ])
    expect(body).toMatch(line);
  for (const host of ['evil.example', 'localhost.evil.example', `10.0.0.1:${port}`])
    expect((await get(port, '/metrics', host))?.status).toBe(403);
  expect((await get(port, '/nothing', 'localhost'))?.status).toBe(404);
  writeSettings(home, settings);
  await until(async () => (await get(port, '/metrics', 'localhost')) === null, 'the metrics to be gone');
});

test('a port that is taken at the start is served once it is free; so is one that is taken at a change', async () => {
  const other = createServer();
  const taken = async (): Promise<number> => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    return (other.address() as AddressInfo).port;
  };
  const free = (): Promise<unknown> => new Promise((resolve) => other.close(resolve));
  const settings = (port: number): string => `[daemon]\nmetrics = "127.0.0.1:${port}"\n`;
  const served = (port: number) => get(port, '/metrics', 'localhost');
  const log = (home: string): string => readFileSync(join(home, 'state', 'daemon.log'), 'utf8');

  const first = await taken();
  const home = homeWith(settings(first));
  await startDaemon(home);
  await until(() => log(home).includes('the HTTP interface cannot listen'), 'the port to be found taken');
  await free();
  await until(() => served(first), 'the metrics to be served at the first port');
  const second = await taken();
  writeSettings(home, settings(second));
  const refused = (): number => log(home).match(/the HTTP interface cannot listen/g)?.length ?? 0;
  await until(() => refused() === 2, 'the second port to be found taken');
  await until(async () => (await served(first)) === null, 'the first port to be given up');
  await free();
  await until(() => served(second), 'the metrics to be served at the second port');
  expect(refused()).toBe(2);
});
