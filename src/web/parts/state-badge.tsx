// A state in a word and a color; the word alone says it all.
import { stateWords, toneOf } from '../lib/terms.ts';

export function StateBadge({ state }: { readonly state: string }) {
  return <span class={`badge ${toneOf(state)}`}>{stateWords(state)}</span>;
}
