// The agents that have Belfry's hooks on this machine.
import { isAskInstalled } from '../../../../installers/answer-entries.ts';
import { detectAgents } from '../../../../installers/detect-agents.ts';
import { findInstalled } from '../../../../installers/find-installed.ts';
import { thisMachine } from '../../../../installers/install-context.ts';
import { placesOf } from '../../../../installers/settings-file.ts';
import { agents as registered } from '../../../agents/index.ts';
import { isNotifyingCommand } from '../../../runtime/hook-command.ts';

/** One of them; `answer`: with what lets it be answered from elsewhere. */
export interface HookedAgent {
  readonly name: string;
  readonly answer: boolean;
}

/** The agents that have the hooks in this user's settings; one whose settings cannot be read counts as none. */
export async function hookedAgents(): Promise<HookedAgent[]> {
  const machine = thisMachine();
  const found = detectAgents(registered, machine).map(async (agent) => {
    const entries = await findInstalled(agent, placesOf(agent, { level: 'user' }, machine), isNotifyingCommand).catch(
      () => [],
    );
    if (entries.length === 0) return [];
    return [{ name: agent.name, answer: await isAskInstalled(agent, machine).catch(() => false) }];
  });
  return (await Promise.all(found)).flat();
}
