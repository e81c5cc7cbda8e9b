// The answering hook's command line. Unknown options are ignored: a hook never complains.

/** Options of belfry-ask. */
export interface AskOptions {
  readonly agent: string;
  /** The command line around it turns REPLY_STATUS into a reply. */
  readonly reply: boolean;
}

/** Reads `--agent NAME` and `--reply`; null without an agent: then nothing can be asked. */
export function readAskOptions(args: readonly string[]): AskOptions | null {
  const at = args.indexOf('--agent');
  const agent = at < 0 ? undefined : args[at + 1];
  return agent ? { agent: agent.slice(0, 128), reply: args.includes('--reply') } : null;
}
