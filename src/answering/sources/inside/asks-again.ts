// Whether a question that a daemon before this one left open will be asked again from inside its client.
import type { Agent } from '../../../model/agent/agent.ts';
import { subjectSchema } from '../../../model/question/answering.ts';
import type { Question } from '../../../model/question/question.ts';

/** Code of ours in the client asks the next daemon for as long as the client waits, and the client runs, for all that is known. */
export function mayAskAgain({ subject }: Question, agents: (name: string) => Agent | undefined): boolean {
  const read = subjectSchema.safeParse(subject);
  return read.success && agents(read.data.agent)?.answering?.inside !== undefined;
}
