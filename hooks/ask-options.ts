// The answering hook's command line. Unknown options are ignored: a hook never complains.

/** Options of belfry-ask. */
export interface AskOptions {
  readonly agent: string;
  /** The command line around it turns REPLY_STATUS into a reply. */
  readonly reply: boolean;
  /** The client's own dialog or prompt is usable meanwhile. */
  readonly beside: boolean;
}

/** Reads `--agent NAME`, `--reply` and `--beside`, which `--reply` implies; null without an agent: then nothing can be asked. */
export function readAskOptions(args: readonly string[]): AskOptions | null {
  const at = args.indexOf('--agent');
  const agent = at < 0 ? undefined : args[at + 1];
  const reply = args.includes('--reply');
  return agent ? { agent: agent.slice(0, 128), reply, beside: reply || args.includes('--beside') } : null;
}
