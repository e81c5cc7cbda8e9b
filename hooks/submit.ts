// Submits an envelope to the daemon and waits briefly for its acknowledgement.
import { encodeEnvelope, type Envelope } from '../src/ipc/envelope.ts';
import { connectPipe, type Pipe } from './pipe.ts';

/** `missing`: nobody listens; `unanswered`: somebody does, but the envelope is not known to be kept. */
export type SubmitResult = 'kept' | 'missing' | 'unanswered';

/** Ends within `limit` ms. */
export function submit(socket: string, envelope: Envelope, limit: number): Promise<SubmitResult> {
  return new Promise((resolve) => {
    const unanswered = (): void => resolve('unanswered');
    setTimeout(unanswered, limit);
    connectPipe(socket).then((pipe) => (pipe ? ask(pipe, envelope, resolve) : resolve('missing')), unanswered);
  });
}

function ask(pipe: Pipe, envelope: Envelope, resolve: (result: SubmitResult) => void): void {
  let answer = '';
  pipe.read((chunk) => {
    answer += chunk ?? '\n';
    if (answer.includes('\n') || answer.length > 4096) resolve(answer.startsWith('{"ok":true') ? 'kept' : 'unanswered');
  });
  pipe.write(encodeEnvelope(envelope)); // the acknowledgement says more
}
