// What the field of the inbox can do besides searching in it: go to a page, search elsewhere, mute.
import { call } from '../../api/access.ts';
import { goTo, PAGES } from '../../lib/place.ts';
import { announceUndoable } from '../../lib/undo.ts';
import { readMutes } from '../../store/mutes.ts';

interface Command {
  readonly words: string;
  readonly run: () => void | Promise<void>;
}

/** Minutes that everything can be muted. */
const MUTES = [
  [60, 'an hour'],
  [240, 'four hours'],
] as const;

async function muteAll(minutes: number, words: string): Promise<void> {
  const { id } = await call('mutes.add', { minutes });
  await readMutes();
  announceUndoable(`Muted everything for ${words}, but not what is urgent`, async () => {
    await call('mutes.end', { id });
    await readMutes();
    return 'The mute is ended';
  });
}

function commandsFor(text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  const known: readonly Command[] = [
    ...PAGES.map(([href, title]) => ({ words: `Go to ${title}`, run: () => goTo(href) })),
    ...MUTES.map(([minutes, time]) => ({
      words: `Mute everything for ${time}`,
      run: () => muteAll(minutes, time),
    })),
  ];
  const q = encodeURIComponent(text);
  return [
    ...known.filter((one) => words.every((word) => one.words.toLowerCase().includes(word))),
    { words: `Search sessions for “${text}”`, run: () => goTo(`/sessions?q=${q}`) },
    { words: `Search events for “${text}”`, run: () => goTo(`/events?q=${q}`) },
  ];
}

export function CommandPalette({ text, done }: { readonly text: string; readonly done: () => void }) {
  return (
    <section class="inbox-group" aria-label="Commands">
      <ul>
        {commandsFor(text).map(({ words, run }) => (
          <li key={words}>
            <button
              type="button"
              class="inbox-row command-row"
              data-item
              onClick={() => {
                done();
                void run();
              }}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
