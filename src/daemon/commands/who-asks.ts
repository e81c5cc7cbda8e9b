// Who gives a command: any process that reaches the socket, one of this machine, or a person of it. What is said is not believed: it is shown.
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../../agents/index.ts';
import { type Command, type ProofRequest, PROOFS } from '../../ipc/frames.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { agentBehind, refusalOf } from '../../peer/agent-behind.ts';
import { isHeldBy } from '../../peer/held-file.ts';
import { makePrivateFolder } from '../../runtime/private-folder.ts';
import { isAlive } from '../../runtime/process-table.ts';

/** `here`: a process that reads this user's files on this machine. `person`: besides, one that no agent runs. */
export type AskedBy = 'anyone' | 'here' | 'person';

/** How whoever gives a command is asked to show it. */
export interface Peer {
  readonly ask: (request: ProofRequest) => Promise<void>;
  /** Its next line; null: it says none. */
  readonly next: () => Promise<string | null>;
}

/** Throws when it is not given by whom it may be. `instead`: how a person gives it. */
export async function admitPeer(
  { op, pid }: Command,
  { by, instead }: { readonly by: AskedBy; readonly instead: string },
  peer: Peer,
  run: string,
): Promise<void> {
  if (by === 'anyone') return;
  if (pid === undefined)
    throw new UserError(
      'this belfry is older than the running daemon: upgrade it, or run `belfry restart` with it',
      EXIT.auth,
    );
  const shown = await provedBy(pid, peer, run);
  if (shown === 'elsewhere')
    throw new UserError(
      `"${op}" is not taken from another machine (through belfry.sock go events only): ${instead}`,
      EXIT.auth,
    );
  if (by === 'here') return;
  if (shown === 'unseen')
    throw new UserError(
      `the daemon does not see the process that asks: ${instead}; if you do, run \`belfry restart\` there first`,
      EXIT.auth,
    );
  const agent = await agentBehind(agents, pid);
  if (agent !== null) throw new UserError(refusalOf(agent, instead), EXIT.auth);
}

/** It opens a file that is named to it alone, says what is in it, and has it open while its process is looked at. */
async function provedBy(pid: number, { ask, next }: Peer, run: string): Promise<'here' | 'unseen' | 'elsewhere'> {
  const folder = join(run, PROOFS);
  const trouble = makePrivateFolder(folder);
  if (trouble !== null) throw new UserError(trouble);
  const [name, content] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const path = join(folder, name);
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, content);
    await ask({ prove: name });
    if ((await next()) !== content) return 'elsewhere';
    const held = await isHeldBy(pid, { path, stats: fstatSync(fd, { bigint: true }) });
    return (held ?? isAlive(pid, null)) ? 'here' : 'unseen';
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}
