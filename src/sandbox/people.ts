// The mock's organization: its users and what they like to work with.
import { between, hex, oneOf, seeded } from './random.ts';

/** A user of the organization. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Null for some: `/users` allows it. */
  readonly email: string | null;
  /** How much this user works with the agent, around 1. */
  readonly zeal: number;
  readonly model: string;
  readonly delegation: string;
  readonly languages: readonly string[];
}

/** Model id and tier. */
export const MODELS = [
  { id: 'atlas-2', tier: 'standard' },
  { id: 'atlas-2-thinking', tier: 'thinking' },
  { id: 'swift-1', tier: 'standard' },
] as const;

const FIRST =
  'Ada Alan Barbara Brian Clara Dennis Donald Edsger Frances Grace Hedy Ivan Jean Joan John Katherine Ken Leslie Margaret Niklaus Radia Robin Sophie Tim';
const LAST =
  'Adams Baker Clark Davis Evans Foster Green Hill Irwin Jones King Lewis Moore Nash Owens Price Quinn Reed Stone Turner Underwood Vance Wells Young';

/** Users enough for three pages of twenty on any day. */
const HEADS = 96;

/** Everybody, in the order of their ids. */
export function people(seed: string): readonly Person[] {
  const [firsts, lasts] = [FIRST.split(' '), LAST.split(' ')];
  return Array.from({ length: HEADS }, (_, i) => firsts[i % firsts.length] ?? 'Ada')
    .map((first, i) => {
      const draw = seeded(seed, 'person', i);
      // Seven is prime to the number of names and each round begins elsewhere, so that nobody has a name twice.
      const round = Math.floor(i / firsts.length);
      const last = lasts[(i * 7 + round * 5 + between(draw, 0, 3)) % lasts.length] ?? 'Adams';
      return {
        id: `user_${hex(draw, 2)}`,
        name: `${first} ${last}`,
        email: i % 24 === 17 ? null : `${first}.${last}@example.com`.toLowerCase(),
        zeal: 0.3 + draw() * 1.4,
        model: oneOf(draw, MODELS).id,
        delegation: oneOf(draw, ['auto-high', 'auto-medium', 'auto-low', 'spec', 'manual']),
        languages: [oneOf(draw, ['TypeScript', 'Python', 'Go']), oneOf(draw, ['Markdown', 'SQL', 'Shell'])],
      };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
