// A relay and the hooks that leave it something, in the shells that a machine elsewhere may have.
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { farAskCommand } from '../../src/runtime/hook-command.ts';
import { type FromRelay, readRelay, toRelay } from '../../src/sources/remote/protocol.ts';
import { temporaryFolder } from './home.ts';
import { run } from './programs.ts';
import { until } from './wait.ts';

const RELAY = new URL('../../hooks/relay.sh', import.meta.url).pathname;
export const FAST = new URL('../../hooks/fast.sh', import.meta.url).pathname;
/** Built. */
const THERE = new URL('../../dist/belfry-ask-there.mjs', import.meta.url).pathname;
const ASK = new URL('../../hooks/ask-far.sh', import.meta.url).pathname;
/** What the relay uses; a folder with nothing else has no bash. */
const TOOLS = 'cat chmod date grep ls mkdir mv readlink rm sed sleep sort stat tail tr'.split(' ');

export interface FarShell {
  readonly name: string;
  readonly shell: readonly string[];
  readonly tools: (bin: string) => void;
}
const ALL: readonly FarShell[] = [
  { name: 'bash', shell: ['/bin/bash'], tools: (bin) => symlinks(bin, [...TOOLS, 'bash']) },
  { name: 'dash', shell: ['/bin/dash'], tools: (bin) => symlinks(bin, TOOLS) },
  {
    name: 'busybox',
    shell: ['/usr/bin/busybox', 'sh'],
    tools: (bin) => {
      for (const tool of TOOLS) symlinkSync('/usr/bin/busybox', join(bin, tool));
    },
  },
];
export const SHELLS = ALL.filter(({ shell }) => existsSync(shell[0] ?? ''));

/** A folder with all programs of this machine but bash, whose `sh` is this one. */
export function withoutBash(sh: 'dash' | 'busybox'): string {
  const bin = temporaryFolder();
  for (const name of readdirSync('/usr/bin'))
    if (name !== 'bash' && name !== 'sh') symlinkSync(join('/usr/bin', name), join(bin, name));
  symlinkSync(join('/usr/bin', sh), join(bin, 'sh'));
  return bin;
}

function symlinks(bin: string, tools: readonly string[]): void {
  for (const tool of tools) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(bin, tool));
  }
}

/** The relay, as one that waits for a word from the other side a twentieth as long. */
function hastyRelay(home: string): string {
  const script = join(home, 'relay.sh');
  const text = readFileSync(RELAY, 'utf8');
  const hasty = text.replace("'-t 60'", "'-t 3'").replace('sleep 20', 'sleep 1');
  if (hasty.length !== text.length - 2) throw new Error('the relay waits in another way');
  writeFileSync(script, hasty);
  return script;
}

export function machine({ shell, tools }: FarShell) {
  const home = temporaryFolder('belfry far ');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  tools(bin);
  symlinkSync(shell[0] ?? '', join(bin, 'sh'));
  const env = { HOME: home, PATH: bin, USER: 'ada' };
  const folder = (): string => {
    const far = join(home, '.local/state/belfry/far');
    return join(far, readdirSync(far)[0] ?? '');
  };
  return {
    home,
    folder,
    spool: () => readdirSync(join(folder(), 'spool')),
    /** From now on this tool signals whoever runs it before it does its work. */
    interrupt: (tool: string) => {
      const path = join(bin, tool);
      const program = realpathSync(path);
      const run = program.endsWith('busybox') ? `exec ${program} ${tool}` : `exec ${program}`;
      writeFileSync(`${path}.new`, `#!/bin/sh\nkill -s URG $PPID\n${run} "$@"\n`, { mode: 0o755 });
      renameSync(`${path}.new`, path);
    },
    hook: (input: string, agent = 'claude') =>
      run(
        '/bin/dash',
        ['-c', `set -- - /nowhere --agent ${agent}; . ${FAST}; exit 0`],
        { HOME: home, PATH: '/usr/bin:/bin' },
        { input },
      ),
    /** An answering hook in this shell, with what its client wrote to it. */
    ask: (input: string, how: { reply?: boolean; beside?: true; env?: Record<string, string> } = { beside: true }) => {
      const dist = join(home, 'package', 'dist');
      mkdirSync(dist, { recursive: true });
      for (const [from, to] of [
        [FAST, 'belfry-hook.sh'],
        [ASK, 'belfry-ask.sh'],
      ] as const)
        if (!existsSync(join(dist, to))) symlinkSync(from, join(dist, to));
      const line = farAskCommand({
        agent: 'claude',
        packageDir: join(home, 'package'),
        reply: how.reply === true,
        beside: how.beside,
      });
      return startAsk(
        [...shell, '-c', line],
        { HOME: home, PATH: `${shims(home, shell)}:/usr/bin:/bin`, ...how.env },
        input,
      );
    },
    /** A client there, in whose engine a plugin has loaded what asks: it asks at once, prints what it is given, and says that it has it. */
    client: (input: object) => {
      const dist = join(home, 'package', 'dist');
      mkdirSync(dist, { recursive: true });
      for (const [from, to] of [
        [FAST, 'belfry-hook.sh'],
        [ASK, 'belfry-ask.sh'],
        [THERE, 'belfry-ask.mjs'],
      ] as const)
        copyFileSync(from, join(dist, to));
      return startClient(
        join(dist, 'belfry-ask.mjs'),
        { HOME: home, PATH: `${shims(home, shell)}:/usr/bin:/bin` },
        input,
      );
    },
    relay: (owner = 'own', ...more: string[]) => startRelay([...shell, RELAY, 'n1', owner, 'ADA', ...more], env),
    hasty: () => startRelay([...shell, hastyRelay(home), 'n1', 'own', 'ADA'], env),
  };
}

/** What a plugin does with it, and a line `ID WORD` on stdin ends a question. */
const CLIENT = `
const { createAsker } = await import(process.argv[1]);
const asker = createAsker('opencode');
const give = async (answer) => (console.log(JSON.stringify(answer)), 'taken');
asker.ask('q1', { input: JSON.parse(process.argv[2]), give, isOpen: async () => true });
process.stdin.setEncoding('utf8').on('data', (line) => asker.end(...line.trim().split(' ')));
`;

function startClient(module: string, env: NodeJS.ProcessEnv, input: object) {
  const words = ['--input-type=module', '-e', CLIENT, module, JSON.stringify(input)];
  const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return {
    given: () => said,
    end: (word: string) => void child.stdin.write(`q1 ${word}\n`),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Ms until a relay is pinged that was not heard, and the number of such a ping. */
const PING = 3_000;
const PINGED = 999;

/** What an answering hook said, by its own word and pid. */
interface FarWords {
  readonly says: string;
  readonly word: string;
  readonly pid: number;
}

function startRelay([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'], cwd: env['HOME'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined); // it may have ended
  const said: FromRelay[] = [];
  let ended = false;
  void (async () => {
    for await (const one of readRelay(child.stdout, 'n1', () => undefined)) said.push(one);
    ended = true;
  })();
  const files = (): string[] =>
    said.flatMap((one) => (one.type === 'file' ? [one.file.bytes.toString('utf8').split('\n')[1] ?? ''] : []));
  /** What answering hooks have said. */
  const words = (): FarWords[] =>
    said.flatMap((one) => {
      const head = one.type === 'file' ? (one.file.bytes.toString('utf8').split('\n')[0] ?? '') : '';
      const [, says = '', word = ''] = /"event":"belfry-ask\/([a-z-]+)\/([0-9a-f-]{36})"/.exec(head) ?? [];
      return one.type === 'file' && says !== '' ? [{ says, word, pid: one.file.writer }] : [];
    });
  /** Waits for what it is to say. A signal that falls into the moment before a shell reads is made up for by a ping, as ever. */
  const heard = <T>(look: () => T, what: string) => {
    let next = Date.now() + PING;
    return until(() => {
      if (Date.now() > next) child.stdin.write(toRelay.ping(PINGED, '0', []));
      if (Date.now() > next) next += PING;
      return look();
    }, what);
  };
  /** What a look has found; undefined: it is under way. */
  const seen = (number: number): Buffer | undefined =>
    said.flatMap((one) => (one.type === 'seen' && one.number === number ? [one.bytes] : []))[0];
  const seqs = (): string[] => said.flatMap((one) => (one.type === 'end' ? [one.seq] : []));
  return {
    pid: child.pid ?? 0,
    said,
    files,
    seen,
    seqs,
    words,
    heard,
    batches: (count: number) => heard(() => seqs().length === count, `batch ${count}`),
    send: (line: string) => void child.stdin.write(line),
    /** Confirms what has come until now. */
    ok: () => void child.stdin.write(toRelay.ok(seqs().at(-1) ?? '0')),
    hello: () => until(() => said[0], 'the first line'),
    ended: () => until(() => ended, 'its end'),
    end: () => void child.stdin.end(),
  };
}

/** A folder in which `sh` is this shell. */
function shims(home: string, [program = '', ...args]: readonly string[]): string {
  const folder = join(home, 'shims');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sh'), `#!/bin/sh\nexec ${[program, ...args].join(' ')} "$@"\n`, { mode: 0o755 });
  return folder;
}

function startAsk([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, input: string) {
  // A group of its own, as clients start their hooks: they end all of it.
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const { pid = 0 } = child;
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // it has ended
    }
  };
  onTestFinished(() => kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.on('error', () => undefined); // one that leaves at once reads nothing
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { pid, ended, kill };
}
