// Waits for a condition; never for a time.

/** Resolves with the first value of `look` that is neither undefined, null nor false; fails with `what` after `limit` ms. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  limit = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const began = Date.now();
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
    const waited = Date.now() - began;
    if (waited > limit) throw new Error(`waited ${limit} ms in vain for ${what}`);
    // What takes long is looked for seldom: a look may start a program, and takes from what is waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 20, 15), 200)));
  }
}
