// Another process may have written what a decision was made from: then it is made again, from its facts on.

/** Times that it is made again. */
const MOST_CONFLICTS = 5;

/** What came of it. Rejects when others wrote `what` every time. */
export async function decideAgain<T>(once: () => Promise<T | 'conflict'>, what = 'its session'): Promise<T> {
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
    const made = await once();
    if (made !== 'conflict') return made;
  }
  throw new Error(`${what} was written by others ${MOST_CONFLICTS} times`);
}
