// The package's version, put in by the build.
declare const BELFRY_VERSION: string | undefined;

/** `0.0.0-source` when run from the sources. */
export const VERSION: string = typeof BELFRY_VERSION === 'string' ? BELFRY_VERSION : '0.0.0-source';
