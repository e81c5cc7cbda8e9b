// Which of several open requests a tool's end answers.
import type { ParsedHook } from '../../model/agent/agent.ts';
import type { NotificationFacts } from '../../dispatch/notification-facts.ts';

const textIn = (value: unknown, name: string): string | null => {
  const found = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : null;
  return typeof found === 'string' ? found : null;
};

/** The subagent that asked; null: the session itself, or it is not known. */
export function askedBySubagent({ event }: NotificationFacts): string | null {
  return textIn(event?.attributes['subagent'], 'id');
}

/** One request as the client described it. */
interface Request {
  readonly open: NotificationFacts;
  readonly toolUseId: string | null;
  readonly name: string | null;
  readonly summary: string | null;
}

function requestOf(open: NotificationFacts): Request {
  const { tool, tool_use_id: toolUseId } = open.event?.attributes ?? {};
  return {
    open,
    toolUseId: typeof toolUseId === 'string' ? toolUseId : null,
    name: textIn(tool, 'name'),
    summary: textIn(tool, 'summary'),
  };
}

/**
 * The request of the same tool use; else the oldest of the same tool, best with the same input; else those of which it is not known
 * what they ask for. One of another tool stays: tools that need no permission run beside an open prompt.
 */
export function matchingRequests(
  waiting: readonly NotificationFacts[],
  { tool, toolUseId }: Pick<ParsedHook, 'tool' | 'toolUseId'>,
): readonly NotificationFacts[] {
  const requests = waiting.map(requestOf);
  const same = requests.filter((request) => toolUseId !== null && request.toolUseId === toolUseId);
  if (same.length > 0) return same.map(({ open }) => open);
  // Two ids that differ are two uses, whatever the tool.
  const named = requests.filter(
    (request) => tool !== null && request.name === tool.name && (toolUseId === null || request.toolUseId === null),
  );
  const [first] = [...named.filter(({ summary }) => summary === tool?.summary), ...named];
  if (first !== undefined) return [first.open];
  const unknown = requests.filter((request) => (tool === null ? request.toolUseId : request.name) === null);
  return unknown.map(({ open }) => open);
}
