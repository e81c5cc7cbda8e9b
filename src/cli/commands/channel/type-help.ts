// The end of `belfry channel add TYPE --help`: the settings of that type, and a command that asks nothing.
import { quotedWord } from '../../../lib/text/quoted-word.ts';
import { parse } from 'smol-toml';
import type { ChannelType } from '../../../model/channel/channel.ts';
import { commonSettings } from '../../../model/channel/settings.ts';
import { wrap } from '../../output/wrap.ts';
import { isSecretKey } from './parse-answers.ts';
import { ownSettings, type SettingRow } from './setting-rows.ts';

/** Columns before a name. */
const INDENT = 2;
const GAP = 2;

/** `columns`: of the terminal. */
export function typeHelp(channel: ChannelType, columns: number): string {
  const { type, docs } = channel;
  const rows = ownSettings(channel);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  const list = rows.flatMap((row) => {
    const lines = wrap(wordsOf(channel, row), columns - INDENT - width - GAP);
    return lines.map((line, i) => `${' '.repeat(INDENT)}${(i === 0 ? row.name : '').padEnd(width + GAP)}${line}`);
  });
  const common = `Every channel also takes ${Object.keys(commonSettings).join(', ')}.`;
  const hint = secretHint(rows);
  return [
    '',
    ...wrap(`${type}: ${docs.summary}.`, columns),
    '',
    ...(rows.length === 0 ? [`${type} has no settings of its own.`] : ['Settings, for --set KEY=VALUE:', ...list]),
    ...wrap(common, columns),
    '',
    'Without questions, for example:',
    `  ${exampleOf(channel)}`,
    ...(hint === '' ? [] : wrap(hint, columns)),
  ].join('\n');
}

/** "Required. Where to POST to." */
function wordsOf({ setup }: ChannelType, row: SettingRow): string {
  const { name, kind, values, meaning } = row;
  const isSuggested = setup.questions.some(({ key, suggest }) => key === name && suggest !== undefined);
  const isFound = setup.pairing?.finds.includes(name) === true;
  return [
    isFound ? 'Found by pairing.' : needOf(row, isSuggested),
    kind === 'secret' && !/secret/i.test(meaning) ? 'A secret.' : '',
    meaning.replaceAll('`', ''),
    values.length > 0 ? `One of ${values.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function needOf({ required, default: standard }: SettingRow, isSuggested: boolean): string {
  if (standard !== null && standard !== '{}') return `Default: ${standard}.`;
  if (required) return isSuggested ? 'Required; one is suggested.' : 'Required.';
  return '';
}

/** The channel's example of config.toml as a command. */
function exampleOf(channel: ChannelType): string {
  const { type: _, ...settings } = parse(channel.docs.example);
  const sets = Object.entries(settings).map(([key, value]) => {
    const isStored = isSecretKey(channel, key) && !String(value).startsWith('env:');
    const text = isStored ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
    return ` --set ${quotedWord(`${key}=${text}`)}`;
  });
  return `belfry channel add ${channel.type}${sets.join('')} --yes`;
}

function secretHint(rows: readonly SettingRow[]): string {
  return rows.some(({ kind }) => kind === 'secret')
    ? 'A secret is env:NAME, file:PATH or secret:NAME, or - for a line of standard input; it is stored apart from config.toml.'
    : '';
}
