// Runs asynchronous work one piece after the other, in the order it was given.

/** Each call's work begins when the one before it has ended, however that ended. Resolves or rejects as its own work does. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined); // reported to whoever asked for it
    return done;
  };
}
