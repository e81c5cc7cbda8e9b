// The parts of docs/reference/support.md that would become outdated: versions of Node, of the agents, and of the database.
import { readFileSync } from 'node:fs';
import { between, table, wrap } from './markdown.ts';
import { agents } from '../src/agents/index.ts';
import { MIGRATIONS } from '../src/store/migrations/index.ts';
import { SCENARIO_CLIENTS } from '../test/clients/real/index.ts';
import { NODE_VERSIONS } from '../test/matrix/node-versions.ts';

const VERSIONS = ['<!-- versions: made by `npm run docs` -->', '<!-- end of versions -->'] as const;
const DATABASE = ['<!-- database: made by `npm run docs` -->', '<!-- end of database -->'] as const;

/** An agent's version, and whether CI runs it. */
function agentRow({ name, docs }: (typeof agents)[number]): readonly string[] {
  const real = SCENARIO_CLIENTS.find((client) => client.name === name);
  const page = `[${name}](../agents/${name}.md)`;
  return real === undefined ? [page, '', docs.seen] : [page, real.version, 'the real client, in CI'];
}

function versions(): string {
  const root = new URL('../', import.meta.url);
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { engines: { node: string } };
  const node = `Node ${engines.node.replace('>=', '')} or newer. CI installs the packed package under Node ${NODE_VERSIONS.join(', ')} and runs hook, daemon, delivery and command line there.`;
  return [wrap(node), table(['agent', 'version', 'how it was tested'], agents.map(agentRow))].join('\n\n');
}

const database = (): string =>
  wrap(
    `This version writes schema ${MIGRATIONS.length} and reads every schema from 1 on: it brings the database up to date at its first start, with everything that waits to be sent.`,
    '- ',
  );

/** The page with its versions as they are now; text around them is kept. */
export const renderSupport = (page: string): string =>
  between(between(page, VERSIONS, versions()), DATABASE, database());
