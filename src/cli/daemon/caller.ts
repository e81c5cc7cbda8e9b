// Where this command runs, for what it sends.
import { selectVariables } from '../../ipc/hook-origin.ts';
import { terminalOf } from '../../runtime/process-table.ts';

/** As an envelope's origin has it. */
export function callerOf(env: NodeJS.ProcessEnv): { readonly env: Record<string, string>; readonly tty?: string } {
  const tty = terminalOf(process.pid);
  return { env: selectVariables(env), ...(tty !== null && { tty }) };
}
