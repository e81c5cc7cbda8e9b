// The rules of config.toml as the page reads, tries and saves them: routes, quiet hours and wording, and nothing else of the file.
import { checkRules, type CheckedRules, placeRules, type PlacedRules } from '../../config/rules/check-rules.ts';
import { editRoute, routeFields } from '../../config/rules/edit-route.ts';
import { rulesTextOf } from '../../config/rules/rules-text.ts';
import { definesChannels, loadConfig } from '../../config/load.ts';
import { registries } from '../../config/registries.ts';
import { routedChannels } from '../../config/checks/routed-channels.ts';
import type { ApiCall, ApiResult } from '../../http/api/contract.ts';
import { Refusal } from '../../http/api/refusal.ts';
import type { Handlers } from '../../http/api/routes.ts';
import { createTurns } from '../../lib/async/one-after-another.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Config } from '../../model/settings/config.ts';
import { channelOf } from '../../channels/index.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import type { CommandContext } from '../commands/context.ts';
import type { RuleSet } from '../processing/past-course.ts';
import { type FileState, readState } from '../../../installers/files/read.ts';
import { ConcurrentEdit, replaceFile } from '../../../installers/files/replace.ts';
import type { Reader } from './reader.ts';
import type { RulesPreview, RulesPreviewCall } from './reads/rules-preview.ts';

type Named = 'rules.text' | 'rules.preview' | 'rules.save';

/** What it needs: the file, and what is in force. */
type Settings = Pick<CommandContext, 'file' | 'liveConfig'>;

/** Serves the page's Rules; the file is written by one at a time. */
export function rulesEditor(context: Settings, reader: Pick<Reader, 'read'>): Pick<Handlers, Named> {
  const inTurn = createTurns();
  const tries = createLatest();
  return {
    'rules.text': () => rulesText(context),
    'rules.preview': (call, { token, gone }) =>
      tries(token?.id ?? '', gone, (over) =>
        preview(call, context, (asked) => reader.read('previewRules', asked, over)),
      ),
    'rules.save': (call) => inTurn(() => save(call, context)),
  };
}

/** Of each page one at a time: what is under way is over when a newer one of the same page comes, and when its client has gone. */
function createLatest() {
  const latest = new Map<string, AbortController>();
  return async <T>(page: string, gone: AbortSignal, run: (over: AbortSignal) => Promise<T>): Promise<T> => {
    const own = new AbortController();
    latest.get(page)?.abort();
    latest.set(page, own);
    try {
      return await run(AbortSignal.any([own.signal, gone]));
    } finally {
      if (latest.get(page) === own) latest.delete(page);
    }
  };
}

/** What is stored, and how it is written. */
interface Stored {
  readonly state: FileState;
  /** Without a byte order mark; empty where there is no file. */
  readonly text: string;
  /** Before the text. */
  readonly mark: string;
}

const MARK = '\uFEFF';

/** Throws UserError where it cannot be read, Refusal where it is no text. */
async function storedSettings(file: string): Promise<Stored> {
  const state = await readState(file);
  const whole = (state.bytes ?? Buffer.alloc(0)).toString('utf8');
  if (state.bytes !== null && !Buffer.from(whole).equals(state.bytes))
    throw new Refusal(409, `${file} is not UTF-8: correct that in an editor`);
  const mark = whole.startsWith(MARK) ? MARK : '';
  return { state, mark, text: whole.slice(mark.length) };
}

/** Of no file and of an empty one it is not the same. */
const versionOf = ({ bytes, target }: FileState): string =>
  sha256(`${target}\n${bytes === null ? 'none' : sha256(bytes)}`, 32);

type Notes = ApiResult<'rules.preview'>['errors'];

const errorsOf = (checked: CheckedRules | PlacedRules): Notes =>
  checked.ok ? [] : checked.errors.map((one) => ({ ...one }));

async function rulesText({ file, liveConfig }: Settings): Promise<ApiResult<'rules.text'>> {
  const { state, text } = await storedSettings(file);
  const machine = liveConfig.machine().config;
  const loaded = await loadConfig(text, registries, machine);
  const config = loaded.ok ? loaded.config : liveConfig.config();
  const common = { file, version: versionOf(state), channels: channelsOf(config) };
  const broken = loaded.ok ? undefined : loaded.diagnostics.find(({ key }) => key === '');
  if (broken !== undefined) {
    const message = `config.toml is broken on line ${broken.line}: ${broken.message}; correct it with \`belfry config edit\``;
    return { ...common, own: true, text: null, errors: [{ line: null, column: null, message }], routes: [] };
  }
  const rules = await rulesTextOf(text);
  const checked = await checkRules(text, rules, registries, machine);
  const errors = errorsOf(checked.ok ? await placeRules(text, rules) : checked);
  return { ...common, own: definesChannels(text), text: rules, errors, routes: routeFields(rules) };
}

/** What a form offers. */
function channelsOf(config: Config): ApiResult<'rules.text'>['channels'] {
  const routed = routedChannels(config);
  return config.channels.map(({ name, type }) => {
    const { audience = 'records', runsProgram = false } = channelOf(type) ?? {};
    return { name, audience, locked: runsProgram && !routed.has(name) };
  });
}

async function preview(
  { body: { text: given, edit, days } }: ApiCall<'rules.preview'>,
  { file, liveConfig }: Settings,
  read: (call: RulesPreviewCall) => Promise<Buffer>,
): Promise<ApiResult<'rules.preview'>> {
  const stored = await storedSettings(file);
  const machine = liveConfig.machine().config;
  const before = await checkRules(stored.text, given, registries, machine);
  const refused = (text: string, errors: Notes): ApiResult<'rules.preview'> => ({
    text,
    errors,
    warnings: [],
    routes: routeFields(text),
    dropped: [],
    preview: null,
  });
  if (!before.ok && edit === undefined) return refused(given, errorsOf(before));
  const edited = edit === undefined ? { text: given } : await changed(given, edit);
  if ('refused' in edited) return refused(given, [{ line: null, column: null, message: edited.refused }]);
  const { text } = edited;
  const checked = edit === undefined ? before : await checkRules(stored.text, text, registries, machine);
  if (!checked.ok) return refused(text, errorsOf(checked));
  const call: RulesPreviewCall = { present: ruleSet(liveConfig.config()), proposed: ruleSet(checked.config), days };
  const json = String(await read(call));
  return {
    text,
    errors: [],
    warnings: checked.warnings.map((one) => ({ ...one })),
    routes: routeFields(text),
    dropped: [...checked.dropped],
    preview: JSON.parse(json) as RulesPreview, // of our own thread
  };
}

/** A text that does not parse has no route that could be changed. */
async function changed(text: string, edit: Parameters<typeof editRoute>[1]): ReturnType<typeof editRoute> {
  if (routeFields(text).length < edit.route) return { refused: `there is no route ${edit.route} in this text` };
  return editRoute(text, edit);
}

/** Without the settings of channels, which nothing of this depends on: they may hold secrets. */
function ruleSet(config: Config): RuleSet {
  const channels = config.channels.map((channel) => ({ ...channel, settings: {} }));
  return { config: { ...config, channels, api: {} }, profiles: channelProfiles(config) };
}

/** Throws Refusal and UserError; then nothing was changed. */
async function save(
  { body: { text, version } }: ApiCall<'rules.save'>,
  { file, liveConfig }: Settings,
): Promise<ApiResult<'rules.save'>> {
  const stored = await storedSettings(file);
  if (versionOf(stored.state) !== version) throw changedMeanwhile();
  const checked = await checkRules(stored.text, text, registries, liveConfig.machine().config);
  if (!checked.ok) throw refusal(checked);
  const placed = await placeRules(stored.text, text);
  if (!placed.ok) throw refusal(placed);
  const isOther = placed.text !== stored.text;
  if (isOther) await write(stored, placed.text);
  const problem = await liveConfig.reload();
  const rules = await rulesTextOf(placed.text);
  return {
    // Of what was written: who changes it after that is not overwritten next time.
    version: versionOf(isOther ? { ...stored.state, bytes: bytesOf(stored, placed.text) } : stored.state),
    text: rules,
    routes: routeFields(rules),
    warnings: checked.warnings.map((one) => ({ ...one })),
    problem,
  };
}

function refusal(checked: Extract<CheckedRules, { readonly ok: false }>): Refusal {
  const [first] = checked.errors;
  const where = first?.line == null ? '' : `line ${first.line}: `;
  const detail = `${where}${first?.message ?? 'the rules are invalid'}; nothing was changed`;
  return new Refusal(422, detail, { errors: errorsOf(checked) });
}

const changedMeanwhile = (): Refusal =>
  new Refusal(
    409,
    'config.toml was changed since you read it: look at what it says now, then make your change again (nothing was changed)',
  );

const bytesOf = ({ mark }: Stored, text: string): Buffer => Buffer.from(mark + text);

async function write(stored: Stored, text: string): Promise<void> {
  try {
    await replaceFile(stored.state, bytesOf(stored, text));
  } catch (error) {
    throw error instanceof ConcurrentEdit ? changedMeanwhile() : error;
  }
}
