// Which criteria fell between two reports of a repository.

/** Criterion id to how many of how many sub-applications pass. */
export type Criteria = Readonly<Record<string, readonly [numerator: number, denominator: number]>>;

/** A criterion whose share changed. */
export interface Move {
  readonly criterion: string;
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
}

const share = ([numerator, denominator]: readonly [number, number]): number =>
  denominator > 0 ? numerator / denominator : 0;

/** Criteria of both reports whose share fell, the deepest fall first. A criterion only one report has cannot be compared. */
export function falls(before: Criteria, after: Criteria): Move[] {
  return moves(before, after)
    .filter((move) => share(move.after) < share(move.before))
    .sort(
      (a, b) =>
        share(a.after) - share(a.before) - (share(b.after) - share(b.before)) || a.criterion.localeCompare(b.criterion),
    );
}

/** Criteria whose share rose. */
export function rises(before: Criteria, after: Criteria): Move[] {
  return moves(before, after).filter((move) => share(move.after) > share(move.before));
}

function moves(before: Criteria, after: Criteria): Move[] {
  return Object.entries(after).flatMap(([criterion, now]) => {
    const was = Object.hasOwn(before, criterion) ? before[criterion] : undefined;
    return was === undefined ? [] : [{ criterion, before: was, after: now }];
  });
}

/** "lint_config 3/4 -> 1/4: no config in services/api". */
export function describeMove(move: Move, rationale: string | null): string {
  const text = `${move.criterion} ${move.before.join('/')} -> ${move.after.join('/')}`;
  return rationale ? `${text}: ${rationale}` : text;
}
