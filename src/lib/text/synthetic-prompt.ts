// Prompts that a client puts into the user's mouth: notices of its tasks, output of commands, reminders, a subagent's orders, its own resumption.

/** Text that begins with a tag was made by a program. */
const TAGGED =
  /^\s*<(?:task-notification|system-reminder|system_notification|local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr)|user-prompt-submit-hook)\b/;
/** A client's own words, at the beginning of a line of their own. */
const PHRASED =
  /^\s*(?:Background task (?:completed|failed|cancelled|stopped)\.?[ \t]*\r?\ntask_id:|# Task Tool Invocation\b|Your [\w.]{1,40} usage limit has reset\. Continue the task\b)/;

/** Whether nobody asked this. */
export function isSyntheticPrompt(prompt: string): boolean {
  const start = prompt.slice(0, 1_000);
  return TAGGED.test(start) || PHRASED.test(start);
}
