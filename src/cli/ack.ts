// `belfry ack`: refused until there is escalation to stop.
import { EXIT, UserError } from '../model/errors.ts';
import type { Define } from './entry.ts';

export const define: Define = (command) => {
  command
    .argument('[ID]')
    .allowUnknownOption()
    .action(() => {
      throw new UserError(
        'this version of belfry does not escalate yet, so there is nothing to acknowledge',
        EXIT.usage,
      );
    });
};
