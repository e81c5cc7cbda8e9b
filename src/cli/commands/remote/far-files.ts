// What Belfry has on a machine elsewhere: its scripts, and the hooks of the agents there.
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { AnswerChoice } from '../../../../installers/answer-entries.ts';
import { detectAgents } from '../../../../installers/detect-agents.ts';
import type { FarFacts, FarSession } from '../../../../installers/far/far-session.ts';
import { findProgram } from '../../../../installers/find-program.ts';
import { installedPlugin } from '../../../../installers/installed-plugin.ts';
import { farTools } from '../../../../installers/install-context.ts';
import type { InstallContext } from '../../../../installers/install.ts';
import { type Machine, placesOf } from '../../../../installers/settings-file.ts';
import { agentsByUse } from '../../../agents/index.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { FAR_FOLDER } from '../../../runtime/remote-command.ts';
import { scriptText } from './target.ts';

/** By their places below the home folder there. */
const SCRIPTS = [
  { path: `${FAR_FOLDER}/relay.sh`, file: 'relay.sh' },
  { path: `${FAR_FOLDER}/look-far.sh`, file: 'look-far.sh' },
  { path: `${FAR_FOLDER}/dist/belfry-hook.sh`, file: 'belfry-hook.sh' },
  { path: `${FAR_FOLDER}/dist/belfry-ask.sh`, file: 'belfry-ask.sh' },
  { path: `${FAR_FOLDER}/dist/belfry-ask.mjs`, file: 'belfry-ask-there.mjs' },
];

/** Those that are not there as this version has them. */
export async function outdatedScripts(session: FarSession, { home }: FarFacts): Promise<readonly string[]> {
  const outdated: string[] = [];
  for (const { path, file } of SCRIPTS) {
    const { bytes } = await session.files.read(`${home}/${path}`);
    if (bytes?.toString('utf8') !== (await scriptText(file))) outdated.push(path);
  }
  return outdated;
}

/** Puts them there. */
export async function putScripts(session: FarSession, { home }: FarFacts): Promise<void> {
  for (const { path, file } of SCRIPTS) {
    const state = await session.files.read(`${home}/${path}`);
    const bytes = Buffer.from(await scriptText(file));
    if (!isDeepStrictEqual(state.bytes, bytes)) await session.files.replace(state, bytes, 0o600);
  }
}

/** Where it is kept here what the settings there were. */
export const recordsOf = (paths: Paths, name: string): string => join(paths.state, 'remotes', name);

/** The machine and the tools of the installers there. */
export function installerThere(
  session: FarSession,
  facts: FarFacts,
  records: string,
  how: { readonly dryRun: boolean; readonly answer: AnswerChoice },
): { readonly machine: Machine; readonly tools: InstallContext } {
  return { machine: session.machine(facts), tools: farTools(facts.home, records, session.files, how) };
}

/** The agents that are there. */
export const agentsThere = (session: FarSession, machine: Machine): Promise<Agent[]> =>
  session.settled(() => detectAgents(agentsByUse, machine));

/** Finds out all that the installers ask of the machine about these agents. */
export async function lookAround(session: FarSession, machine: Machine, agents: readonly Agent[]): Promise<void> {
  const read = machine.facts?.text ?? (() => null);
  await session.settled(() => {
    for (const agent of agents.filter(({ settings }) => settings !== null)) {
      const { main } = placesOf(agent, { level: 'user' }, machine);
      findProgram(agent, machine);
      installedPlugin(agent, machine);
      agent.trust?.({ home: machine.home, settingsFile: main.path, read });
    }
  });
}
