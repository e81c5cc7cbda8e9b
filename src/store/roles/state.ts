// What is known beyond one event: health of channels, mutes, the machine, cursors.
import type { Silence } from '../../model/event/verdict.ts';
import type { ChannelHealth, MachineState } from '../records.ts';

/** Written by commands and workers; read through the reader. */
export interface State {
  setHealth(health: ChannelHealth): Promise<void>;
  putSilence(silence: Silence): Promise<void>;
  /** Removes the silences that match; returns how many. */
  removeSilences(match: Partial<Readonly<Record<'id' | 'session' | 'cwd' | 'channel', string>>>): Promise<number>;
  /** Null: nothing was said yet. */
  machine(): Promise<MachineState | null>;
  /** `state`: JSON. */
  setMachine(state: unknown): Promise<void>;
  /** Other settings are in force: notes it for those who follow what changes. */
  noteSettings(): Promise<void>;
  cursor(key: string): Promise<unknown>;
  setCursor(key: string, value: unknown): Promise<void>;
}
