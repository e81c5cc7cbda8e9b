// Runs asynchronous work one piece after the other, in the order it was given; of everything, or of each key.

/** Each call's work begins when the one before it has ended, however that ended. Resolves or rejects as its own work does. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined); // reported to whoever asked for it
    return done;
  };
}

/** The same for each key by itself; a key without work is forgotten. */
export function createKeyedTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = done
      .catch(() => undefined) // reported to whoever asked for it
      .then(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return done;
  };
}
