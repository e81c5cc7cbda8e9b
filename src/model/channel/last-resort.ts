// Where Belfry reports its own problems when no other channel works: the desktop, even where the settings name none.

/** The fallback channel; no configured channel has this name by accident. */
export const LAST_RESORT = { name: 'belfry:desktop', type: 'desktop' } as const;
