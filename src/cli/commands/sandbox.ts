// `belfry sandbox`: runs a local mock of the organization's service until it is stopped.
import { EXIT, UserError } from '../../model/errors.ts';
import { parseDuration } from '../../model/quantities.ts';
import type { Define } from '../command-entry.ts';

interface Options {
  readonly port?: string;
  readonly latency?: string;
  readonly failRate?: string;
  readonly rateLimit?: string;
  readonly seed?: string;
}

export const define: Define = (command, io) => {
  command
    .option('--port <N>', 'port to listen on (default: any free one)')
    .option('--latency <D>', 'delay each answer, for example by 200ms (default: 0)')
    .option('--fail-rate <P>', 'share of requests answered with 500, from 0 to 1 (default: 0)')
    .option('--rate-limit <N>', 'allow N requests in 10 seconds, then answer 429 with Retry-After (default: no limit)')
    .option('--seed <S>', 'generate different data; the same for the same S')
    .action(async (options: Options) => {
      const settings = {
        port: number('--port', options.port, 0, 65_535, true),
        failRate: number('--fail-rate', options.failRate, 0, 1, false),
        rateLimit: number('--rate-limit', options.rateLimit, 1, 1_000_000, true),
        latencyMs: latency(options.latency),
        seed: options.seed,
      };
      const { startSandbox } = await import('../../sandbox/index.ts');
      const { baseUrl, appUrl, apiKey, memberKey, close } = await startSandbox(settings).catch((error: unknown) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        throw new UserError(`cannot listen on port ${settings.port ?? 0} (${code}): choose another with --port`);
      });
      io.line(JSON.stringify({ baseUrl, appUrl, apiKey, memberKey }));
      if (io.tty) {
        io.note('In another terminal:');
        io.note(`  export BELFRY_API_BASE_URL=${baseUrl} BELFRY_API_APP_URL=${appUrl} BELFRY_API_KEY=${apiKey}`);
        io.note('  belfry api analytics activity --last 7d');
      }
      await stopped();
      await close();
    });
};

/** Resolves when the process is signalled to stop. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function number(name: string, text: string | undefined, low: number, high: number, whole: boolean): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= low && value <= high) || (whole && !Number.isInteger(value)))
    throw new UserError(`${name} must be a ${whole ? 'whole ' : ''}number from ${low} to ${high}`, EXIT.usage);
  return value;
}

/** Longest delay of an answer, ms. */
const LONGEST_LATENCY = 3_600_000;

function latency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === null || ms > LONGEST_LATENCY)
    throw new UserError('--latency must be a duration such as 200ms or 2s, at most 1h', EXIT.usage);
  return ms;
}
