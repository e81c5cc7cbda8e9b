// The rules as somebody changes them: kept wherever they go until they are saved or dropped, and tried over the last days while they are typed.
import { computed, signal } from '@preact/signals';
import { InterfaceError } from '../../http/api/client.ts';
import type { ApiInput, ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { problemText } from '../api/live.ts';

export type StoredRules = ApiResult<'rules.text'>;
export type TriedRules = ApiResult<'rules.preview'>;
export type RouteEdit = NonNullable<ApiInput<'rules.preview'>['edit']>;

/** What config.toml says; null: it is not read yet. */
export const storedRules = signal<StoredRules | null>(null);

/** What is typed, and the version of the file that it is a change of; null: nothing was changed. */
const draft = signal<{ readonly text: string; readonly version: string } | null>(null);

/** What came of the latest try; `text`: what was tried. Null: nothing was tried. */
export const triedRules = signal<{ readonly text: string; readonly days: number; readonly result: TriedRules } | null>(
  null,
);

/** Why it could not be tried; null: it could. */
export const tryProblem = signal<string | null>(null);

export const days = signal(7);

/** The text in the field. */
export const rulesText = computed(() => draft.value?.text ?? storedRules.value?.text ?? '');

export const isChanged = computed(() => draft.value !== null && draft.value.text !== storedRules.value?.text);

/** The file says something else than what the change was begun from. */
export const isOutdated = computed(
  () => isChanged.value && storedRules.value !== null && draft.value?.version !== storedRules.value.version,
);

/** The routes of the text in the field, as it was read last: where it cannot be read now, they stay. */
export const routesShown = signal<StoredRules['routes']>([]);

/** Channels that run a program and that the text no longer routes to: once it is saved, only config.toml can bring them back. */
export const dropped = computed(() => (isChanged.value ? (triedRules.value?.result.dropped ?? []) : []));

/** A try of what is in the field now is under way, or about to begin. */
export const isTrying = signal(false);

/** Ms after the last letter before it is tried. */
const PAUSE = 500;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Counts those that were dropped: what comes of one says nothing of the next. */
let draftNumber = 0;

/** The file as it is now; what somebody has begun to change stays. */
export function takeStored(stored: StoredRules): void {
  storedRules.value = stored;
  if (draft.value?.text === stored.text) draft.value = null;
  if (!isChanged.value) routesShown.value = stored.routes;
}

export function typeRules(text: string): void {
  const version = draft.value?.version ?? storedRules.value?.version ?? '';
  draft.value = { text, version };
  tryLater(PAUSE);
}

/** The change is of the file as it is now: what it says is to be replaced. */
export function rebaseRules(): void {
  if (draft.value !== null && storedRules.value !== null)
    draft.value = { text: draft.value.text, version: storedRules.value.version };
}

export function dropRules(): void {
  clearTimeout(timer);
  timer = undefined;
  draftNumber += 1;
  isWanted = false;
  edits.length = 0;
  draft.value = null;
  triedRules.value = null;
  tryProblem.value = null;
  isTrying.value = false;
  routesShown.value = storedRules.value?.routes ?? [];
}

export function tryLater(ms: number): void {
  clearTimeout(timer);
  isTrying.value = true;
  timer = setTimeout(() => {
    timer = undefined;
    isWanted = true;
    void askInTurn();
  }, ms);
}

type Route = StoredRules['routes'][number];

function withEdit(of: Route, edit: RouteEdit): Route {
  const { to = of.to, when = of.when, delay = of.delay, urgency = of.urgency, projects = of.projects } = edit;
  return { route: of.route, to, when, delay, urgency, projects };
}

/** Changes by the form that the text does not have yet, in their order. */
const edits: RouteEdit[] = [];
/** What is in the field is to be tried. */
let isWanted = false;
let isAsking = false;

/** What is ticked stays ticked until it is read again. */
const withEdits = (routes: StoredRules['routes'], made: readonly RouteEdit[]): StoredRules['routes'] =>
  made.reduce((all, edit) => all.map((one) => (one.route === edit.route ? withEdit(one, edit) : one)), routes);

/** A change of one route, which is made in the text once those before it are: also in what is typed meanwhile. */
export function editRules(edit: RouteEdit): void {
  edits.push(edit);
  routesShown.value = withEdits(routesShown.value, [edit]);
  isTrying.value = true;
  void askInTurn();
}

/** One at a time: what is asked meanwhile is asked of what is in the field then. */
async function askInTurn(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  while (isWanted || edits.length > 0) {
    isWanted = false;
    await ask(edits[0]);
  }
  isAsking = false;
  isTrying.value = timer !== undefined;
}

/** `edit`: the first of those that are to be made; it stays where something was typed meanwhile. */
async function ask(edit: RouteEdit | undefined): Promise<void> {
  const [text, of, own] = [rulesText.value, days.value, draftNumber];
  try {
    const result = await call('rules.preview', { text, days: of, ...(edit && { edit }) });
    if (own !== draftNumber || rulesText.value !== text) return;
    if (edit !== undefined) edits.shift();
    if (result.text !== text)
      draft.value = { text: result.text, version: draft.value?.version ?? storedRules.value?.version ?? '' };
    triedRules.value = { text: result.text, days: of, result };
    if (result.routes.length > 0) routesShown.value = withEdits(result.routes, edits);
    tryProblem.value = null;
  } catch (error) {
    if (own !== draftNumber) return;
    tryProblem.value = problemText(error);
    edits.length = 0;
    routesShown.value = triedRules.value?.result.routes ?? storedRules.value?.routes ?? [];
  }
}

/** What is to be said of it. Throws InterfaceError; what is wrong with the rules is shown with them. */
export async function saveRules(): Promise<{ readonly problem: string | null }> {
  const text = rulesText.value;
  const version = draft.value?.version ?? '';
  try {
    const saved = await call('rules.save', { text, version });
    const before = storedRules.value;
    if (before !== null)
      storedRules.value = { ...before, text: saved.text, version: saved.version, routes: saved.routes, errors: [] };
    if (rulesText.value === text) dropRules();
    else draft.value = { text: rulesText.value, version: saved.version }; // typed meanwhile
    return { problem: saved.problem };
  } catch (error) {
    const errors = error instanceof InterfaceError ? error.problem.errors : undefined;
    if (errors !== undefined)
      triedRules.value = {
        text,
        days: days.value,
        result: { text, errors, warnings: [], routes: [], dropped: [], preview: null },
      };
    throw error;
  }
}
