// Where this process runs: part of what names a session and an owner of leases.
import { hostname, userInfo } from 'node:os';

/** Machine and user. */
export interface Whereabouts {
  readonly host: string;
  readonly user: string;
}

/** This machine and this user; a user without an entry in the system's list goes by the number. */
export const HERE: Whereabouts = { host: hostname(), user: userName() };

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? process.env['LOGNAME'] ?? String(process.getuid?.() ?? 'unknown');
  }
}
