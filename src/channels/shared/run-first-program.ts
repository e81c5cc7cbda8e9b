// Runs the first of several programs that is there and works: systems have different ones for the same thing.
import { type ProgramResult, runProgram } from '../../lib/programs/run-program.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';

/** One way to do it. */
export interface Way {
  readonly program: string;
  /** Never text from agents. */
  readonly args: readonly string[];
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What programs need to find the sound server, and nothing of ours. */
const VARIABLES =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|XDG_RUNTIME_DIR|PULSE_\w+|PIPEWIRE_\w+|ALSA_\w+|DBUS_SESSION_BUS_ADDRESS|SystemRoot|TEMP|TMP|USERPROFILE|PATHEXT)$/i;

const variables = (env: ChannelTools['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => VARIABLES.test(name)));

/** `input`: for standard input; `missing`: what to do where none is there; `limit`: ms for all of them together. */
export async function runFirst(
  ways: readonly Way[],
  {
    tools,
    input,
    missing,
    limit,
    signal,
  }: {
    readonly tools: Pick<ChannelTools, 'env'>;
    readonly input?: string;
    readonly missing: string;
    readonly limit: number;
    readonly signal: AbortSignal;
  },
): Promise<Outcome> {
  const end = performance.now() + limit;
  let last: Outcome = { ok: false, reason: 'invalid-config', error: missing };
  for (const { program, args, env = {} } of ways) {
    const left = Math.max(1, end - performance.now());
    const given = input === undefined ? {} : { input };
    const call = { program, args, env: { ...variables(tools.env), ...env }, ...given, limit: left, signal };
    const ended = await runProgram(call);
    if (ended.code === 0) return { ok: true };
    if (ended.fault === 'ENOENT') continue;
    last = failure(program, ended);
    if (ended.cancelled || ended.timedOut) return last;
  }
  return last;
}

function failure(program: string, { cancelled, timedOut, fault, code, stderr }: ProgramResult): Outcome {
  if (cancelled || timedOut)
    return { ok: false, reason: 'timeout', error: `${program} was ended before it had finished`, unknown: true };
  const how = fault ?? (code === null ? 'ended by a signal' : `exit code ${code}`);
  const answer = stderr.trim();
  const error = `${program} failed (${how}); is there a sound device, and is the daemon in your session?`;
  return { ok: false, reason: 'server', error, ...(answer === '' ? {} : { answer }) };
}
