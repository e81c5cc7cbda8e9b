// Waits for a condition; never for a time.

/** Resolves with the first value of `look` that is neither undefined, null nor false; fails with `what` after `limit` ms. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  limit = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + limit;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
    if (Date.now() > end) throw new Error(`waited ${limit} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
