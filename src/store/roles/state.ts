// What is known beyond one event: health of channels, mutes, that other settings are in force.
import type { Silence } from '../../model/event/verdict.ts';
import type { ChannelHealth } from '../records.ts';

/** Written by commands and workers; read through the reader. */
export interface State {
  setHealth(health: ChannelHealth): Promise<void>;
  putSilence(silence: Silence): Promise<void>;
  /** Removes the silences that match; returns how many. */
  removeSilences(match: Partial<Readonly<Record<'id' | 'session' | 'cwd' | 'channel', string>>>): Promise<number>;
  /** Other settings are in force: notes it for those who follow what changes. */
  noteSettings(): Promise<void>;
}
