// The program that looks at the files of one file system for the daemon: when that does not answer, only this hangs.
import { type FileAnswer, type FileRequest, perform } from './file-requests.ts';

/** One look that is wanted, and its end. */
export interface ReaderCall {
  readonly number: number;
  readonly request: FileRequest;
}
export interface ReaderReply {
  readonly number: number;
  readonly answer: FileAnswer;
}

/** Said once, when it takes calls. */
export const READY: ReaderReply = { number: 0, answer: null };

const send = (reply: ReaderReply): void => void process.send?.(reply);

// An ordinary exit waits for the threads that hang.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', ({ number, request }: ReaderCall) => {
  void perform(request).then((answer) => send({ number, answer })); // never rejects
});
send(READY);
