// Where Belfry's own troubles go when no other channel is left to tell them: the desktop, also where the settings name none.

/** The channel that stands in; no channel of the settings has this name by accident. */
export const LAST_RESORT = { name: 'belfry:desktop', type: 'desktop' } as const;
