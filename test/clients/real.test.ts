// The real clients, offline against a local model: installed hooks, a real run, the notification in a real notification server.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { CLIENTS } from './clients.ts';
import { startModelServer } from './model-server.ts';
import { obtain } from './obtain.ts';

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

/** Deliveries that are still to be made. */
async function waiting(home: string): Promise<number> {
  const { stdout } = await belfry(home, ['deliveries', '--json']);
  return (JSON.parse(stdout) as { state: string }[]).filter(({ state }) => state === 'pending' || state === 'leased')
    .length;
}

it.each(CLIENTS)(
  '$name: real runs are notified on a real desktop: by settings, refused, by plugin, killed',
  async (client) => {
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
    let earlier = 0;
    /** Waits for the end of that session; returns everything the desktop got until then. */
    const ended = async (session: number) => {
      const ends = async () => (await kinds(home)).filter((kind) => kind === 'session.ended').length;
      await until(async () => (await ends()) === session, 'the end of the session in the journal');
      // It may have expired: a client takes its time from its finish to its end.
      await until(async () => (await desktop.total()) > earlier, 'a notification on the desktop');
      await until(async () => (await waiting(home)) === 0, 'every delivery to be made');
      const shown = await desktop.shown();
      earlier = shown.length;
      return shown;
    };
    /** One run of the client that succeeds. */
    const notified = async (session: number) => {
      const ran = await called(client.args);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stdout).toContain(ANSWER);
      return ended(session);
    };
    const finish = expect.objectContaining({
      summary: expect.stringMatching(new RegExp(`^payments: ${client.title} finished`)),
      body: expect.stringContaining(ANSWER),
      urgency: 'normal',
    });

    const shown = await notified(1);
    console.log(
      `${client.name} ${client.version}: ${JSON.stringify(shown)}\n  journal: ${(await kinds(home)).join(', ')}`,
    );
    expect(shown).toEqual([finish]);

    // Refused by its model's service.
    model.behaviour = 'refuse';
    await called(client.args);
    const refused = (await ended(2)).slice(1);
    console.log(`${client.name} refused: ${JSON.stringify(refused)}\n  journal: ${(await kinds(home)).join(', ')}`);
    expect(refused.map((one) => `${one.summary} [${one.urgency}]`)).toEqual([expect.stringMatching(client.refused)]);
    expect(refused[0]?.body).toMatch(/api.key/i);
    model.behaviour = 'answer';

    const removed = await belfry(home, ['uninstall', client.name], { env });
    expect(removed, removed.stderr).toMatchObject({ code: 0 });
    const after = readFileSync(settings, 'utf8');
    expect(after).not.toContain('belfry');
    if (!client.rewritesSettings) expect(after).toBe(before);

    // The same hooks once more, as the client's plugin.
    for (const line of agentByName(client.name)?.plugin?.install(join(PLUGINS, client.name)) ?? []) {
      const added = await run('sh', ['-c', line], bareEnv(home, env), { cwd: project, limit: 180_000 });
      expect(added, `${added.stdout} ${added.stderr}`).toMatchObject({ code: 0 });
    }
    expect((await notified(3)).slice(1 + refused.length)).toEqual([finish]);

    // Killed in the middle of work: no event says so.
    model.behaviour = 'hang';
    const { asked } = model;
    const child = spawn(join(had.path, client.name), [...client.args], {
      env: bareEnv(home, { ...env, TERM: 'dumb' }),
      cwd: project,
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await until(() => model.asked > asked, 'the client to ask its model', 60_000);
    child.kill('SIGKILL');
    await until(async () => (await desktop.displayed()) > 0, 'the notification of its death', 60_000);
    const gone = (await desktop.shown()).slice(2 + refused.length);
    console.log(`${client.name} killed: ${JSON.stringify(gone)}`);
    expect(gone).toEqual([
      expect.objectContaining({ summary: `payments: ${client.title} is gone`, urgency: 'critical' }),
    ]);
  },
);
