// What axe finds on an open page.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** As lines: the rule, where, and what to do. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
  );
}
