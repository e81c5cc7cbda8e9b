// The variables that a command is given: what programs need to run at all, and what the event is.
import type { OutgoingMessage } from '../../model/channel/channel.ts';

/** Kept of the daemon's own environment, which may hold secrets; the second half is what programs need on Windows. */
const KEPT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'BELFRY_HOME',
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramFiles',
  'ProgramData',
];

/** No text of an agent is in it: a script that does not quote a variable would run it. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { id, notificationId, operation, content }: OutgoingMessage,
): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    BELFRY_DELIVERY_ID: id,
    BELFRY_NOTIFICATION_ID: notificationId,
    BELFRY_OPERATION: operation,
    BELFRY_KIND: content.event.kind,
    BELFRY_URGENCY: content.urgency,
    // An agent that it starts would otherwise report its own end, and so start it again.
    BELFRY_DISABLE: '1',
  };
}
