// `computers create --wait`: ends when the computer is ready, or has failed.
import { EXIT } from '../../../model/errors.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { connectClient } from '../connect.ts';
import type { CustomCommand } from './custom-command.ts';
import { WAIT_OPTION, waitUntil } from './wait.ts';
import { noteFault } from '../../report-error.ts';

export const createComputer: CustomCommand = {
  resource: 'computers',
  name: 'create',
  options: [[WAIT_OPTION, 'wait until it is active or has failed (default: 15m)']],
  after: async (answer, options, io) => {
    const { wait } = options;
    const { name } = answer;
    if (wait === undefined || typeof name !== 'string') return undefined;
    const client = await connectClient(io, options);
    const done = await waitUntil(io, wait, {
      what: `computer ${oneLine(name)}`,
      look: () => client.computers.get({ name }),
      // A service that gives no status leaves nothing to wait for.
      isOver: ({ status }) => status !== 'provisioning',
      state: ({ status, provisioningSteps }) => {
        const step = provisioningSteps?.find((one) => !one.completedAt);
        return `${status ?? ''}${step ? `: ${step.name ?? step.id}` : ''}`;
      },
      again: `belfry api computers get ${oneLine(name)}`,
    });
    if (done.status !== 'error') return done;
    const failed = done.provisioningSteps?.find((one) => one.error);
    const why = failed ? ` at "${oneLine(failed.name ?? failed.id)}": ${oneLine(failed.error ?? '')}` : '';
    noteFault(io, `provisioning failed${why}; see \`belfry api computers get ${oneLine(name)}\``);
    io.exit = EXIT.refused;
    return done;
  },
};
