// What a schema finds wrong, as a message for someone who fills in a field: one line, `must be ...`.
import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/** Messages of our own schemas as they are; the library's own sentences, which begin with a capital letter, in plain ones. */
export function zodMessage(issue: Issue): string {
  if (!/^[A-Z]/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, 'at least', issue.inclusive === false ? 'more than' : 'or more', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'at most', issue.inclusive === false ? 'less than' : 'or less', issue.maximum);
    default: {
      const text = issue.message.replace(/^Invalid (input|string): /, '');
      return text.charAt(0).toLowerCase() + text.slice(1);
    }
  }
}

function bound(origin: string, most: string, compared: string, limit: number | bigint): string {
  if (origin === 'string')
    return limit === 1n || limit === 1 ? 'must not be empty' : `must have ${most} ${limit} characters`;
  if (origin === 'array') return limit === 1 ? 'must not be empty' : `must have ${most} ${limit} entries`;
  return compared.startsWith('or') ? `must be ${limit} ${compared}` : `must be ${compared} ${limit}`;
}
