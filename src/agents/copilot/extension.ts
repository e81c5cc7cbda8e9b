// The extension that Copilot loads to be answered from elsewhere: asks the daemon beside the client's own dialogs, which stay as they are, and hands the first answer over.

const REST = `
const asker = await import(ASKER).then(({ createAsker }) => createAsker('copilot')).catch(() => null); // Belfry was removed

// The client lets an extension answer permissions only if it handles them: ours leaves each to the terminal, and answers later.
const session = await joinSession(asker ? { onPermissionRequest: () => ({ kind: 'no-result' }) } : {});
const { sessionId } = session;
const open = new Map();
let said = '';
let failed = false;

/** The client's command line: it starts the extension. */
const clientWords = () => {
  try {
    return readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8').split('\\0');
  } catch {
    const ps = spawnSync('ps', ['-o', 'args=', '-p', String(process.ppid)], { encoding: 'utf8', timeout: 2000 });
    return String(ps.stdout).split(/\\s+/);
  }
};
/** Nobody is asked where nobody sits at a terminal: one-shot runs decide for themselves, and end at once. */
const isOneShot = clientWords().some((word) => word === '-p' || /^--prompt(=|$)/.test(word));
const asks = () => asker !== null && !isOneShot && session.capabilities?.ui?.elicitation === true;
const ask = (id, type, agentId, more, give) => {
  if (!asks()) return;
  open.set(id, type);
  const input = { type, sessionId, cwd: process.cwd(), ...(agentId && { agentId }), ...more };
  const isOpen = async () => open.has(id) && (await isPending(id, type));
  asker.ask(id, { input, isOpen, give: async (answer) => (open.delete(id) ? give(answer) : 'late') });
};
/** What the client says to an answer: it has it, or somebody was first. */
const handed = ({ success }) => (success ? 'taken' : 'late');
const prompt = async (text) => {
  await session.send({ prompt: text });
  return 'taken';
};
const end = (id, word) => {
  if (open.delete(id)) asker?.end(id, word);
};
/** Where the client does not say, it is. */
const isPending = async (id, type) => {
  if (type !== 'permission.requested') return true;
  const { items } = await session.rpc.permissions.pendingRequests().catch(() => ({}));
  return !Array.isArray(items) || items.some(({ requestId }) => requestId === id);
};

const on = {
  'permission.requested': ({ agentId, data: { requestId, permissionRequest, resolvedByHook } }) => {
    if (resolvedByHook) return;
    ask(requestId, 'permission.requested', agentId, { request: permissionRequest }, async (result) =>
      handed(await session.rpc.permissions.handlePendingPermissionRequest({ requestId, result })),
    );
  },
  'permission.completed': ({ data }) => end(data.requestId, 'answered'),
  'elicitation.requested': ({ agentId, data: { requestId, message, mode, requestedSchema } }) =>
    ask(requestId, 'elicitation.requested', agentId, { message, mode, schema: requestedSchema }, async (answer) => {
      const { prompt: text, ...result } = answer;
      const word = handed(await session.rpc.ui.handlePendingElicitation({ requestId, result }));
      return text && word === 'taken' ? prompt(text) : word;
    }),
  'elicitation.completed': ({ data }) => end(data.requestId, 'answered'),
  'assistant.message': ({ agentId, data }) => {
    if (!agentId && data.content) said = String(data.content).slice(0, 20_000);
  },
  'session.error': () => void (failed = true),
  'session.idle': ({ agentId, data }) => {
    if (agentId) return;
    // Nothing can be open in a turn that is over.
    for (const id of [...open.keys()]) if (id !== sessionId) end(id, 'answered');
    if (data?.aborted || failed || open.has(sessionId)) return;
    ask(sessionId, 'session.idle', null, { text: said }, (answer) => prompt(answer.prompt));
  },
  'user.message': ({ agentId }) => {
    if (agentId) return;
    failed = false;
    said = '';
    end(sessionId, 'prompted');
  },
  'session.shutdown': () => {
    for (const id of [...open.keys()]) end(id, 'ended');
  },
};
session.on((event) => {
  try {
    if (Object.hasOwn(on, event.type)) void Promise.resolve(on[event.type](event)).catch(() => undefined);
  } catch {
    return; // of a form that no version has had
  }
});
`;

/** The whole file; `asker`: URL of the module that talks with the daemon. */
export function extensionText(asker: string): string {
  return `// Lets you answer this client from elsewhere. Written by \`belfry install --answer\`, removed by \`belfry uninstall\`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { joinSession } from '@github/copilot-sdk/extension';

const ASKER = ${JSON.stringify(asker)};
${REST}`;
}
