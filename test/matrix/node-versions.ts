// The Node versions that the package is tried with; docs/reference/support.md names them.

/** The oldest that it promises to support, and the latest of each line since. */
export const NODE_VERSIONS = ['20.19.0', '22', '24'] as const;
