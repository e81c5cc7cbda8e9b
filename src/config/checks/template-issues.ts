// What is wrong with the templates of a settings file: braces without a counterpart, fields that the kind does not have.
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { KINDS, type Kind } from '../../model/event/event.ts';
import { fieldsOf, parseTemplate, templateFields } from '../../model/notification/message-template.ts';
import type { Issue } from '../diagnostic.ts';

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** Of `[messages]` and of each channel's own. `input`: the file as parsed; what is not even text is the schema's to find. */
export function templateIssues(input: JsonObject): Issue[] {
  const channels = Object.entries(asObject(input['channels']));
  return [
    ...issuesIn(input['messages'], ['messages']),
    ...channels.flatMap(([name, settings]) => issuesIn(asObject(settings)['messages'], ['channels', name, 'messages'])),
  ];
}

function issuesIn(messages: unknown, path: readonly string[]): Issue[] {
  return (['title', 'body'] as const).flatMap((part) =>
    Object.entries(asObject(asObject(messages)[part])).flatMap(([kind, template]) => {
      if (typeof template !== 'string' || !isKind(kind)) return [];
      return faultsOf(template, kind).map(
        (message): Issue => ({ path: [...path, part, kind], point: 'value', message }),
      );
    }),
  );
}

function faultsOf(template: string, kind: Kind): readonly string[] {
  const parts = parseTemplate(template);
  if ('fault' in parts) return [parts.fault];
  const known = templateFields(kind);
  const unknown = [...new Set(fieldsOf(parts))].filter((name) => !(known as readonly string[]).includes(name));
  return unknown.map((name) => `${kind} has no field {${name}}${didYouMean(name, known)}`);
}
