// Whether the window is too narrow for a list beside its subject, so that they come one after the other; the style sheet has the same width.
import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 760px)');

export const isNarrow = signal(query.matches);

query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
