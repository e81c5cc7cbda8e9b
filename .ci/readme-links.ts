// npm's page shows the README away from its files: `prepack` makes its links absolute, below the address that package.json names, and `postpack` takes that back.
import { readFileSync, writeFileSync } from 'node:fs';

const LINK = /(!?)(\[[^\]\n]{0,300}\])\((?!\w+:|#)([^)#\s]{1,300})/g;

/** Where files and pictures of this repository are shown; null: it has no address yet. */
export function bases(repository: unknown): { readonly page: string; readonly raw: string } | null {
  const url = typeof repository === 'string' ? repository : (repository as { url?: unknown } | undefined)?.url;
  if (typeof url !== 'string') return null;
  const address = url.replace(/^git\+/, '').replace(/\.git$/, '');
  if (!address.startsWith('https://')) throw new Error(`repository of package.json: not an https address: ${url}`);
  return { page: `${address}/blob/HEAD/`, raw: `${address}/raw/HEAD/` };
}

/** Relative links and pictures, made absolute. */
export function withAbsoluteLinks(text: string, { page, raw }: { page: string; raw: string }): string {
  return text.replace(LINK, (_all, picture: string, label: string, target: string) => {
    return `${picture}${label}(${picture ? raw : page}${target}`;
  });
}

/** And back. */
export function withRelativeLinks(text: string, { page, raw }: { page: string; raw: string }): string {
  return text.replaceAll(`](${page}`, '](').replaceAll(`](${raw}`, '](');
}

const [, , direction] = process.argv;
if (direction === 'absolute' || direction === 'relative') {
  const root = new URL('..', import.meta.url);
  const { repository } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { repository?: unknown };
  const base = bases(repository);
  if (base) {
    const file = new URL('README.md', root);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, direction === 'absolute' ? withAbsoluteLinks(text, base) : withRelativeLinks(text, base));
  }
}
