// The marker `run/prompt-open`: there while a notification asks for a permission or an answer, so that hooks after each tool know
// whether anybody waits for them. A marker too many costs a hook some milliseconds, one too few leaves a prompt on the screen.
import { isPrompt } from '../../model/event/event.ts';
import { NOT_OVER, type Notification } from '../../model/notification/notification.ts';
import { ALL, type Committed, type Decision, type StoreReader } from '../../store/contract.ts';
import { createMarkerFile } from './marker-file.ts';

/** Keeps the marker. */
export interface OpenPrompts {
  /** After a start: as the store says. */
  start(): Promise<void>;
  /** Writes a decision: the marker is there before a prompt is, and goes after the last one. */
  around(decision: Pick<Decision, 'notifications'>, write: () => Promise<Committed>): Promise<Committed>;
  /** Something else waits for what comes after a tool; the returned function ends that. */
  hold(): () => void;
  /** Some were changed elsewhere, such as expired: those that are over do not count any more. */
  review(): Promise<void>;
  /** Whether the marker is wanted now. */
  isOpen(): boolean;
}

interface OpenPromptsDeps {
  /** The marker's path. */
  readonly marker: string;
  /** Called with whether machines elsewhere are to have it too. */
  readonly elsewhere?: (isOpen: boolean) => void;
  readonly store: Pick<StoreReader, 'notifications'>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

const isOver = ({ state }: Notification): boolean => !NOT_OVER.some((open) => open === state);

/** Nothing is known to be open before the start. */
export function createOpenPrompts({ marker, store, log, elsewhere = () => undefined }: OpenPromptsDeps): OpenPrompts {
  /** Ids of the notifications of open prompts. */
  const open = new Set<string>();
  /** Decisions that open one and are being written, and others that hold the marker. */
  let opening = 0;
  const file = createMarkerFile(marker, log);
  const isOpen = (): boolean => open.size + opening > 0;
  let wasOpen = false;
  const place = (): void => {
    file.set(isOpen());
    if (isOpen() !== wasOpen) elsewhere(isOpen());
    wasOpen = isOpen();
  };

  function changed(notifications: readonly Notification[]): void {
    for (const notification of notifications.filter(isPrompt))
      if (isOver(notification)) open.delete(notification.id);
      else open.add(notification.id);
    place();
  }

  return {
    isOpen,
    start: async () => {
      const before = await store.notifications({ states: NOT_OVER, kinds: ['agent.waiting'], limit: ALL });
      file.forget();
      changed(before);
    },
    around: async (decision, write) => {
      const asked = decision.notifications.some((notification) => isPrompt(notification) && !isOver(notification))
        ? 1
        : 0;
      opening += asked;
      place();
      let written: readonly Notification[] = [];
      try {
        const result = await write();
        if (result === 'written') written = decision.notifications;
        return result;
      } finally {
        opening -= asked;
        changed(written);
      }
    },
    hold: () => {
      opening += 1;
      place();
      return () => {
        opening -= 1;
        place();
      };
    },
    review: async () => {
      const known = [...open]; // what is opened while this is read stays
      const left = await store.notifications({ ids: known, states: NOT_OVER, limit: ALL });
      const ids = new Set(left.map(({ id }) => id));
      for (const id of known) if (!ids.has(id)) open.delete(id);
      place();
    },
  };
}
