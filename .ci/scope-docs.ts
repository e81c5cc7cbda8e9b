// The table of scopes in docs/reference/http.md, made from the table that the server goes by.
import { between, table } from './markdown.ts';
import { PURPOSES, routesOf, type Scope, TOKEN_SCOPES } from '../src/http/access.ts';

const MARKERS = ['<!-- scopes: made by `npm run docs` -->', '<!-- end of scopes -->'] as const;

/** The page with its table as the routes are now; text around it is kept. */
export function renderScopeDocs(page: string): string {
  const routes = (scope: Scope): string =>
    routesOf(scope)
      .map((route) => `\`${route}\``)
      .join('<br>');
  const rows = TOKEN_SCOPES.map((scope) => [`\`${scope}\``, PURPOSES[scope], routes(scope)]);
  const ownPage = ['none', 'only the page that `belfry dashboard` opens', routes('page')];
  return between(page, MARKERS, table(['scope', 'a token with it', 'what it may use'], [...rows, ownPage]));
}
