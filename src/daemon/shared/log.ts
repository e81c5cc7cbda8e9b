// The daemon's log: pino's JSON lines into state/daemon.log; keys that could hold a secret are blanked.
import { pino } from 'pino';
import { openLogFile } from './log-file.ts';

/** What every part of the daemon logs by. Messages are ours; what comes from outside goes into fields, and never whole. */
export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

const SECRET_KEYS = ['secret', 'token', 'url', 'authorization', 'password', 'raw', 'input', 'message'];

/** Opens the log. */
export function openLog(path: string): Log {
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[hidden]' },
    },
    openLogFile(path),
  );
  return (message, fields = {}) => logger.info(fields, message);
}
