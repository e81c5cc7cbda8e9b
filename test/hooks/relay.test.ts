// hooks/relay.sh in the shells that a machine elsewhere may have, with the shell hook that leaves it something.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, test } from 'vitest';
import { parseTmux, type TmuxPlace, tmuxQuestion } from '../../src/lib/programs/tmux.ts';
import { type FarTmux, readFarFile, readFarTmux, toRelay } from '../../src/sources/remote/protocol.ts';
import { startTime } from '../../src/runtime/process-table.ts';
import { FAST, machine, SHELLS } from '../support/far-shells.ts';
import { run } from '../support/programs.ts';
import { startTmux } from '../support/tmux-server.ts';
import { until } from '../support/wait.ts';

describe.each(SHELLS)('$name', (shell) => {
  test('hands over what a hook leaves, removes what is confirmed, and says what runs', async () => {
    const far = machine(shell);
    const relay = far.relay();
    expect(await relay.hello()).toMatchObject({
      type: 'hello',
      user: 'ada',
      shell: shell.name === 'bash' ? 'bash' : 'sh',
    });
    await far.hook('{"n":1}');
    await relay.batches(1);
    expect(relay.files()).toEqual(['{"n":1}']);
    const file = relay.said.find((one) => one.type === 'file');
    expect(file).toMatchObject({
      file: { ancestors: expect.arrayContaining([expect.objectContaining({ pid: process.pid })]) },
    });
    relay.ok();
    await until(() => readdirSync(join(far.folder(), 'out')).length === 0, 'what is confirmed to be removed');
    relay.send(
      toRelay.ping(7, '0', [
        { pid: relay.pid, start: startTime(relay.pid) ?? '' },
        { pid: relay.pid, start: '1' },
      ]),
    );
    expect(await until(() => relay.said.find((one) => one.type === 'pong' && one.number === 7), 'the answer')).toEqual({
      type: 'pong',
      number: 7,
      runs: [true, false],
    });
    relay.send(toRelay.open(true));
    await until(() => existsSync(join(far.folder(), 'run/prompt-open')), 'the mark');
    relay.send(toRelay.open(false));
    await until(() => !existsSync(join(far.folder(), 'run/prompt-open')), 'the mark to go');
    relay.end();
    await relay.ended();
    expect(existsSync(join(far.folder(), 'run/alive'))).toBe(false);
  });

  test('it ends when it hears nothing any more, also while hooks go on to signal', async () => {
    const far = machine(shell);
    const relay = far.hasty();
    await relay.hello();
    let isOver = false;
    void relay.ended().then(() => {
      isOver = true;
    });
    await until(async () => {
      try {
        process.kill(relay.pid, 'SIGURG');
      } catch {
        // it has ended, which its output says a moment later
      }
      return isOver;
    }, 'its end');
    expect(existsSync(join(far.folder(), 'run/alive'))).toBe(false);
  });

  test('a signal while it hands over is looked after next, and breaks nothing off', async () => {
    const far = machine(shell);
    const relay = far.relay();
    await relay.hello();
    // Each file that is handed over meets a signal of another hook.
    far.interrupt('cat');
    for (const n of [1, 2, 3]) {
      await far.hook(`{"n":${n}}`);
      await relay.batches(n);
      relay.ok();
    }
    expect(relay.files()).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(existsSync(join(far.folder(), 'run/alive'))).toBe(true);
  });

  test('what was not confirmed comes again, in order, and before what came later', async () => {
    const far = machine(shell);
    const first = far.relay();
    await first.hello();
    for (const n of [1, 2, 3]) {
      await far.hook(`{"n":${n}}`);
      await first.batches(n);
    }
    process.kill(first.pid, 'SIGKILL');
    await first.ended();
    for (const n of [4, 5]) await far.hook(`{"n":${n}}`);
    const second = far.relay();
    await until(() => second.files().length === 5, 'all files');
    expect(second.files()).toEqual([1, 2, 3, 4, 5].map((n) => `{"n":${n}}`));
    expect(second.seqs().slice(0, 3)).toEqual(first.seqs());
    expect(second.seqs()).toEqual(second.seqs().toSorted());
  });

  test('no more than four batches are under way; what waits comes once they are confirmed', async () => {
    const far = machine(shell);
    const relay = far.relay();
    await relay.hello();
    for (const n of [1, 2, 3, 4]) {
      await far.hook(`{"n":${n}}`);
      await relay.batches(n);
    }
    await far.hook('{"n":5}');
    await far.hook('{"n":6}');
    relay.send(toRelay.ping(1, '0', []));
    await until(() => relay.said.some((one) => one.type === 'pong' && one.number === 1), 'the answer');
    expect([relay.files().length, far.spool().length]).toEqual([4, 2]);
    relay.ok();
    await until(() => relay.files().length === 6, 'the rest');
    expect(relay.files().slice(4)).toEqual(['{"n":5}', '{"n":6}']);
  });

  test('another owner is refused until it takes over; a relay ends the one before it', async () => {
    const far = machine(shell);
    const first = far.relay();
    await first.hello();
    expect(await far.relay('other').hello()).toMatchObject({ type: 'refused', by: 'ADA' });
    const second = far.relay('other', 'take');
    expect(await second.hello()).toMatchObject({ type: 'hello' });
    await first.ended();
    await far.hook('{"n":1}');
    await until(() => second.files().length === 1, 'the file');
    expect(first.files()).toEqual([]);
  });

  test('looks at the end of a plain file below the home folder, and at nothing else', async () => {
    const far = machine(shell);
    const folder = join(far.home, 'a folder', "it's");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'transcript \n%d\\n.jsonl');
    writeFileSync(file, `${'x'.repeat(100)}the end\n`);
    symlinkSync('/etc', join(far.home, 'out'));
    symlinkSync(file, join(far.home, 'link'));
    spawnSync('mkfifo', [join(far.home, 'pipe')]);
    const relay = far.relay();
    await relay.hello();
    let number = 0;
    const look = async (path: string, most = 8): Promise<unknown> => {
      number += 1;
      relay.send(toRelay.look(number, path, most));
      return readFarFile(await until(() => relay.seen(number), path, 20_000));
    };
    const { mtimeMs } = statSync(file);
    const seen = (end: string) => ({
      size: 108,
      modified: Math.floor(mtimeMs / 1_000) * 1_000,
      now: expect.any(Number),
      end: Buffer.from(end),
    });
    expect(await look(file)).toEqual(seen('the end\n'));
    expect(await look(file.replace(far.home, '~'), 3)).toEqual(seen('nd\n'));
    expect(await look(file, 0)).toEqual(seen(''));
    const nothing = [
      '/etc/hostname',
      `${far.home}/../../etc/hostname`,
      `${far.home}/out/hostname`,
      `${far.home}/link`,
      `${far.home}/pipe`,
      `${far.home}/none`,
      far.home,
      'a folder',
      '$(touch made)',
      '`touch made`',
      '-c',
    ];
    for (const path of nothing) expect([path, await look(path)]).toEqual([path, null]);
    expect(existsSync(join(far.home, 'made'))).toBe(false);
    // Beside what hooks leave.
    await far.hook('{"n":1}');
    await relay.batches(1);
    expect(readdirSync(join(far.folder(), 'run')).filter((name) => name.startsWith('seen'))).toEqual([]);
  });

  test('asks tmux there who looks at a pane, and nothing else of it', async () => {
    const far = machine(shell);
    for (const tool of ['tmux', 'ps']) symlinkSync(join('/usr/bin', tool), join(far.home, 'bin', tool));
    const server = await startTmux();
    await server.attach('xterm-256color');
    const relay = far.relay();
    await relay.hello();
    let number = 0;
    const ask = async (place: TmuxPlace): Promise<FarTmux | null> => {
      number += 1;
      relay.send(toRelay.tmux(number, place));
      return readFarTmux(await until(() => relay.seen(number), place.pane, 20_000));
    };
    const { socket, pane } = server;
    const clients = async () => parseTmux((await ask({ socket, pane }))?.said ?? '')?.clients ?? [];
    await until(async () => (await clients()).length === 1, 'the attached terminal');
    const asked = await ask({ socket, pane });
    // Word for word what is asked here.
    const here = await run('tmux', tmuxQuestion({ socket, pane }), process.env);
    expect(parseTmux(asked?.said ?? '')).toEqual(parseTmux(here.stdout));
    expect(Math.abs((asked?.now ?? 0) - Date.now())).toBeLessThan(5_000);
    expect(parseTmux((await ask({ socket, pane: '%999' }))?.said ?? '')).toBeNull();
    expect(await ask({ socket: '/nowhere', pane })).toBeNull();
    for (const bad of ['%1;kill-server', 'main', '-x']) {
      relay.send(toRelay.tmux(900, { socket, pane: bad }));
      relay.send(`look 901 tmux ${bad} ${socket}\n`);
    }
    expect(await ask({ socket, pane })).not.toBeNull(); // it goes on
    expect([relay.seen(900)?.length ?? 0, relay.seen(901)?.length ?? 0]).toEqual([0, 0]);
  });

  test('an input that is not whole stays until its writer is gone', async () => {
    const far = machine(shell);
    const relay = far.relay();
    await relay.hello();
    const header = '{"v":1,"agent":"claude","event":"","ppid":1,"env":{}}\n';
    const writer = spawn('/bin/sleep', ['60']);
    onTestFinished(() => void writer.kill('SIGKILL'));
    writeFileSync(join(far.folder(), 'spool', `${writer.pid}.open`), `${header}{"n":`);
    relay.send(toRelay.ping(1, '0', []));
    await until(() => relay.said.some(({ type }) => type === 'pong'), 'the answer');
    expect(far.spool()).toEqual([`${writer.pid}.open`]);
    writer.kill('SIGKILL');
    await until(() => startTime(writer.pid ?? 0) === null, 'the writer to be gone');
    relay.send(toRelay.ping(2, '0', []));
    await until(() => relay.files().length === 1, 'the file');
  });
});

test('from 5,000 waiting files on a hook keeps no more, and the next relay says so', async () => {
  const [shell] = SHELLS;
  if (!shell) throw new Error('no shell');
  const far = machine(shell);
  const relay = far.relay();
  await relay.hello();
  relay.end();
  await relay.ended();
  for (let i = 0; i < 5_000; i++) writeFileSync(join(far.folder(), 'spool', `x${i}`), '');
  await far.hook('{"n":1}');
  expect(far.spool().filter((name) => name.endsWith('.open'))).toEqual([]);
  const next = far.relay();
  await until(() => next.said.some(({ type }) => type === 'overflow'), 'the note');
});

test('without a relay a hook leaves its file, also beside one of the same pid; without a folder it leaves nothing', async () => {
  const [shell] = SHELLS;
  if (!shell) throw new Error('no shell');
  const far = machine(shell);
  expect((await far.hook('{"n":1}')).code).toBe(0);
  expect(existsSync(join(far.home, '.local'))).toBe(false);
  const relay = far.relay();
  await relay.hello();
  relay.end();
  await relay.ended();
  // A shell that names the file after its own pid finds one of an earlier process.
  const script = `: >"$1/$$.open"; set -- - /nowhere --agent claude; . ${FAST}; exit 0`;
  await run(
    '/bin/dash',
    ['-c', script, 'sh', join(far.folder(), 'spool')],
    { HOME: far.home, PATH: '/usr/bin:/bin' },
    { input: '{"n":2}' },
  );
  const kept = far.spool().filter((name) => /^\d+\.1\.open$/.test(name));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(far.folder(), 'spool', kept[0] ?? ''), 'utf8')).toMatch(/\n\{"n":2\}\n#end \d+\n$/);
});
