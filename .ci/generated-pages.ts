// Every page of docs/ that is made from the program, whole or between two markers, and by what.
import { renderAgentIndex, renderAgentPage, renderHookSettings } from './agent-docs.ts';
import { renderChannelIndex, renderChannelPage } from './channel-docs.ts';
import { renderCommandDocs } from './command-docs.ts';
import { renderConfigDocs } from './config-docs.ts';
import { renderDisclosure } from './disclosure-docs.ts';
import { renderDoctorDocs } from './doctor-docs.ts';
import { renderScenarios } from './scenario-docs.ts';
import { renderScopeDocs } from './scope-docs.ts';
import { renderSupport } from './support-docs.ts';
import { agents } from '../src/agents/index.ts';
import { channels } from '../src/channels/index.ts';
import { CHECKS } from '../src/cli/doctor/index.ts';

/** Gives a page its text of now; null: there is no such page yet. */
type Render = (page: string | null) => string | Promise<string>;

/** For pages that have text of their own: somebody has to begin them. */
const begun =
  (render: (page: string) => string | Promise<string>): Render =>
  (page) =>
    render(page ?? '');

/** By their paths. */
export const generatedPages: Readonly<Record<string, Render>> = {
  'docs/agents/README.md': begun(renderAgentIndex),
  ...Object.fromEntries(
    agents.map((agent) => [`docs/agents/${agent.name}.md`, (page) => renderAgentPage(agent, page)] as [string, Render]),
  ),
  'docs/channels/README.md': begun(renderChannelIndex),
  ...Object.fromEntries(
    channels.map(
      (channel) => [`docs/channels/${channel.type}.md`, (page) => renderChannelPage(channel, page)] as [string, Render],
    ),
  ),
  'docs/reference/commands.md': begun(renderCommandDocs),
  'docs/reference/settings.md': begun(renderConfigDocs),
  'docs/reference/doctor.md': begun((page) => renderDoctorDocs(page, CHECKS)),
  'docs/guide/security.md': begun(renderDisclosure),
  'docs/reference/http.md': begun(renderScopeDocs),
  'docs/reference/support.md': begun(renderSupport),
  'docs/contributing/hook-settings.md': renderHookSettings,
  'docs/contributing/scenarios.md': renderScenarios,
};
