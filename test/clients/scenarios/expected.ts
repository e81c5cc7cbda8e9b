// What has to arrive in each scenario, and per client where something else does, with the reason.
import type { Scenario } from './play.ts';

/** One scenario: in words, and what a person who walked away has to hear of. */
export const SCENARIOS: Readonly<Record<Scenario, { readonly words: string; readonly wanted: readonly string[] }>> = {
  finish: { words: 'a turn comes to its end', wanted: ['finished'] },
  permission: { words: 'it asks for permission, and is answered later', wanted: ['permission', 'finished'] },
  subagent: { words: 'a subagent works on in the background', wanted: ['finished'] },
  failure: { words: 'the service refuses the key', wanted: ['failed:auth'] },
  interrupt: { words: 'you interrupt, then leave', wanted: [] },
  killed: { words: 'killed in the middle of work', wanted: ['abnormal'] },
  headless: { words: 'one-shot', wanted: ['finished'] },
};

/** What arrives instead, and why; `mayBeWanted`: or what is wanted, as it falls out. */
interface Limit {
  readonly arrives: readonly string[];
  readonly why: string;
  readonly mayBeWanted?: true;
}

/** Where a client cannot say it. */
export const LIMITS: Readonly<Record<string, Partial<Readonly<Record<Scenario, Limit>>>>> = {
  copilot: {
    interrupt: {
      arrives: ['abnormal'],
      mayBeWanted: true,
      why: 'Esc Esc runs no hook, and leaving ends the session with the reason that SIGTERM and a closed terminal have, too; so it counts as at work when it ends, unless the client has written its interruption down by then.',
    },
  },
};
