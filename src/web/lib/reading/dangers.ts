// What a command does that is hard to undo, or that reaches beyond its project: hints for whoever reads it, no check. What has no mark may be dangerous too.
import type { ShellStep } from './shell-steps.ts';

/** Words of a step, without quotes and what joins them. */
const wordsOf = (text: string): readonly string[] => text.match(/[^\s'"`;&|<>()]+/g) ?? [];

interface Danger {
  /** By the last part of their path. */
  readonly programs: readonly string[];
  readonly words: string;
  /** Of the words behind the program. */
  readonly when: (args: readonly string[]) => boolean;
}

const has =
  (...any: readonly string[]) =>
  (args: readonly string[]): boolean =>
    any.some((word) => args.includes(word));
const anyIs =
  (pattern: RegExp) =>
  (args: readonly string[]): boolean =>
    args.some((word) => pattern.test(word));

/** Whether a subcommand is followed by a word that is meant. */
const then =
  (subcommand: string, when: Danger['when']) =>
  (args: readonly string[]): boolean => {
    const at = args.indexOf(subcommand);
    return at >= 0 && when(args.slice(at + 1));
  };

/** The next word is a path that begins with a dot. */
const onAll: Danger['when'] = (args) => (args[0] === '--' ? args[1] : args[0])?.startsWith('.') === true;
const THROWS_AWAY = [
  then('reset', has('--hard')),
  then('clean', anyIs(/^-[^-]*[fdx]|^--force$/)),
  then('checkout', onAll),
  then('restore', onAll),
];
const THROWS_HISTORY = [has('filter-branch', 'filter-repo'), then('branch', has('-D'))];

const DANGERS: readonly Danger[] = [
  { programs: ['rm'], words: 'deletes files and folders', when: anyIs(/^-[a-zA-Z]*[rR]|^--recursive$/) },
  {
    programs: ['find'],
    words: 'deletes files and folders',
    when: (args) => has('-delete')(args) || then('-exec', ([program]) => program === 'rm')(args),
  },
  {
    programs: ['git'],
    words: 'overwrites what others have',
    when: then('push', anyIs(/^-[a-zA-Z]*f$|^--force|^--mirror$|^--delete$|^\+\S/)),
  },
  { programs: ['git'], words: 'throws changes away', when: (args) => THROWS_AWAY.some((when) => when(args)) },
  { programs: ['git'], words: 'throws history away', when: (args) => THROWS_HISTORY.some((when) => when(args)) },
  {
    programs: ['sudo', 'doas', 'pkexec'],
    words: 'runs with all rights of this machine',
    when: (args) => args.length > 0,
  },
  { programs: ['dd'], words: 'overwrites a disk', when: anyIs(/^of=/) },
  { programs: ['wipefs'], words: 'overwrites a disk', when: () => true },
  { programs: ['chmod'], words: 'lets everybody change files', when: anyIs(/^0?777$|^a\+\S*w/) },
  { programs: ['terraform', 'tofu', 'pulumi'], words: 'changes what runs elsewhere', when: has('destroy', 'apply') },
  { programs: ['kubectl'], words: 'changes what runs elsewhere', when: has('delete') },
  {
    programs: ['npm', 'pnpm', 'yarn', 'cargo', 'gem', 'poetry', 'twine', 'hatch'],
    words: 'publishes to everybody',
    when: has('publish', 'upload', 'push'),
  },
];

/** What is seen in the text as it stands. */
const IN_TEXT: readonly (readonly [(text: string) => boolean, words: string])[] = [
  [(text) => /\bmkfs\b|>\s*\/dev\/(?:sd|nvme|disk|hd)/.test(text), 'overwrites a disk'],
  [(text) => /\b(?:drop|truncate)\s+(?:table|database|schema)\b/i.test(text), 'deletes data'],
  [
    (text) => {
      const shell = text.search(/\b(?:eval|source|(?:ba|z|da|k)?sh)\b/);
      return shell >= 0 && /(?:\$\(|<\(|`)\s*(?:curl|wget)\b/.test(text.slice(shell));
    },
    'runs what it gets from the network',
  ],
  [
    (text) => {
      const [, body] = text.split(/:\(\)\s*\{/);
      return body?.includes('|') === true && body.includes('&');
    },
    'starts itself without end',
  ],
];

/** Programs whose words behind them are looked at in one step: more say nothing more. */
const MOST_PROGRAMS = 20;

function marksOf(text: string): readonly string[] {
  const words = wordsOf(text);
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const byProgram = DANGERS.flatMap(({ programs, words: mark, when }) => {
    const places = names.flatMap((name, at) => (programs.includes(name) ? [at] : [])).slice(0, MOST_PROGRAMS);
    return places.some((at) => when(words.slice(at + 1))) ? [mark] : [];
  });
  return [...byProgram, ...IN_TEXT.filter(([isSeen]) => isSeen(text)).map(([, mark]) => mark)];
}

const FETCHES = /\b(?:curl|wget|fetch|iwr)\b/;
const RUNS =
  /^\s*(?:\S*\/)?(?:sudo\s+(?:-\S+\s+)*)?(?:\S*\/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php)\b/;

/** Marks of each step, in their order. `cwd`: where it runs; null: not known. */
export function dangersOf(steps: readonly ShellStep[], cwd: string | null): readonly (readonly string[])[] {
  return steps.map(({ text }, at) => {
    const before = steps[at - 1];
    const fromNetwork =
      before?.joiner.trimStart().startsWith('|') === true &&
      !before.joiner.trimStart().startsWith('||') &&
      RUNS.test(text) &&
      pipedFrom(steps, at).some((one) => FETCHES.test(one));
    const found = [
      ...(fromNetwork ? ['runs what it gets from the network'] : []),
      ...marksOf(text),
      ...outsidePaths(text, cwd).map((path) => `outside its folder: ${path}`),
    ];
    return [...new Set(found)];
  });
}

/** The texts that are piped into this step, the nearest first. */
function pipedFrom(steps: readonly ShellStep[], at: number): readonly string[] {
  const found: string[] = [];
  for (let i = at - 1; i >= 0; i--) {
    const step = steps[i];
    if (step === undefined || !/^\s*\|(?!\|)/.test(step.joiner)) break;
    found.push(step.text);
  }
  return found;
}

/** Most that are named; more say nothing more. */
const MOST = 3;
/** What everything writes to and reads from. */
const ORDINARY = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+|u?random|zero)$/;

/** Paths in the text that lead out of the folder, as they are written. */
export function outsidePaths(text: string, cwd: string | null): readonly string[] {
  if (cwd === null || !cwd.startsWith('/')) return [];
  const home = /^(\/(?:home|Users)\/[^/]+|\/root)(?:\/|$)/.exec(cwd)?.[1] ?? null;
  const words = text.match(/[^\s'"`;&|<>()=,]+/g) ?? [];
  const found = words.filter((word, at) => {
    const isProgram = at === 0 && /^\/(?:usr\/|bin\/|opt\/)/.test(word);
    if (isProgram || ORDINARY.test(word) || !/^(?:\/(?!\/)|~|\$HOME\b|\.\.(?:\/|$)|[^:]*\/\.\.(?:\/|$))/.test(word))
      return false;
    const path = absolute(word, cwd, home);
    return path === null || !(path === cwd || path.startsWith(cwd.endsWith('/') ? cwd : `${cwd}/`));
  });
  return [...new Set(found)].slice(0, MOST);
}

/** Null: nobody here knows where it leads. */
function absolute(word: string, cwd: string, home: string | null): string | null {
  const given = word.replace(/^\$HOME\b/, '~');
  if (given.startsWith('~') && (home === null || !/^~(?:\/|$)/.test(given))) return null;
  const whole = given.startsWith('~') ? `${home}${given.slice(1)}` : given.startsWith('/') ? given : `${cwd}/${given}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
