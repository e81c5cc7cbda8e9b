// `belfry token`: tokens of the HTTP interface. Added, listed and removed in their file, which a running daemon follows.
import type { ConfigFiles } from '../../../config/machine/machine-config.ts';
import { lockedText, lockOf } from '../../../config/machine/merge-config.ts';
import { PURPOSES, routesOf, TOKEN_SCOPES, type TokenScope } from '../../../http/access.ts';
import { readTokenFile, tokenFileIn } from '../../../http/token-file.ts';
import { addToken, removeToken } from '../../../http/tokens.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { makePrivateFolder } from '../../../runtime/private-folder.ts';
import type { Define } from '../../command-entry.ts';
import { refuseAgents } from '../answer/refuse-agents.ts';
import { type ListColumn, printRows } from '../../output/table-output.ts';

const COLUMNS: readonly ListColumn[] = [
  { name: 'NAME', rank: 0 },
  { name: 'SCOPES', rank: 1 },
  { name: 'CREATED', rank: 3 },
  { name: 'LAST USED', rank: 2 },
];

const LISTEN = ['http', 'listen'];

export const define: Define = (command, io) => {
  const paths = resolveOwnPaths();
  const { state } = paths;
  const file = tokenFileIn(state);
  command
    .command('add')
    .description('make a token and print it, this once')
    .argument('<NAME>', 'what you call it, such as the container that will hold it')
    // Checked below: a missing NAME is named before a missing option.
    .option('--scope <SCOPE>', `what it may be used for (required): ${TOKEN_SCOPES.join(', ')}; several with commas`)
    .addHelpText('after', () => scopesHelp())
    .action(async (name: string, { scope }: { readonly scope?: string }) => {
      if (!/^[\w.-]{1,64}$/.test(name) || /^page-[0-9a-f]{8}$/.test(name))
        throw new UserError('NAME takes letters, digits and . _ - only, 64 at most', EXIT.usage);
      if (scope === undefined) throw new UserError(`--scope is missing: one of ${TOKEN_SCOPES.join(', ')}`, EXIT.usage);
      const scopes = scopesOf(scope);
      // An agent must not make itself what answers its own questions.
      if (scopes.includes('answer')) await refuseAgents('make a token that may answer in a terminal of your own');
      const trouble = makePrivateFolder(state);
      if (trouble) throw new UserError(trouble);
      const now = Date.now();
      const token = await addToken(file, name, scopes, now);
      if (io.json) return io.data({ name, scopes, token, created_at: new Date(now).toISOString() });
      io.line(token);
      io.note('Keep it now: it is stored as a hash and not shown again. Send it as `Authorization: Bearer TOKEN`.');
      const why = await whyNotServed(paths);
      if (why !== null) io.note(why);
    });
  command
    .command('list')
    .description('list tokens, and browsers that were let in: scopes, when made, last use')
    .action(async () => {
      const content = await readTokenFile(file);
      const browsers = content.pages.map(({ name, created_at, used_at }) => ({
        name,
        scopes: ['page'],
        created_at,
        last_used: used_at === 0 ? created_at.slice(0, 10) : new Date(used_at).toISOString().slice(0, 10),
      }));
      const tokens = [...content.tokens.map(({ hash: _, ...shown }) => shown), ...browsers];
      if (io.json) return io.data({ tokens });
      const rows = tokens.map(({ name, scopes, created_at, last_used }) => [
        name,
        scopes.join(', '),
        created_at.slice(0, 10),
        last_used ?? 'never',
      ]);
      await printRows(io, COLUMNS, rows, 'no tokens: `belfry token add` makes one');
    });
  command
    .command('remove')
    .description('revoke a token immediately, or sign a browser out')
    .argument('<NAME>', 'as `belfry token list` shows it')
    .action(async (name: string) => {
      await removeToken(file, name);
      if (io.json) io.data({ removed: name });
      else io.line(`removed: ${name}`);
    });
};

/** What opens the HTTP interface where the settings name no address; null where they do, or cannot be read, which others say. */
export async function whyNotServed(files: ConfigFiles): Promise<string | null> {
  const { readConfig } = await import('../../../config/load.ts');
  const loaded = await readConfig(files);
  if (!loaded.ok || loaded.config.http.listen.length > 0) return null;
  const machine = loaded.machine.config;
  const lock = lockOf(LISTEN, machine);
  if (lock !== null && machine !== null)
    return `Nothing is served, and http.listen cannot be set: ${lockedText(LISTEN, lock, machine)}.`;
  return 'Nothing is served yet: `belfry config set http.listen \'["127.0.0.1:7717"]\'` opens the HTTP interface.';
}

/** From the table that the server goes by. */
function scopesHelp(): string {
  const lines = TOKEN_SCOPES.map((scope) =>
    [`  ${scope.padEnd(7)}  ${PURPOSES[scope]}`, ...routesOf(scope).map((route) => `           ${route}`)].join('\n'),
  );
  return `\nScopes:\n${lines.join('\n')}\n  All else is for the page that \`belfry dashboard\` opens.`;
}

function scopesOf(text: string): readonly TokenScope[] {
  return [...new Set(text.split(','))].map((part) => {
    const scope = TOKEN_SCOPES.find((known) => known === part.trim());
    if (!scope) throw new UserError(`--scope takes ${TOKEN_SCOPES.join(', ')}`, EXIT.usage);
    return scope;
  });
}
