// By what machines elsewhere know who looks after them.
import { sha256 } from '../../lib/hash.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { answerKey } from '../answering/answer-key.ts';

/** An id of this Belfry's own, and this machine's name in plain letters. */
export function remoteOwner(state: string): { readonly id: string; readonly name: string } {
  const id = sha256(`remote ${answerKey(state).toString('hex')}`, 32);
  return { id, name: HERE.host.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64) || 'unnamed' };
}
