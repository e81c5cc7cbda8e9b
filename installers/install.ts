// Installs our hooks in an agent's settings, or removes them. What differs between agents comes from their descriptions.
import type { Agent, AgentEvent } from '../src/model/agent/agent.ts';
import type { AnswerEntry } from '../src/model/question/answering.ts';
import { UserError } from '../src/model/errors.ts';
import { isAskCommand } from '../src/runtime/hook-command.ts';
import { type AnswerChoices, type InstalledAnswering, wantedAsks } from './answer-entries.ts';
import { type Changes, type ChangeOptions, writeManaged, restoreManaged } from './managed-file.ts';
import { type Document, decodeSettings, encodeSettings, parseDocument } from './edit/document.ts';
import type { HooksShape } from './edit/entries.ts';
import { type IsOurs, type WantedEntry, withHooks, withoutHooks } from './edit/hooks.ts';
import { descend, valueAt } from './edit/tree.ts';
import { verifyEdit } from './edit/verify.ts';
import { type FileAccess, localFiles } from './files/access.ts';
import { type SettingsPlace, type SettingsPlaces, settingsOf } from './settings-file.ts';
import { type CommandFor, shapeOf, wantedOf } from './hook-entries.ts';

/** What the installer is given besides the agent. */
export interface InstallContext {
  readonly command: CommandFor;
  /** URL of what code inside a client loads to ask for answers. */
  readonly asker: string;
  /** The command line of an answering hook. */
  readonly ask: (agent: Agent, entry: AnswerEntry) => string;
  readonly answer: AnswerChoices;
  readonly isOurs: IsOurs;
  readonly options: Omit<ChangeOptions, 'agent'>;
}

/** Installs hooks for exactly these events, and what answers; returns what was done file by file. */
export async function installHooks(
  agent: Agent,
  places: SettingsPlaces,
  events: readonly AgentEvent[],
  tools: InstallContext,
  { entries: asks, inside }: Pick<InstalledAnswering, 'entries' | 'inside'> = { entries: [], inside: false },
): Promise<Changes[]> {
  const settings = settingsOf(agent);
  const options = { ...tools.options, agent: agent.name };
  if (settings.module) {
    const text = settings.module(tools.command(agent, null), inside ? tools.asker : undefined);
    return [await putModule(agent, text, places.main, tools)];
  }
  const wanted = [...wantedOf(agent, settings, events, tools.command), ...wantedAsks(agent, settings, asks, tools.ask)];
  const shares = await share(places, wanted, options.files);
  // Each file is tried before the first one is written: all of it is installed, or nothing.
  if (!options.dryRun) await putExtension(agent, places, withoutWriting(tools), inside);
  if (!options.dryRun && shares.length > 1)
    for (const { place, wanted: part } of shares) await put(place, part, { ...options, dryRun: true });
  const done: Changes[] = [];
  for (const { place, wanted: part } of shares) done.push(await put(place, part, options));
  return [...done, ...(await putExtension(agent, places, tools, inside))];

  function put(place: SettingsPlace, part: readonly WantedEntry[], how: ChangeOptions): Promise<Changes> {
    const shape = shapeOf(settings, place);
    return writeManaged(
      place.path,
      ({ bytes }) => {
        const before = open(place.path, bytes);
        const after = edit(before, shape, part, tools.isOurs);
        verifyEdit(before, after, shape, part, tools.isOurs);
        const base = () => (bytes === null ? null : close(withoutHooks(before, shape, tools.isOurs), bytes));
        return { bytes: close(after, bytes), base };
      },
      how,
    );
  }
}

/** An event may have one hook of each kind: first those that notify, then those that answer. */
function edit(before: Document, shape: HooksShape, part: readonly WantedEntry[], isOurs: IsOurs): Document {
  const asks = part.filter(({ entry }) => isAskCommand(String(entry[shape.commandKey])));
  const hooks = part.filter((want) => !asks.includes(want));
  const notifying = editKind(before, shape, hooks, (command) => isOurs(command) && !isAskCommand(command));
  return editKind(notifying, shape, asks, isAskCommand);
}

/** A file that is to hold none is only cleared of older ones. */
function editKind(before: Document, shape: HooksShape, part: readonly WantedEntry[], isOurs: IsOurs): Document {
  return part.length === 0 ? withoutHooks(before, shape, isOurs) : withHooks(before, shape, part, isOurs);
}

/** Takes every hook of ours out of the agent's files. */
export async function uninstallHooks(agent: Agent, places: SettingsPlaces, tools: InstallContext): Promise<Changes[]> {
  const settings = settingsOf(agent);
  const options = { ...tools.options, agent: agent.name };
  const done: Changes[] = [];
  for (const place of [places.main, places.override]) {
    if (!place) continue;
    const shape = shapeOf(settings, place);
    done.push(
      await restoreManaged(
        place.path,
        ({ bytes }) => {
          // A file without anything of ours is left alone, whatever else is wrong with it.
          if (!tools.isOurs(bytes.toString('utf8'))) return bytes;
          if (settings.module || place.isModule) return null;
          const before = open(place.path, bytes);
          const after = withoutHooks(before, shape, tools.isOurs);
          verifyEdit(before, after, shape, [], tools.isOurs);
          return close(after, bytes);
        },
        options,
      ),
    );
  }
  if (places.extension) done.push(await removeModule(agent, places.extension, tools));
  return done;
}

const withoutWriting = (tools: InstallContext): InstallContext => ({
  ...tools,
  options: { ...tools.options, dryRun: true },
});

/** The file of its own that asks, where the client has one: written, or taken away. */
async function putExtension(
  agent: Agent,
  { extension }: SettingsPlaces,
  tools: InstallContext,
  wanted: boolean,
): Promise<Changes[]> {
  const text = agent.answering?.inside?.file?.text;
  if (extension === undefined || text === undefined) return [];
  if (wanted) return [await putModule(agent, text(tools.asker), extension, tools)];
  const removed = await removeModule(agent, extension, tools);
  return removed.action === 'unchanged' ? [] : [removed];
}

function removeModule(agent: Agent, { path }: SettingsPlace, tools: InstallContext): Promise<Changes> {
  const without = ({ bytes }: { readonly bytes: Buffer }): Buffer | null =>
    tools.isOurs(bytes.toString('utf8')) ? null : bytes;
  return restoreManaged(path, without, { ...tools.options, agent: agent.name });
}

function putModule(agent: Agent, text: string, place: SettingsPlace, tools: InstallContext): Promise<Changes> {
  const bytes = Buffer.from(text);
  return writeManaged(
    place.path,
    (state) => {
      if (state.bytes !== null && !tools.isOurs(state.bytes.toString('utf8')))
        throw new UserError(
          `${place.path} was not written by belfry: move it away, then try again (nothing was changed)`,
        );
      return { bytes, base: () => null };
    },
    { ...tools.options, agent: agent.name },
  );
}

/** Each event stays in the file it is in, so that no file switches another's hooks off; else it goes to the file that takes precedence. */
async function share(
  places: SettingsPlaces,
  wanted: readonly WantedEntry[],
  files: FileAccess = localFiles,
): Promise<{ place: SettingsPlace; wanted: WantedEntry[] }[]> {
  const { main, override } = places;
  if (!override) return [{ place: main, wanted: [...wanted] }];
  const [first, second] = await Promise.all([override, main].map((place) => eventsIn(place, files)));
  const inMain = (want: WantedEntry): boolean => !first?.has(want.event) && second?.has(want.event) === true;
  const shares = [
    { place: override, wanted: wanted.filter((want) => !inMain(want)) },
    { place: main, wanted: wanted.filter(inMain) },
  ];
  // `override` is there: it is a place only then.
  const isThere = (await files.read(main.path)).bytes !== null;
  return shares.filter((part) => part.wanted.length > 0 || part.place === override || isThere);
}

async function eventsIn(place: SettingsPlace, files: FileAccess): Promise<Set<string>> {
  const { node, rest } = descend(open(place.path, (await files.read(place.path)).bytes).root, place.at);
  if (rest.length > 0 || node.type !== 'object') return new Set();
  const names = (node.children ?? []).map((property) => String(property.children?.[0]?.value));
  return new Set(names.filter((name) => valueAt(node, name) !== undefined));
}

function open(path: string, bytes: Buffer | null): Document {
  const { text, bom } = decodeSettings(path, bytes ?? Buffer.alloc(0));
  return parseDocument(path, text, bom);
}

/** The bytes of an edited document; untouched ones when nothing was edited (a blank file reads as `{}`). */
function close(doc: Document, bytes: Buffer | null): Buffer {
  const edited = encodeSettings(doc.text, doc.bom);
  return bytes !== null && doc.root.children?.length === 0 && bytes.toString('utf8').replace('\uFEFF', '').trim() === ''
    ? bytes
    : edited;
}
