// The numbers of `belfry pending`: each stands for one thing as it was shown. None is given to another, so that whoever types one means what they saw.
import { appendFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Paths } from '../../runtime/paths.ts';

/** What has a number. */
export interface Numbered {
  /** Of a question or a notification. */
  readonly id: string;
  /** Of a question: the value of what was shown of it. A question that has changed is another thing. */
  readonly seen: string | null;
}

const fileOf = ({ state }: Pick<Paths, 'state'>): string => join(state, 'pending-numbers');
/** Numbers begin at 1 again when nothing was new for so long, ms, and all that have one are over. */
const CALM = 24 * 3_600_000;
/** Bytes; they begin at 1 again then, too. */
const LARGEST = 256 * 1024;

const keyOf = ({ id, seen }: Numbered): string => `${id} ${seen ?? '-'}`;

/** Lines of the file, the first one empty: the number of a thing is that of the line with its key. */
async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch {
    return []; // nothing was listed yet, or it cannot be read: then nothing has a number
  }
}

/** The numbers of these, new ones for what is new; null where none can be kept, as on a full disk. Two at once give the same numbers. */
export async function numberThings(
  paths: Pick<Paths, 'state'>,
  things: readonly Numbered[],
): Promise<readonly (number | null)[]> {
  const file = fileOf(paths);
  const keys = things.map(keyOf);
  let lines = await linesOf(file);
  const isOver = !keys.some((key) => lines.includes(key));
  if (keys.length > 0 && isOver && (await isOld(file))) {
    await rm(file, { force: true }).catch(() => undefined); // then they go on from where they were
    lines = await linesOf(file);
  }
  const added = keys.filter((key) => !lines.includes(key) && /^[\x21-\x7e]+ [\x21-\x7e]+$/.test(key));
  if (added.length > 0) {
    // Written at once at the end: whatever another process adds meanwhile stands before or after it.
    const written = await appendFile(file, added.map((key) => `\n${key}`).join(''), { mode: 0o600 }).catch(() => null);
    if (written !== null) lines = await linesOf(file);
  }
  return keys.map((key) => {
    const line = lines.indexOf(key);
    return isNumber(String(line)) ? line : null;
  });
}

async function isOld(file: string): Promise<boolean> {
  const about = await stat(file).catch(() => null);
  return about !== null && (Date.now() - about.mtimeMs > CALM || about.size > LARGEST);
}

/** What has this number; null: nothing that was listed lately. */
export const numbered = async (paths: Pick<Paths, 'state'>, number: number): Promise<Numbered | null> =>
  thingIn((await linesOf(fileOf(paths)))[number]);

/** The same. UserError: nothing has it. */
export async function thingNumbered(paths: Pick<Paths, 'state'>, number: number): Promise<Numbered> {
  const thing = await numbered(paths, number);
  if (thing !== null) return thing;
  throw new UserError(
    `nothing has the number ${number}: numbers are those that \`belfry pending\` shows`,
    EXIT.notFound,
  );
}

/** The id that is meant where a number is given; any other text is one itself. UserError: nothing has that number. */
export async function idOf(paths: Pick<Paths, 'state'>, text: string): Promise<string> {
  return isNumber(text) ? (await thingNumbered(paths, Number(text))).id : text;
}

/** Whether a text is a number of the list: shorter than the beginning of any id that is looked up. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text);

/** The question with this id as it was listed last; null: it was not. */
export async function listedLast(paths: Pick<Paths, 'state'>, id: string): Promise<Numbered | null> {
  return thingIn((await linesOf(fileOf(paths))).findLast((line) => line.startsWith(`${id} `)));
}

function thingIn(line: string | undefined): Numbered | null {
  const [, id, seen] = /^(\S+) (\S+)$/.exec(line ?? '') ?? [];
  return id === undefined || seen === undefined ? null : { id, seen: seen === '-' ? null : seen };
}
