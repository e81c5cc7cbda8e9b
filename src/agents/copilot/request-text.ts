// The whole of what Copilot asks permission for, as plain text.
import type { JsonObject } from '../../lib/json/json.ts';
import { firstString } from '../shared/fields.ts';
import { subjectText } from '../shared/tool-use-in-full.ts';

/** Kinds that the agent asks for; any other one, such as an extension's own rights, is for the terminal. */
const KINDS = new Set(['shell', 'write', 'read', 'mcp', 'url', 'memory', 'custom-tool']);

/** What the client has worked out of the rest, or says to its own dialog. */
const DERIVED = new Set([
  'kind',
  'toolCallId',
  'canOfferSessionApproval',
  'hasWriteFileRedirection',
  'commands',
  'commandSegments',
  'possiblePaths',
  'possibleUrls',
  'resolvedPaths',
  'resolvedPath',
  'resolvedWorkingDirectory',
  'permissionRecommendation',
  'toolTitle',
]);

/** Null: not of a kind that may be allowed from elsewhere. */
export function requestText(request: JsonObject): string | null {
  if (!KINDS.has(firstString(request, 'kind') ?? '')) return null;
  const { fullCommandText, fileName, diff, newFileContents, fileEdits, ...others } = request;
  const shown = Object.entries(others).filter(([key, value]) => !DERIVED.has(key) && value !== undefined);
  const difference = typeof diff === 'string' && diff !== '' ? diff : null;
  const text = subjectText({
    ...(fullCommandText !== undefined && { command: fullCommandText }),
    ...(fileName !== undefined && { path: fileName }),
    ...Object.fromEntries(shown),
    // The difference says the same.
    ...(difference === null && newFileContents !== undefined && { content: newFileContents }),
    ...(difference === null && fileEdits !== undefined && { fileEdits }),
  });
  return difference === null ? text : `${text}\n${difference.trim()}`;
}
