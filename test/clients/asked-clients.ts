// The real clients that are answered from elsewhere: the world of each, its dialog, and what it can ask.
import { codexTool, copilotTool, opencodeTool, qwenTool } from './asked-tools.ts';
import { answerWorld } from './answer-world.ts';
import { insideWorld } from './inside-world.ts';
import { joinedWorld, OWN } from './joined-world.ts';
import type { ScenarioClient } from './real/client.ts';
import { codex } from './real/codex.ts';
import { askedCopilot } from './real/copilot.ts';
import { opencode } from './real/opencode.ts';
import { qwen } from './real/qwen.ts';

/** Where one of them runs. */
export type AskedWorld = NonNullable<Awaited<ReturnType<typeof answerWorld | typeof insideWorld | typeof joinedWorld>>>;

/** One of them. */
export interface AskedClient {
  readonly client: string;
  readonly world: () => Promise<AskedWorld | null>;
  /** What it calls the tool for a command. */
  readonly tool: string;
  readonly dialog: string;
  /** The key that says Yes in it. */
  readonly yes: string;
  /** What begins another conversation in the same terminal. */
  readonly clear: string;
  /** The screen once that one can be answered from elsewhere, where it is not so at once. */
  readonly cleared?: RegExp;
  /** The one of before can be given a next instruction no more at once, or once the next one has got its first prompt; or it goes on out of sight. */
  readonly leaves: 'at once' | 'with a prompt' | 'never';
  /** Words of the command line of what holds its session; left away: the program in the terminal does. */
  readonly holder?: string;
  /** Ms after which it looks for an answer from elsewhere at the latest; 0: it is told. */
  readonly looks: number;
  /** Its own record of the session, below HOME, and the line of an answer of ours that allowed; null: it keeps none that says it. */
  readonly records: { readonly folder: string; readonly isAllow: (line: string) => boolean } | null;
  /** What it can ask: nothing, something to choose, something to choose or to say in words. */
  readonly asks: 'nothing' | 'options' | 'words';
  /** Whether its open question can be answered through the next daemon. */
  readonly resumes: boolean;
}

/** That of Codex, however it is set up. */
export const codexWorld = (client: ScenarioClient): Promise<AskedWorld | null> =>
  joinedWorld(client, { choose: codexTool, install: ['--answer'], start: (name) => [name] });

export const ASKED_CLIENTS: readonly AskedClient[] = [
  {
    client: 'claude',
    world: () => answerWorld(),
    dialog: 'Do you want to proceed?',
    yes: 'Enter',
    tool: 'Bash',
    clear: '/clear',
    leaves: 'at once',
    looks: 0,
    records: {
      folder: '.claude/projects',
      isAllow: (line) => line.includes('"type":"hook_permission_decision","decision":"allow"'),
    },
    asks: 'words',
    resumes: false,
  },
  {
    client: 'opencode',
    world: () => insideWorld(opencode, opencodeTool),
    dialog: 'Permission required',
    yes: 'Enter',
    tool: 'bash',
    clear: '/new',
    leaves: 'never',
    looks: 0,
    records: null,
    asks: 'words',
    resumes: true,
  },
  {
    client: 'codex',
    world: () => codexWorld(codex),
    dialog: 'Would you like to run the following command',
    yes: 'y',
    tool: 'Bash',
    clear: '/clear',
    leaves: 'with a prompt',
    holder: 'app-server --listen',
    looks: 0,
    records: null,
    asks: 'words',
    resumes: true,
  },
  {
    client: 'copilot',
    world: () => insideWorld(askedCopilot, copilotTool),
    dialog: 'Do you want to run this command',
    yes: 'Enter',
    tool: 'shell',
    clear: '/clear',
    cleared: /MCP Servers reloaded/, // its extensions are begun again then too
    leaves: 'at once',
    looks: 0,
    records: {
      folder: '.copilot/session-state',
      isAllow: (line) =>
        line.includes('"permission.completed"') && line.includes('"approved"') && !line.includes('human_response'),
    },
    asks: 'options',
    resumes: true,
  },
  {
    client: 'qwen',
    world: () => joinedWorld(qwen, { choose: qwenTool, install: [], start: (name) => [...OWN, 'run', name] }),
    dialog: 'Allow execution of',
    yes: 'Enter',
    tool: 'run_shell_command',
    clear: '/clear',
    leaves: 'at once',
    holder: '--input-file',
    looks: 500,
    records: null,
    asks: 'nothing',
    resumes: true,
  },
];

/** The world of the one with this name. */
export function worldOf(name: string): AskedClient['world'] {
  const found = ASKED_CLIENTS.find(({ client }) => client === name);
  if (found === undefined) throw new Error(`no client is called ${name}`);
  return found.world;
}
