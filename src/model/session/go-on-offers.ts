// What can be done about sessions that have stopped: they go on, now or as their limit resets, or they do not go on by themselves.

export const GO_ON_ACTIONS = ['continue', 'reset', 'hold'] as const;
export type GoOnAction = (typeof GO_ON_ACTIONS)[number];

/** Of a session that something takes an instruction for. */
export interface CanGoOn {
  /** It goes on by itself. */
  readonly isPlanned: boolean;
  /** Of the limit that stopped it, Unix ms; null: no limit did, or nobody knows when. */
  readonly resetsAt: number | null;
}

/** As a button. */
export interface OfferedGoOn {
  readonly action: GoOnAction;
  readonly label: string;
}

/** Of all of these together. `now`: Unix ms. */
export function goOnOffers(able: readonly CanGoOn[], now: number): readonly OfferedGoOn[] {
  const limited = able.filter(({ resetsAt }) => (resetsAt ?? 0) > now);
  const ready = able.length - limited.length;
  const labels: Readonly<Record<GoOnAction, string | null>> = {
    continue: ready === 0 ? null : ready === 1 ? 'Continue' : `Continue ${ready}`,
    reset: limited.some(({ isPlanned }) => !isPlanned) ? 'Continue at reset' : null,
    hold: able.some(({ isPlanned }) => isPlanned) ? "Don't continue" : null,
  };
  return GO_ON_ACTIONS.flatMap((action) => {
    const label = labels[action];
    return label === null ? [] : [{ action, label }];
  });
}
