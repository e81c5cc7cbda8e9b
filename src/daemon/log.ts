// The daemon's log: pino's JSON lines into state/daemon.log; keys that could hold a secret are blanked.
import { pino } from 'pino';
import { type LogFile, openLogFile } from './log-file.ts';

/** What every part of the daemon logs by. */
export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

const SECRET_KEYS = ['key', 'secret', 'token', 'url', 'authorization', 'password', 'raw', 'input', 'message'];

/** A log at level info; `warn` for what someone should look at. */
export function openLog(path: string, file: LogFile = openLogFile(path)): { info: Log; warn: Log } {
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[hidden]' },
    },
    file,
  );
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
  };
}
