// The real clients, offline against a local model: installed hooks, a real run, the notification in a real notification server.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { CLIENTS, obtain } from './clients.ts';
import { startModelServer } from './model-server.ts';

const PLUGINS = new URL('../../installers/plugins', import.meta.url).pathname;
const ANSWER = 'All 12 tests pass now.';
/** Nothing but this machine can be reached. */
const OFFLINE = {
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
};

/** A desktop, or why there is none. */
async function desktopHere(): Promise<VirtualDesktop | string> {
  try {
    return await startVirtualDesktop();
  } catch (error) {
    return `no virtual desktop here (Xvfb, dbus-daemon and dunst are needed): ${String(error)}`;
  }
}

/** Kinds of the events in the journal, oldest first. */
async function kinds(home: string): Promise<string[]> {
  const { stdout } = await belfry(home, ['events', '--json']);
  const value: unknown = JSON.parse(stdout);
  const list = (Array.isArray(value) ? value : ((value as { events?: unknown }).events ?? [])) as { kind: string }[];
  return list.map((event) => event.kind);
}

it.each(CLIENTS)('$name: a real run is told on a real desktop, once', async (client) => {
  const folder = temporaryFolder();
  const had = await obtain(client, folder);
  if ('reason' in had) return console.log(had.reason);
  const desktop = await desktopHere();
  if (typeof desktop === 'string') return console.log(desktop);
  onTestFinished(() => desktop.close());

  const model = await startModelServer(ANSWER);
  const home = temporaryFolder('belfry-home-');
  const project = join(home, 'payments');
  mkdirSync(project);
  const settings = join(home, client.settings);
  mkdirSync(dirname(settings), { recursive: true });
  const before = `${JSON.stringify(client.before(model.url), null, 2)}\n`;
  writeFileSync(settings, before);
  const env = { ...OFFLINE, ...client.env(model.url), PATH: `${had.path}${delimiter}${process.env['PATH']}` };
  await run('git', ['init', '-q', project], bareEnv(home));

  const installed = await belfry(home, ['install', client.name], { env });
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  await startDaemon(home, { env: { ...desktop.env } });
  const called = (args: readonly string[]) =>
    run(client.name, args, bareEnv(home, { ...env, TERM: 'dumb' }), { cwd: project, limit: 180_000 });
  /** One run of the client, up to the end of its session; returns everything the desktop was told until then. */
  const told = async (runs: number) => {
    const ran = await called(client.args);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(ANSWER);
    const ends = async () => (await kinds(home)).filter((kind) => kind === 'session.ended').length;
    await until(async () => (await ends()) === runs, 'the end of the session in the journal');
    await until(async () => (await desktop.displayed()) > 0, 'a notification on the desktop');
    return desktop.shown();
  };
  const finish = expect.objectContaining({
    summary: expect.stringMatching(new RegExp(`^payments: ${client.title} finished`)),
    body: expect.stringContaining(ANSWER),
    urgency: 'normal',
  });

  const shown = await told(1);
  console.log(
    `${client.name} ${client.version}: ${JSON.stringify(shown)}\n  journal: ${(await kinds(home)).join(', ')}`,
  );
  expect(shown).toEqual([finish]);

  const removed = await belfry(home, ['uninstall', client.name], { env });
  expect(removed, removed.stderr).toMatchObject({ code: 0 });
  const after = readFileSync(settings, 'utf8');
  expect(after).not.toContain('belfry');
  if (!client.rewritesSettings) expect(after).toBe(before);

  // The same hooks once more, as the client's plugin.
  for (const args of client.plugin(join(PLUGINS, client.name))) {
    const added = await called(args);
    expect(added, `${added.stdout} ${added.stderr}`).toMatchObject({ code: 0 });
  }
  expect(await told(2)).toEqual([finish, finish]);
});
