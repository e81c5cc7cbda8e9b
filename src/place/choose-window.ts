// Which of all windows shows a session: that of its terminal's process, and of several the one whose title names the folder.
import { basename } from 'node:path';
import { failed, type PlaceTools, type Step, type Target } from './place-kind.ts';

/** One window, as the system lists it. */
export interface ListedWindow {
  /** In the system's own form. */
  readonly id: string;
  /** Of the process that drew it; null: the window does not say. */
  readonly pid: number | null;
  readonly title: string;
}

/** Most windows that are looked at. */
export const MOST_WINDOWS = 200;

/** The window, or why there is none that is certain. */
export async function chooseWindow(
  windows: readonly ListedWindow[],
  { viewer, cwd }: Target,
  { above }: Pick<PlaceTools, 'above'>,
): Promise<ListedWindow | Step> {
  const owners = viewer.pid === null ? [] : (await above(viewer.pid)).map(({ pid }) => pid);
  // The nearest process above that has windows is the terminal; what started that may have some too.
  const owner = owners.find((pid) => windows.some((window) => window.pid === pid));
  const own = windows.filter(({ pid }) => pid !== null && pid === owner);
  const [first, ...others] = own;
  if (first === undefined) return failed('window', 'no window of its terminal was found');
  if (others.length === 0) return first;
  const folder = cwd === null ? '' : basename(cwd);
  const [named, ...further] = own.filter(({ title }) => folder !== '' && title.includes(folder));
  if (named !== undefined && further.length === 0) return named;
  return failed('window', `its terminal has ${own.length} windows and does not say which one shows the session`);
}
