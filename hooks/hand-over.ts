// Hands an envelope to the daemon and waits for its acknowledgement, not for long.
import { existsSync } from 'node:fs';
import { encodeEnvelope, type Envelope } from '../src/wire/envelope.ts';

/** `missing`: nobody listens; `unanswered`: somebody does, but the envelope is not known to be kept. */
export type HandOver = 'kept' | 'missing' | 'unanswered';

/** Ends within `limit` ms. */
export function handOver(socket: string, envelope: Envelope, limit: number): Promise<HandOver> {
  if (process.platform !== 'win32' && !existsSync(socket)) return Promise.resolve('missing');
  const { connect } = process.getBuiltinModule('node:net'); // loaded only where somebody may listen: it costs milliseconds
  return new Promise((resolve) => {
    let answer = '';
    let connected = false;
    const connection = connect(socket);
    const end = (result: HandOver): void => {
      resolve(result);
      connection.destroy();
    };
    setTimeout(() => end('unanswered'), limit);
    connection.on('error', () => end(connected ? 'unanswered' : 'missing'));
    connection.on('close', () => end('unanswered'));
    connection.on('connect', () => {
      connected = true;
    });
    connection.on('data', (chunk: Buffer) => {
      answer += chunk;
      if (answer.includes('\n') || answer.length > 4096) end(answer.startsWith('{"ok":true') ? 'kept' : 'unanswered');
    });
    connection.write(encodeEnvelope(envelope));
  });
}
