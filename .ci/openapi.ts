// Writes docs/contributing/service-openapi.json from the contract: `npm run openapi`.
import { writeFile } from 'node:fs/promises';
import { openApi } from '../src/api/openapi.ts';

await writeFile(
  new URL('../docs/contributing/service-openapi.json', import.meta.url),
  `${JSON.stringify(openApi(), null, 2)}\n`,
);
