// After resolve: an input that only says how its session goes on has done its part.
import type { InputStage } from '../pipeline-state.ts';
import { addVerdict } from '../pipeline-state.ts';

/** Stops a signal. */
export const signalOnly: InputStage = (state) =>
  state.incoming.type === 'hook' && state.incoming.parsed.isSignal
    ? addVerdict(state, 'signal', 'stop', 'it changes the state of its session, nothing else')
    : state;
