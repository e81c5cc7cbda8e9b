// Which event of Copilot an input is: named on the command line, in the payload, or by what the payload holds.

const NAMES = [
  'sessionStart',
  'sessionEnd',
  'userPromptSubmitted',
  'agentStop',
  'subagentStart',
  'subagentStop',
  'notification',
  'permissionRequest',
  'postToolUse',
  'errorOccurred',
] as const;

/** The names in a file written for another client, in PascalCase. */
const OTHER_NAMES: Readonly<Record<string, string>> = { stop: 'agentStop', userpromptsubmit: 'userPromptSubmitted' };

const BY_NAME = new Map<string, string>([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(OTHER_NAMES),
]);

interface Named {
  readonly hookName?: string | undefined;
  readonly hook_event_name?: string | undefined;
}

/** The name as given, else by what the payload holds. */
export function eventName(fields: Named & Readonly<Record<string, unknown>>, hint: string | null): string | null {
  return fields.hookName || fields.hook_event_name || hint || byContent(fields);
}

/** The camelCase name of a name in any case. */
export function camelCase(name: string): string {
  return BY_NAME.get(name.toLowerCase()) ?? name;
}

/** Fields that only one event has. */
function byContent(fields: Readonly<Record<string, unknown>>): string | null {
  const has = (...names: readonly string[]) => names.some((name) => fields[name] !== undefined);
  if (has('reason')) return 'sessionEnd';
  if (has('error')) return 'errorOccurred';
  if (has('response')) return 'subagentStop';
  if (has('stopReason', 'stop_reason')) return 'agentStop';
  if (has('agentId', 'agent_id')) return 'subagentStart';
  if (has('source')) return 'sessionStart';
  return has('prompt') ? 'userPromptSubmitted' : null;
}
