// Calls of the organization's service, and whether one is configured at all.
import { signal } from '@preact/signals';
import { type Call, InterfaceError } from '../../http/api/client.ts';
import { call } from './access.ts';

/** Nobody has said where it is. */
export const isServiceMissing = signal(false);

/** As `call`, which it is. Throws InterfaceError. */
export const callService: Call = async (name, input, abort) => {
  try {
    const answer = await call(name, input, abort);
    isServiceMissing.value = false;
    return answer;
  } catch (error) {
    if (error instanceof InterfaceError) isServiceMissing.value = error.problem.kind === 'not-configured';
    throw error;
  }
};
