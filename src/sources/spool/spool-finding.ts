// What a file of the spool is found to be.
import type { Envelope } from '../../ipc/envelope.ts';

/** One that is being written; `quiet`: ms since its last change, `since`: Unix ms of its beginning, `json`: its input is whole, `input`: as far as it was read. */
export interface UnfinishedFile {
  readonly state: 'unfinished';
  readonly writer: number;
  readonly quiet: number;
  readonly since: number;
  readonly json: boolean;
  readonly input: Pick<Envelope, 'agent' | 'raw'> | null;
}

/** What a file of the spool is; `foreign`: none of the spool's. */
export type SpoolFile =
  | { readonly state: 'whole'; readonly envelope: Envelope }
  | UnfinishedFile
  | { readonly state: 'unreadable'; readonly reason: string }
  | { readonly state: 'gone' }
  | { readonly state: 'foreign' };
