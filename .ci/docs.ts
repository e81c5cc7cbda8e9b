// Writes what follows from the registries: docs/agents/README.md, docs/channels/README.md, docs/reference/settings.md, docs/reference/doctor.md and docs/reference/http.md between their markers, and the clients' plugins.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderAgentDocs, renderPlugins } from './agent-docs.ts';
import { CHECKS } from '../src/cli/doctor/index.ts';
import { renderChannelDocs } from './channel-docs.ts';
import { renderConfigDocs } from './config-docs.ts';
import { renderDoctorDocs } from './doctor-docs.ts';
import { renderScopeDocs } from './scope-docs.ts';

const root = new URL('..', import.meta.url).pathname;
const page = join(root, 'docs/agents/README.md');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

writeFileSync(page, renderAgentDocs(readFileSync(page, 'utf8')));
const channelPage = join(root, 'docs/channels/README.md');
writeFileSync(channelPage, renderChannelDocs(readFileSync(channelPage, 'utf8')));
const configPage = join(root, 'docs/reference/settings.md');
writeFileSync(configPage, renderConfigDocs(readFileSync(configPage, 'utf8')));
const doctorPage = join(root, 'docs/reference/doctor.md');
const httpPage = join(root, 'docs/reference/http.md');
writeFileSync(httpPage, renderScopeDocs(readFileSync(httpPage, 'utf8')));
writeFileSync(doctorPage, renderDoctorDocs(readFileSync(doctorPage, 'utf8'), CHECKS));
for (const [path, text] of Object.entries(renderPlugins(version))) {
  const file = join(root, 'installers', 'plugins', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
