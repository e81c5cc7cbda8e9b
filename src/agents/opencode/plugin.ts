// The plugin that opencode loads: passes the events of interest to the hook, waits for nothing and never throws.

/** The bus events passed on; session.status too, but only when work begins. */
const FORWARDED = [
  'session.created',
  'session.compacted',
  'session.idle',
  'session.error',
  'permission.asked',
  'permission.replied',
  'question.asked',
  'question.replied',
  'question.rejected',
] as const;

/** The whole file; `command` is the hook's command line, run by the system's shell. */
export function pluginModule(command: string): string {
  return `// Tells Belfry what this client's sessions do. Written by \`belfry install\`, removed by \`belfry uninstall\`.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify(command)};
const FORWARDED = new Set(${JSON.stringify(FORWARDED)});

export const Belfry = async (context) => {
  const busy = new Set();
  // A session reports that it is busy at every step; only the first counts.
  const wanted = ({ type, properties }) => {
    if (type === 'session.idle') busy.delete(properties?.sessionID);
    if (type !== 'session.status') return FORWARDED.has(type);
    if (properties?.status?.type !== 'busy' || busy.has(properties.sessionID)) return false;
    busy.add(properties.sessionID);
    return true;
  };
  return {
    event: async ({ event }) => {
      try {
        if (!wanted(event)) return;
        const hook = spawn(COMMAND, { shell: true, cwd: context?.directory, stdio: ['pipe', 'ignore', 'ignore'] });
        hook.on('error', () => undefined);
        hook.stdin.on('error', () => undefined);
        hook.stdin.end(JSON.stringify(event));
        hook.unref();
      } catch {
        // a failed notification must not affect the client
      }
    },
  };
};
`;
}
