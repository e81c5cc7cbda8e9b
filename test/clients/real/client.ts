// A real client in a terminal: how it is had from npm, prepared, started, answered and left.
import type { Packaged } from '../obtain.ts';
import type { Terminal } from '../terminal.ts';
import type { WantedTool } from '../model/protocol.ts';

/** Where a client is prepared. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** Address of the model's service, without a path. */
  readonly model: string;
}

export interface ScenarioClient extends Packaged {
  /** Writes its settings, as somebody has who has used it before; its environment. */
  prepare(place: Place): Readonly<Record<string, string>>;
  /** Arguments of a start in a terminal. */
  readonly start: readonly string[];
  /** The screen with its empty prompt. */
  readonly ready: RegExp;
  /** Answers what it asks at its start. */
  begin?(terminal: Terminal): Promise<void>;
  /** Arguments of a one-shot run. */
  once(prompt: string): readonly string[];
  readonly touch: WantedTool;
  /** Starts a subagent with this prompt, in the background where it can. */
  delegate(prompt: string): WantedTool;
  /** Whether its turn ends while the subagent works; otherwise it waits for it. */
  readonly turnEndsMeanwhile: boolean;
  /** The screen while it asks for permission; the key that allows. */
  readonly asks: RegExp;
  readonly allow: string;
  /** Keys that interrupt work. */
  readonly interrupt: readonly string[];
  readonly leave: string;
}

/** The file that the model is asked to make, after a permission. */
export const WANTED_FILE = 'notes.txt';
