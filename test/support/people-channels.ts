// Channels of days and sequences in virtual time, and what is short in their titles.
import type { Moment } from './timeline.ts';

/** One that keeps what it has. */
export const DESK = `[channels.desk]
type = "slack"
url = "https://127.0.0.1:9/services/x"
allow_private = true
`;
/** One that changes it. */
export const PHONE = `[channels.phone]
type = "ntfy"
topic = "belfry-of-the-tests"
`;
/** One that changes it, and takes answers. */
export const ANSWERING_PHONE = `[channels.phone]
type = "telegram"
token = "123456:abcdefghijklmnopqrstuvwxyz123456789"
chat = 1
allow = [1]
`;
/** Two channels for people, which keep what they have. */
export const DESK_AND_PHONE = `${DESK}${PHONE}on_resolved = "keep"\n`;
/** A channel that keeps a record. */
export const AUDIT = `[channels.audit]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
`;

/** A sequence: what the settings say of the route, what happens, until when (s), and what goes out. */
export type SequenceCase = readonly [
  name: string,
  route: string,
  moments: readonly Moment[],
  end: number,
  expected: readonly string[],
  more?: string,
];

/** A line without project and agent. */
export const shortTitle = (line: string): string =>
  line
    .replace(/payments: Claude('s)? /, '')
    .replace('needs permission to run Bash', 'asks')
    .replace('stopped: rate limit', 'failed');
