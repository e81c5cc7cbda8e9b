// The table of scopes in docs/reference/http.md, made from the table that the server goes by.
import { PURPOSES, routesOf, type Scope, TOKEN_SCOPES } from '../src/http/access.ts';

const BEGIN = '<!-- scopes: made by `npm run docs` -->';
const END = '<!-- end of scopes -->';

/** The page with its table as the routes are now; text around it is kept. */
export function renderScopeDocs(page: string): string {
  const [head = '', rest = ''] = page.split(BEGIN);
  const [, tail = ''] = rest.split(END);
  const routes = (scope: Scope): string =>
    routesOf(scope)
      .map((route) => `\`${route}\``)
      .join('<br>');
  const rows = TOKEN_SCOPES.map((scope) => `| \`${scope}\` | ${PURPOSES[scope]} | ${routes(scope)} |`);
  const table = [
    '| scope | a token with it | what it may use |',
    '|---|---|---|',
    ...rows,
    `| none | only the page that \`belfry dashboard\` opens | ${routes('page')} |`,
  ].join('\n');
  return `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`;
}
