// What a client says still runs in the background.
import type { BackgroundTask } from '../../model/agent/agent.ts';
import { firstString } from './fields.ts';
import { firstLineOf } from './tool-use-line.ts';
import { asObject } from '../../lib/json/json.ts';

const OVER =
  /^(completed?|done|finished|succeeded|success|failed|error(ed)?|killed|stopped|cancell?ed|aborted|exited|ended|timed?_?out)$/i;
const MAX_TASKS = 100;

/** Null when the client does not say. An entry not marked as finished counts as running, whatever its shape. */
export function backgroundTasksOf(tasks: unknown, except?: string | null): readonly BackgroundTask[] | null {
  if (tasks === undefined || tasks === null) return null;
  const list = Array.isArray(tasks) ? tasks : Object.values(asObject(tasks));
  return list
    .slice(0, MAX_TASKS)
    .map((task): BackgroundTask & { readonly status: string | null } => {
      const fields = asObject(task);
      const label =
        typeof task === 'string' ? task : firstString(fields, 'description', 'command', 'name', 'agent_type');
      return {
        id: firstString(fields, 'id', 'task_id', 'agent_id'),
        type: firstString(fields, 'type', 'kind') ?? 'task',
        label: label === null ? null : firstLineOf(label),
        status: firstString(fields, 'status', 'state'),
      };
    })
    .filter((task) => !(task.status !== null && OVER.test(task.status)) && (!except || task.id !== except))
    .map(({ id, type, label }) => ({ id, type, label }));
}
