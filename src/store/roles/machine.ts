// What a store keeps of the one machine that it is on: what its person said of it, and how far those have come who follow something.
import type { MachineState } from '../records.ts';

/** Of the daemon itself. */
export interface Machine {
  /** Null: nothing was said yet. */
  machine(): Promise<MachineState | null>;
  /** `state`: JSON. */
  setMachine(state: unknown): Promise<void>;
  cursor(key: string): Promise<unknown>;
  setCursor(key: string, value: unknown): Promise<void>;
}
