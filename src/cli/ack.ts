// `belfry ack`: refused until there is escalation to stop.
import { EXIT, UserError } from '../model/errors.ts';
import type { Define } from './entry.ts';

export const define: Define = (command) => {
  command
    .argument('[ID]')
    .allowUnknownOption()
    .action(() => {
      throw new UserError(
        'escalation is not there yet in this version of belfry, so there is nothing to acknowledge',
        EXIT.usage,
      );
    });
};
