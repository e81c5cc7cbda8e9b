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

/** Where a client cannot say it: what arrives instead, and why. */
export const LIMITS: Readonly<
  Record<string, Partial<Readonly<Record<Scenario, { readonly arrives: readonly string[]; readonly why: string }>>>>
> = {
  copilot: {
    interrupt: {
      arrives: ['abnormal'],
      why: 'Esc Esc runs no hook, and leaving ends the session with the reason that SIGTERM and a closed terminal have, too; so it counts as at work when it ends.',
    },
  },
};
