// The settings of a command.
import * as z from 'zod';

const word = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character');

/** The channel's own settings. */
export const commandSchema = z.strictObject({
  run: z
    .tuple([word.min(1)], word)
    .describe(
      'The program and its arguments, as a list. There is no shell: nothing in it is expanded but a leading `~/`.',
    ),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and _'),
      word.meta({ secret: true, literal: true }),
    )
    .default({})
    .describe('More variables; a value may be `"env:NAME"`, `"file:PATH"` or `"secret:NAME"`.'),
  cwd: word.min(1).optional().describe('The folder it runs in; your home folder otherwise.'),
  updates: z
    .boolean()
    .default(false)
    .describe('Also run it for `notification.updated` and `notification.resolved` when a notification changes.'),
});
export type CommandSettings = z.output<typeof commandSchema>;
