// What of others is in dist/: their licence notices as a text, and the same packages as a bill of materials (CycloneDX 1.6).
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HelperProgram, helperPrograms } from './helper-programs.ts';

/** A package of which something is in a bundle, or that is installed beside it. */
export interface Material {
  readonly name: string;
  readonly version: string;
  /** As in its package.json: an SPDX expression. */
  readonly license: string;
  /** Texts of its licence and notice files, each once. */
  readonly texts: readonly string[];
  /** In a bundle; else a dependency that npm installs. */
  readonly isBundled: boolean;
}

/** What a manifest says of itself, as far as it is used here. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  /** An expression, or as old packages have it. */
  readonly license?: string | { readonly type?: string } | readonly string[];
  readonly licenses?: readonly { readonly type?: string }[];
  readonly author?: string | { readonly name?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Licences that allow what is done here: bundled into an MIT package, with their notices. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
];
/** Licences that ask besides for a word where the source is: the package of that name and version has it, unchanged. */
const WITH_SOURCE = ['MPL-2.0'];

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Names from before there were SPDX's. */
const OLD_NAMES: Readonly<Record<string, string>> = { Apache2: 'Apache-2.0' };

function licenseOf({ license, licenses = [] }: Manifest): string {
  if (typeof license === 'string') return license;
  if (Array.isArray(license)) return license.map((one) => OLD_NAMES[one] ?? one).join(' OR ');
  return (
    (license as { type?: string } | undefined)?.type ?? (licenses.map(({ type }) => type).join(' OR ') || 'UNKNOWN')
  );
}

/** The package folder of each input of a bundle, relative to the project; inner packages are packages of their own. */
export function packageFolders(inputs: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replace(/^[\w-]+:/, ''));
    if (found) folders.add(found[0]);
  }
  return [...folders].sort();
}

async function textsOf(folder: string, manifest: Manifest): Promise<string[]> {
  const { author } = manifest;
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  const texts = await Promise.all(names.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
  const holder = typeof author === 'string' ? author : author?.name;
  return texts.length > 0
    ? [...new Set(texts)]
    : [
        `The package has no licence file; its package.json says: ${licenseOf(manifest)}${holder ? `, by ${holder}` : ''}.`,
      ];
}

async function materialAt(root: string, folder: string, isBundled: boolean): Promise<Material> {
  const path = join(root, folder);
  const manifest = await readManifest(path);
  const { name, version } = manifest;
  return { name, version, license: licenseOf(manifest), texts: await textsOf(path, manifest), isBundled };
}

/** Folders of what npm installs with the package, and with that. */
async function installedFolders(root: string): Promise<string[]> {
  const found = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    const { dependencies = {} } = await readManifest(join(root, folder));
    for (const name of Object.keys(dependencies)) {
      const there = await nearest(root, folder, name);
      if (found.has(there)) continue;
      found.add(there);
      await visit(there);
    }
  };
  await visit('.');
  return [...found].sort();
}

/** Where Node finds `name` from `folder`: in its own node_modules, else in one above. */
async function nearest(root: string, folder: string, name: string): Promise<string> {
  for (let at = folder; ; at = at.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '') || '.') {
    const there = at === '.' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    const isThere = await readManifest(join(root, there)).then(
      () => true,
      () => false,
    );
    if (isThere) return there;
    if (at === '.') throw new Error(`${name}, which ${folder} needs, is not installed: run \`npm ci\``);
  }
}

/** All of them, by name. `inputs`: what esbuild read, relative to `root`. Throws for a licence that was not looked at yet. */
export async function materialsOf(root: string, inputs: Iterable<string>): Promise<Material[]> {
  const bundled = packageFolders(inputs);
  const installed = (await installedFolders(root)).filter((folder) => !bundled.includes(folder));
  const materials = await Promise.all([
    ...bundled.map((folder) => materialAt(root, folder, true)),
    ...installed.map((folder) => materialAt(root, folder, false)),
  ]);
  const unknown = materials.filter(
    ({ license }) => !license.split(/ OR |[()]/).some((one) => [...ALLOWED, ...WITH_SOURCE].includes(one)),
  );
  if (unknown.length > 0)
    throw new Error(
      `licences that nobody has looked at: ${unknown.map(({ name, license }) => `${name} (${license})`).join(', ')}`,
    );
  return materials.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The programs that come with what npm installs, by name. Throws for one that nobody has looked at. */
export async function programsOf(root: string): Promise<HelperProgram[]> {
  const found = await Promise.all(
    (await installedFolders(root)).map(async (folder) => {
      const path = join(root, folder);
      return helperPrograms(path, (await readManifest(path)).name);
    }),
  );
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text that the licences ask to be kept with copies of their packages. */
export function noticesText(materials: readonly Material[]): string {
  const bundled = materials.filter(({ isBundled }) => isBundled);
  const parts = bundled.map(({ name, version, license, texts }) => {
    const source = `Its source, unchanged, is the npm package ${name}, version ${version}.`;
    const all = [...(WITH_SOURCE.includes(license) ? [source] : []), ...texts];
    return `${name} ${version} (${license})\n\n${all.join('\n\n')}`;
  });
  const head =
    'Belfry contains code of these packages, under their licences. What npm installs beside it brings its own.';
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

const purl = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** For what is in no registry. */
const refOf = ({ name, version }: HelperProgram): string => `pkg:generic/${name}@${version}`;

function programComponent(program: HelperProgram): object {
  const { name, version, license, folder } = program;
  return {
    type: 'application',
    'bom-ref': refOf(program),
    name,
    version,
    purl: refOf(program),
    licenses: [{ license: { id: license } }],
    properties: [
      { name: 'belfry:bundled', value: 'false' },
      { name: 'belfry:files', value: folder },
    ],
  };
}

/** The bill of materials of belfry at `version`. The same sources give the same text. */
export function billOfMaterials(
  version: string,
  materials: readonly Material[],
  programs: readonly HelperProgram[] = [],
): string {
  const itself = { type: 'application', 'bom-ref': purl('belfry', version), name: 'belfry', version };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...itself, purl: purl('belfry', version), licenses: [{ license: { id: 'MIT' } }] } },
    components: [
      ...materials.map(({ name, version: of, license, isBundled }) => ({
        type: 'library',
        'bom-ref': purl(name, of),
        name,
        version: of,
        purl: purl(name, of),
        licenses: [/ |\(/.test(license) ? { expression: license } : { license: { id: license } }],
        properties: [{ name: 'belfry:bundled', value: String(isBundled) }],
      })),
      ...programs.map(programComponent),
    ],
    dependencies: [
      { ref: purl('belfry', version), dependsOn: materials.map((one) => purl(one.name, one.version)) },
      ...materials.flatMap((one) => {
        const own = programs.filter(({ within }) => within === one.name).map(refOf);
        return own.length === 0 ? [] : [{ ref: purl(one.name, one.version), dependsOn: own }];
      }),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Writes both files into `root`/dist. */
export async function writeNotices(root: string, version: string, inputs: Iterable<string>): Promise<void> {
  const materials = await materialsOf(root, inputs);
  await writeFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), noticesText(materials));
  await writeFile(join(root, 'dist/sbom.cdx.json'), billOfMaterials(version, materials, await programsOf(root)));
}
