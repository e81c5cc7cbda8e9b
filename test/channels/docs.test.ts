// What docs/channels/README.md says of each channel is as the registry says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderChannelDocs } from '../../.ci/channel-docs.ts';
import { channels } from '../../src/channels/index.ts';

test('docs/channels/README.md is up to date', () => {
  const page = readFileSync(new URL('../../docs/channels/README.md', import.meta.url), 'utf8');
  expect(renderChannelDocs(page), 'run `npm run docs`').toBe(page);
  for (const { type } of channels) expect(page).toContain(`### ${type}\n`);
});
