// Which values an option or argument can have: those of a registry, or names that only this machine knows.
import type { Argument, Option } from 'commander';
import { agents } from '../../../agents/index.ts';
import { KINDS, URGENCIES } from '../../../model/event/event.ts';

/** What `belfry complete` can list. */
export const DYNAMIC_VALUES = ['channels', 'people-channels', 'sessions', 'events', 'pending'] as const;
export type DynamicValues = (typeof DYNAMIC_VALUES)[number];

/** Fixed values, or the name of those that are looked up when they are needed. */
export type Values = readonly string[] | DynamicValues;

const OF_OPTION: Readonly<Record<string, Values>> = {
  '--kind': KINDS,
  '--urgency': URGENCIES,
  '--agent': agents.map(({ name }) => name),
  '--channel': 'channels',
  '--session': 'sessions',
};

const OF_ARGUMENT: Readonly<Record<string, Values>> = { CHANNEL: 'channels', ID: 'events' };
/** Where an id is of something else than any event. */
const OF_COMMAND: Readonly<Record<string, Values>> = {
  ack: 'pending',
  answer: 'pending',
  focus: 'pending',
  reply: 'sessions',
};

/** Only what people look at is muted. */
const OF_ITS_OPTION: Readonly<Record<string, Values>> = {
  'mute --channel': 'people-channels',
  'unmute --channel': 'people-channels',
};

/** Null: nothing is known, files are offered. */
export function valuesOfOption(option: Option, command: string): Values | null {
  if (!option.required && !option.optional) return null;
  const name = option.long ?? '';
  return option.argChoices ?? OF_ITS_OPTION[`${command} ${name}`] ?? OF_OPTION[name] ?? null;
}

/** The same for an argument of a command. The ids of `api` are the service's, which are not here. */
export function valuesOfArgument(argument: Argument, command: string): Values | null {
  const name = argument.name();
  if (argument.argChoices !== undefined || command === 'api') return argument.argChoices ?? null;
  return (name === 'ID' ? OF_COMMAND[command] : undefined) ?? OF_ARGUMENT[name] ?? null;
}
