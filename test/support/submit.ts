// Hands events over to a daemon by its socket, as the hook does, and knows whether they were acknowledged.
import { connect } from 'node:net';
import { encodeEnvelope } from '../../src/ipc/envelope.ts';

/** Bytes of padding: a disk fills up sooner. */
const TEXT = 6_000;

/** Hands a padded event over as the hook does; true when it was acknowledged. */
export function handOver(socketPath: string, id: string, n: number): Promise<boolean> {
  return submitInput(socketPath, id, {
    session_id: `full-${n % 4}`,
    cwd: '/tmp',
    hook_event_name: 'Notification',
    notification_type: 'permission_prompt',
    message: `asks ${n}`,
    padding: 'x'.repeat(TEXT),
  });
}

/** The same for any input of an agent; without the time that a program takes to start. */
export function submitInput(
  socketPath: string,
  id: string,
  input: Record<string, unknown>,
  agent = 'claude',
): Promise<boolean> {
  const envelope = encodeEnvelope({
    id,
    agent,
    startedAt: Date.now(),
    receivedAt: Date.now(),
    origin: { pid: 1, ppid: 1, env: {} },
    raw: Buffer.from(JSON.stringify(input)),
  });
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => resolve(false));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('close', () => resolve(answer.includes('"ok":true')));
    socket.write(envelope);
  });
}
