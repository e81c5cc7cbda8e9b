// The settings of a channel as its schema has them: name, kind of value, whether it is required, meaning.
import * as z from 'zod';
import type { ChannelType } from '../../../model/channel/channel.ts';
import { commonSettings } from '../../../model/channel/settings.ts';

/** One setting. */
export interface SettingRow {
  readonly name: string;
  /** What a value is: "text", "number", "secret"; null where only these `values` are possible. */
  readonly kind: string | null;
  readonly values: readonly string[];
  readonly required: boolean;
  /** As JSON or text; null: none. */
  readonly default: string | null;
  readonly meaning: string;
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly secret?: boolean;
  readonly description?: string;
  readonly default?: unknown;
}

interface ObjectSchema {
  readonly properties?: Record<string, Property>;
  readonly required?: readonly string[];
}

/** In the order of the schema. */
export function settingRows(schema: z.ZodType): SettingRow[] {
  // zod types its document by what JSON Schema allows; that of an object has these fields.
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as ObjectSchema;
  return Object.entries(properties).map(([name, { type = 'text', enum: values, description = '', ...more }]) => ({
    name,
    kind: more.secret === true ? 'secret' : values === undefined ? type : null,
    values: more.secret === true ? [] : (values ?? []),
    required: required.includes(name),
    default: defaultText(more.default),
    meaning: description,
  }));
}

function defaultText(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Those that are a channel's own. */
export const ownSettings = (channel: ChannelType): SettingRow[] =>
  settingRows(channel.schema).filter(({ name }) => !(name in commonSettings));
