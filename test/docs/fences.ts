// What the pages of docs/ and README.md show: blocks of code with their language, and commands between backticks.
import { files, read } from '../conventions/files.ts';

/** One block of code. */
export interface Fence {
  /** The page and line it begins at. */
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

/** Pages that people read to use Belfry, and those of contributors but for the specification of the service. */
export const pages: readonly string[] = files.filter(
  (file) => file === 'README.md' || (/^docs\/.*\.md$/.test(file) && !file.endsWith('/service-interface.md')),
);

/** The lines of a page that are in no block of code, with their numbers. */
export const prose = (page: string): readonly { readonly line: string; readonly at: string }[] => {
  let inFence = false;
  return read(page)
    .split('\n')
    .flatMap((line, i) => {
      const isFence = line.trimStart().startsWith('```');
      if (isFence) inFence = !inFence;
      return isFence || inFence ? [] : [{ line, at: `${page}:${i + 1}` }];
    });
};

/** The blocks of a page; one that is indented by four columns has the language `indented`. */
export function fencesOf(page: string): readonly Fence[] {
  const text = read(page);
  const lineOf = (index: number): number => text.slice(0, index).split('\n').length;
  const fenced = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: body = '', index }) => ({
      at: `${page}:${lineOf(index)}`,
      language,
      text: body,
    }),
  );
  const indented = prose(page)
    .filter(({ line }) => /^ {4}\S/.test(line))
    .map(({ line, at }) => ({ at, language: 'indented', text: `${line.trim()}\n` }));
  return [...fenced, ...indented];
}

/** A command line of `belfry` that a page shows. */
export interface Shown {
  readonly at: string;
  readonly words: readonly string[];
}

/** Words of a shell line up to its end, a redirection or a comment, without their quotes. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [token] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (token.startsWith('#') || /^\d*[<>]/.test(token)) break;
    words.push(
      token.replace(/'([^']*)'|"([^"]*)"/g, (_all, single?: string, double?: string) => single ?? double ?? ''),
    );
  }
  return words;
}

/** The commands of a block that is typed: of `sh` every line, of `console` and `text` those after a prompt. */
export function commandsIn({ at, language, text }: Fence): readonly Shown[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const typed =
    language === 'sh' || language === 'indented' ? lines : lines.flatMap((line) => /^\$ (.*)$/.exec(line)?.[1] ?? []);
  return typed
    .flatMap((line) => line.split(/ (?:&&|\|\||\|) /))
    .map((line) => shellWords(line.trim()))
    .filter(([first]) => first === 'belfry')
    .map(([, ...words]) => ({ at, words }));
}

/** Commands in the running text of a page, between backticks. */
export function commandsNamedIn(page: string): readonly Shown[] {
  return prose(page).flatMap(({ line, at }) =>
    [...line.matchAll(/`belfry ([^`]+)`/g)].map(([, text = '']) => ({
      at,
      words: shellWords(text.replaceAll('\\|', '|')),
    })),
  );
}
