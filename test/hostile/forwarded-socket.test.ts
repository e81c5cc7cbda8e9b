// `belfry.sock` forwarded by hand, by a real ssh and sshd: whoever is at the far end may report and send, and gives no command.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandLine, runIn, shellCalled } from '../support/callers.ts';
import { pathsBelow } from '../support/home.ts';
import { belfry, hook } from '../support/programs.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { homeWith, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { hostileHome } from './hostile-home.ts';

const AUTH = 3;
/** Each asks the daemon: what others find in the far account's own files is no business of this one. */
const COMMANDS = ['mute 1h --session s', 'unmute', 'away 5m', 'back', 'ack --all', 'test', 'dashboard --print', 'stop'];

let home = '';
beforeAll(async () => {
  ({ home } = await hostileHome());
});

test.each(['-R', '-L'] as const)(
  'ssh %s: events and send are taken, everything else is refused with words',
  async (way) => {
    const server = await startSshServer();
    if (server === null) return console.log('sshd is needed (openssh-server)');
    const far = homeWith('');
    const socket = pathsBelow(far).socket;
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    await server.forward(way, socket, pathsBelow(home).socket);

    const said: Record<string, unknown> = {};
    for (const words of COMMANDS) {
      const { code, stdout, stderr } = await belfry(far, words.split(' '));
      said[words] = [code, stdout + stderr];
    }
    const refused = [AUTH, expect.stringMatching(/is not taken from another machine .*terminal/)];
    expect(said).toEqual(Object.fromEntries(COMMANDS.map((words) => [words, refused])));
    // An agent there is none who may.
    const agent = await runIn(shellCalled('claude'), far, commandLine('mute 1h'));
    expect([agent.code, agent.stdout + agent.stderr]).toEqual([AUTH, expect.stringMatching(/agent|another machine/)]);
    expect((await belfry(home, ['mute', '--list', '--json'])).stdout).not.toContain('"until"');

    const status = await belfry(far, ['status']);
    expect([status.code, status.stdout]).toEqual([
      0,
      expect.stringMatching(/^running +elsewhere, .*\nsocket .*forwarded/),
    ]);
    const data = JSON.parse((await belfry(far, ['status', '--json'])).stdout) as Record<string, unknown>;
    expect(data).toMatchObject({ running: true, pid: null, settings: { file: pathsBelow(home).config } });

    const session = `from-afar-${way.slice(1)}`;
    expect((await hook(far, JSON.stringify(stop(session)))).code).toBe(0);
    await until(async () => (await belfry(home, ['events', '--json'])).stdout.includes(session), 'the event');
    expect((await belfry(far, ['send', `sent from afar ${way}`])).code).toBe(0);
    expect((await belfry(home, ['events', '--json'])).stdout).toContain(`sent from afar ${way}`);
    expect((await belfry(home, ['status'])).code).toBe(0);
  },
);
