// What a route matches, in words.
import type { Route } from '../../../model/settings/config.ts';

/** Most alternatives of a key on the route's first line; longer lists go below it. */
const FEW = 3;

/** "kind agent.waiting, cwd ~/src/**"; several values of a key are alternatives. `all`: what a route without a match takes. */
export function matchWords({ match = {} }: Pick<Route, 'match'>, all = 'every other event'): string {
  const words = Object.entries(match).map(([key, value]) => {
    const values = [value].flat();
    return values.length > FEW ? `${key} (one of ${values.length} below)` : `${key} ${values.join(' or ')}`;
  });
  return words.length === 0 ? all : words.join(', ');
}

/** The lists that the first line only counts. */
export function longLists({ match = {} }: Pick<Route, 'match'>): string[] {
  return Object.entries(match)
    .filter(([, value]) => [value].flat().length > FEW)
    .map(([key, value]) => `${key}: ${[value].flat().join(', ')}`);
}
