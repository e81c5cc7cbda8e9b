// What stops sessions that may go on later.

/** As `[resume] on` names it. */
export const STOP_CAUSES = ['limit', 'overloaded', 'network'] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** By the details of `session.failed`; other causes do not pass by themselves. */
const CAUSES: Readonly<Record<string, StopCause>> = { server: 'overloaded', network: 'network' };

/** The cause that passes by itself, by the detail of a failure; null: it does not, or a limit's may be. */
export const passingCause = (detail: string | null): StopCause | null => CAUSES[detail ?? ''] ?? null;
