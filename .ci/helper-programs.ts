// Programs of others that installed packages bring along, ready-made: each with its version and licence as the files beside it say.
import { open, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A program, or a folder of them. */
export interface HelperProgram {
  readonly name: string;
  readonly version: string;
  /** Of SPDX. */
  readonly license: string;
  /** The package that has it. */
  readonly within: string;
  /** Where it is, below `node_modules`. */
  readonly folder: string;
}

/** What somebody has looked at. Paths are below the package; the first group of `version` is the version. */
interface Known {
  readonly name: string;
  readonly within: string;
  readonly folder: string;
  readonly license: { readonly id: string; readonly file: string; readonly says: RegExp };
  readonly version: { readonly file: string; readonly says: RegExp };
}

const KNOWN: readonly Known[] = [
  {
    name: 'terminal-notifier',
    within: 'node-notifier',
    folder: 'vendor/mac.noindex/terminal-notifier.app',
    license: { id: 'MIT', file: 'vendor/terminal-notifier-LICENSE', says: /available under the MIT license/ },
    version: {
      file: 'vendor/mac.noindex/terminal-notifier.app/Contents/Info.plist',
      says: /<key>CFBundleShortVersionString<\/key>\s*<string>([\d.]+)<\/string>/,
    },
  },
  {
    name: 'notifu',
    within: 'node-notifier',
    folder: 'vendor/notifu',
    license: {
      id: 'BSD-3-Clause',
      file: 'vendor/notifu/LICENSE',
      says: /Redistributions in binary form must reproduce[\s\S]*Neither the name/,
    },
    version: { file: 'vendor/notifu/LICENSE', says: /Retrieved from notifu ([\d.]+)/ },
  },
  {
    name: 'snoretoast',
    within: 'node-notifier',
    folder: 'vendor/snoreToast',
    license: {
      id: 'LGPL-3.0-only',
      file: 'vendor/snoreToast/LICENSE',
      says: /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/,
    },
    version: { file: 'vendor/snoreToast/LICENSE', says: /COPYING\.LGPL-3 version ([\d.]+)/ },
  },
];

/** How programs of Windows, Linux and macOS begin, in hexadecimal. */
const MAGIC = /^(?:4d5a|7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe)/;

/** Paths of the programs below a folder, relative to it. A library for Node is the code of its own package; packages inside are not looked into. */
export async function programsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.node'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.split('/').includes('node_modules'));
  const found = await Promise.all(files.map(async (path) => ((await isProgram(join(folder, path))) ? [path] : [])));
  return found.flat().sort();
}

async function isProgram(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return MAGIC.test(buffer.subarray(0, bytesRead).toString('hex'));
  } finally {
    await file.close();
  }
}

/** Those of a package in `folder`. Throws for a program that nobody has looked at, and where a file says something else than it did. */
export async function helperPrograms(folder: string, within: string): Promise<HelperProgram[]> {
  const programs = await programsBelow(folder);
  const known = KNOWN.filter((one) => one.within === within);
  const isIn = (path: string, one: Known): boolean => path.startsWith(`${one.folder}/`);
  const stranger = programs.find((path) => !known.some((one) => isIn(path, one)));
  if (stranger !== undefined)
    throw new Error(`${within}/${stranger} is a program that nobody has looked at: add it to .ci/helper-programs.ts`);
  const present = known.filter((one) => programs.some((path) => isIn(path, one)));
  return Promise.all(
    present.map(async ({ name, folder: own, license, version }) => {
      await said(folder, license);
      const [, number = ''] = await said(folder, version);
      return { name, version: number, license: license.id, within, folder: `${within}/${own}` };
    }),
  );
}

async function said(folder: string, { file, says }: Known['version']): Promise<RegExpExecArray> {
  const found = says.exec(await readFile(join(folder, file), 'utf8'));
  if (found === null) throw new Error(`${join(folder, file)} does not say ${String(says)}: look at it again`);
  return found;
}
