// Why something could not be read, and a way to try again.
import { capitalized } from '../../lib/terms.ts';

interface ReadProblemProps {
  /** Null: there is none. */
  readonly problem: string | null;
  readonly retry: () => void;
}

export function ReadProblem({ problem, retry }: ReadProblemProps) {
  if (problem === null) return null;
  return (
    <p class="problem" role="alert">
      {capitalized(problem)}.{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
