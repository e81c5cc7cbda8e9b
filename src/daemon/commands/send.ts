// `send`: an event raised by hand, through journal, pipeline and outbox like any other.
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import { KINDS, URGENCIES } from '../../model/event/event.ts';
import { isDiskFull } from '../../lib/files/disk-full.ts';
import { newId } from '../../ipc/id.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import { callerSchema } from './caller-terminal.ts';
import { type CommandHandler, parseArgs } from './context.ts';
import { waitForFirstAttempt } from './wait-for-attempt.ts';

const schema = z.object({
  title: z.string().min(1),
  body: z.string().default(''),
  kind: z.enum(KINDS).default('test'),
  urgency: z.enum(URGENCIES).default('normal'),
  session: z.string().nullable().default(null),
  cwd: z.string().nullable().default(null),
  ...callerSchema,
});

/** Answers with the event's id, the verdicts and the result of each delivery. */
export const send: CommandHandler = async (given, parts) => {
  const { title, body, kind, urgency, session, cwd, caller } = parseArgs(schema, given);
  const at = parts.clock.now();
  const event = internalEvent({
    id: newId(at),
    kind,
    at,
    urgency,
    presetText: { title, body },
    sessionId: session,
    place: caller,
    cwd,
  });
  await parts.ingest.acceptEvent({ event, source: 'command', occurrence: null }).catch((error: unknown) => {
    if (isDiskFull(String(error))) throw error; // which says what to do
    throw new UserError(`the journal cannot be written (${String(error)}): run \`belfry doctor\``, EXIT.other);
  });
  const decided = async (): Promise<boolean> => (await parts.store.event(event.id)) !== null;
  const deliveries = await waitForFirstAttempt(parts, { eventId: event.id }, () => true, decided);
  const stored = await parts.store.event(event.id);
  return { id: event.id, verdicts: stored?.verdicts ?? [], deliveries };
};
