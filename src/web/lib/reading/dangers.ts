// What a command does that is hard to undo, or that reaches beyond its project: hints for whoever reads it, no check. What has no mark may be dangerous too.
import type { ShellStep } from './shell-steps.ts';

const PATTERNS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\brm\s+(?:\S+\s+)*?-(?:[a-zA-Z]*[rR]|-recursive)/, 'deletes files and folders'],
  [/\bfind\b.*\s-(?:delete\b|exec\s+rm\b)/s, 'deletes files and folders'],
  [/\bgit\s+(?:\S+\s+)*?push\b.*\s(?:-[a-zA-Z]*f\b|--force|--mirror|--delete|\+\S)/s, 'overwrites what others have'],
  [
    /\bgit\s+(?:\S+\s+)*?(?:reset\s.*--hard|clean\s+-\S*[fdx]|checkout\s+(?:--\s+)?\.|restore\s+\.)/s,
    'throws changes away',
  ],
  [/\bgit\s+(?:\S+\s+)*?(?:filter-branch|filter-repo|branch\s+-D)\b/, 'throws history away'],
  [/(?:^|[\s;&|(`"'])(?:sudo|doas|pkexec)\s/, 'runs with all rights of this machine'],
  [/\bdd\b.*\bof=|\bmkfs\b|>\s*\/dev\/(?:sd|nvme|disk|hd)|\bwipefs\b/s, 'overwrites a disk'],
  [/\bchmod\s+(?:-\S+\s+)*(?:0?777|a\+\S*w)/, 'lets everybody change files'],
  [/\b(?:drop|truncate)\s+(?:table|database|schema)\b/i, 'deletes data'],
  [
    /\b(?:terraform|tofu|pulumi)\s+(?:\S+\s+)*?(?:destroy|apply)\b|\bkubectl\s+(?:\S+\s+)*?delete\b/,
    'changes what runs elsewhere',
  ],
  [
    /\b(?:npm|pnpm|yarn|cargo|gem|poetry|twine|hatch)\s+(?:\S+\s+)*?(?:publish|upload|push)\b/,
    'publishes to everybody',
  ],
  [/\b(?:eval|source|(?:ba|z|da|k)?sh)\b.*(?:\$\(|<\(|`)\s*(?:curl|wget)\b/s, 'runs what it gets from the network'],
  [/:\(\)\s*\{.*\|.*&.*\}/s, 'starts itself without end'],
];

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
      ...PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, words]) => words),
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
