// What the cases about who gives a command rest on, each taken out.
import type { Control } from './control.ts';
import { NOT_FROM_AFAR } from './forwarded-commands.ts';

const [ALONE, MORE] = ['test/hostile/caller.test.ts', 'test/hostile/caller-more.test.ts'];

const sets = (name: string, variable: string): string =>
  `${name} sets ${variable} for what it runs, whose parents are lost: it is refused`;
const leaves = (what: string): string => `an agent leaves ${what}: it is refused`;
const says = (who: string): string => `it says that it is ${who}: it is refused`;
const forwarded = (words: string): string =>
  `the socket is forwarded to another account, which gives \`belfry ${words}\`: it is refused, with words`;

export const CONTROLS: readonly Control[] = [
  {
    without: 'the judgement of the environment',
    file: 'src/peer/agent-of-process.ts',
    find: 'return commandVariables.find(isSet) ?? null;',
    replace: 'return commandVariables.find((name) => isSet(name) && name === null) ?? null;',
    tests: ALONE,
    fail: [
      leaves('a background job that has lost its parents'),
      leaves('a job under nohup'),
      leaves('a job that is disowned'),
      leaves('a job in a session of its own'),
      leaves('a job of a job'),
      'by the agent of Cursor, the editor: that is judged right',
      sets('claude', 'CLAUDECODE'),
      sets('codex', 'CODEX_THREAD_ID'),
      sets('codex', 'CODEX_CI'),
      sets('copilot', 'COPILOT_CLI'),
      sets('cursor', 'CURSOR_AGENT'),
      sets('droid', 'FACTORY_DISABLE_SETTINGS_PERSISTENCE'),
      sets('gemini', 'GEMINI_CLI'),
      sets('opencode', 'OPENCODE'),
      sets('qwen', 'QWEN_CODE'),
    ],
  },
  {
    without: 'the look at who shares the session of a job that has lost its parents',
    file: 'src/peer/read-processes.ts',
    find: 'if (session === 0 || above.some((one) => one.pid === session)) return',
    replace: 'if (session >= 0) return',
    tests: ALONE,
    fail: [
      'an agent that runs on leaves a job with no environment: it is refused',
      'an agent that runs on leaves a job with no environment, in a group of its own: it is refused',
    ],
  },
  {
    without: 'the difference between an editor and its agent',
    file: 'src/agents/cursor.ts',
    find: "commandsRunBy: ['cursor-agent'],",
    replace: '',
    tests: ALONE,
    fail: ['in a terminal of Cursor, the editor: that is judged right'],
  },
  {
    without: 'the look whether the process has the file open',
    file: 'src/daemon/commands/who-asks.ts',
    find: "return (held ?? isAlive(pid, null)) ? 'here' : 'unseen';",
    replace: "return held === null && !isAlive(pid, null) ? 'unseen' : 'here';",
    tests: MORE,
    fail: [
      says('init'),
      says('another process of this user'),
      says('no process'),
      says('the process that had the file open and has left'),
      'it has read the file and closed it: it is refused',
      'another process has a file of the same name open elsewhere: it is refused',
      'two at once: the process of the one is not believed to be that of the other',
    ],
  },
  {
    without: 'the comparison of the file that is open with the one that was named',
    file: 'src/peer/held-file.ts',
    find: 'return held?.ino === ino && held.dev === dev;',
    replace: 'return held !== null && ino > 0n && dev >= 0n;',
    tests: MORE,
    fail: ['another process has a file of the same name open elsewhere: it is refused'],
  },
  {
    without: 'the demand for what is in the file',
    file: 'src/daemon/commands/who-asks.ts',
    find: "if ((await next()) !== content) return 'elsewhere';",
    replace: 'await next();',
    tests: MORE,
    // Its last command stops the daemon that the file's tests share.
    fail: [...NOT_FROM_AFAR.map(forwarded), 'the socket is forwarded to another account: its events are taken'],
  },
  {
    without: 'the look at what is sent of a file that a daemon elsewhere names',
    file: 'src/ipc/caller-proof.ts',
    find: "content: PROOF_FORM.test(content) ? content : ''",
    replace: 'content',
    tests: MORE,
    fail: ['a daemon elsewhere asks for a file of this machine: nothing of it is sent'],
  },
  {
    without: 'the refusal of a version that proves nothing',
    file: 'src/daemon/commands/who-asks.ts',
    find: '  if (pid === undefined)\n',
    replace: "  if (pid === undefined && op === '')\n",
    tests: MORE,
    fail: ['it is of a version that proves nothing: it is told so at once'],
  },
  {
    without: 'the removal of what a daemon has left',
    file: 'src/daemon/run.ts',
    find: 'rmSync(join(paths.run, PROOFS), { recursive: true, force: true });',
    replace: 'if (PROOFS === null) rmSync(join(paths.run, PROOFS));',
    tests: MORE,
    fail: ['a daemon that was killed has left proofs: the next one removes them'],
  },
];
