// The part of the plugin that lets people answer from elsewhere: asks the daemon beside the client's own dialogs, which stay as they are, and hands the first answer over.

const PART = `
/** Sessions that are remembered; the oldest go first. */
const SESSIONS = 200;

const answering = ({ client }) => {
  const loading = import(ASKER).then(({ createAsker }) => createAsker('opencode')).catch(() => null); // Belfry was removed
  const asker = (use) => void loading.then((loaded) => loaded && use(loaded)).catch(() => undefined);
  const api = client?._client;
  const headers = { 'content-type': 'application/json' };
  const path = (kind, id, what) => \`/\${kind}/\${encodeURIComponent(id)}/\${what}\`;
  /** What the client says to an answer: it has it, somebody was first, or nobody knows. */
  const handed = (result) => (result?.response?.ok ? 'taken' : result?.response?.status === 404 ? 'late' : null);
  const post = async (url, body) => handed(await api.post({ url, body, headers }));
  /** Whether it still waits; where the client does not say, it does. */
  const isPending = async (kind, id) => {
    const { data } = await Promise.resolve(api?.get?.({ url: '/' + kind })).then((got) => got ?? {}, () => ({}));
    return !Array.isArray(data) || data.some((one) => one?.id === id);
  };
  /** By session: whether it is a subagent's, whose turns nobody replies to; who was prompted last. */
  const children = new Map();
  const prompted = new Map();
  const keep = (map, id, value) => {
    map.delete(id);
    if (map.size >= SESSIONS) map.delete(map.keys().next().value);
    map.set(id, value);
  };
  /** Sessions at rest, by the event that said so; those whose turn was no finish. */
  const idle = new Map();
  const failed = new Set();
  const open = new Map();

  const ask = (id, sessionID, input, isOpen, give) => {
    open.set(id, sessionID);
    asker((one) => one.ask(id, { input, isOpen, give }));
  };
  const end = (id, word) => {
    if (open.delete(id)) asker((one) => one.end(id, word));
  };
  const endAll = (sessionID, word) => {
    for (const [id, of] of [...open]) if (of === sessionID || sessionID === null) end(id, word);
  };

  const permission = (event) => {
    const { id, sessionID } = event.properties;
    ask(id, sessionID, event, () => isPending('permission', id), async (answer) => {
      open.delete(id);
      const said = api?.post ? await post(path('permission', id, 'reply'), answer).catch(() => null) : null;
      // The older way in, which takes no text. An answer that comes too late harms nobody there either.
      return said ?? handed(await client.postSessionIdPermissionsPermissionId({
        path: { id: sessionID, permissionID: id },
        body: { response: answer.reply },
      }));
    });
  };
  const question = (event) => {
    const { id, sessionID } = event.properties;
    if (!api?.post) return;
    ask(id, sessionID, event, () => isPending('question', id), async (answer) => {
      open.delete(id);
      if (answer.answers) return post(path('question', id, 'reply'), { answers: answer.answers });
      return post(path('question', id, 'reject'), {});
    });
  };
  const isChild = async (sessionID) => {
    if (!children.has(sessionID)) {
      const { data } = await client.session.get({ path: { id: sessionID } });
      keep(children, sessionID, Boolean(data.parentID));
    }
    return children.get(sessionID);
  };
  const finish = async (event) => {
    const { sessionID } = event.properties;
    if (failed.has(sessionID) || idle.has(sessionID)) return;
    idle.set(sessionID, event);
    if (await isChild(sessionID)) return;
    const isIdle = () => idle.get(sessionID) === event;
    if (!isIdle()) return;
    ask(sessionID, sessionID, event, async () => isIdle(), async ({ prompt }) => {
      open.delete(sessionID);
      // In the mode and with the model of the last prompt: without them it would be the client's default ones.
      const body = { ...prompted.get(sessionID), parts: [{ type: 'text', text: prompt }] };
      return handed(await client.session.promptAsync({ path: { id: sessionID }, body }));
    });
  };
  const works = (sessionID) => {
    idle.delete(sessionID);
    end(sessionID, 'prompted');
  };

  const on = {
    'permission.asked': permission,
    'permission.replied': ({ properties }) => end(properties.requestID, 'answered'),
    'question.asked': question,
    'question.replied': ({ properties }) => end(properties.requestID, 'answered'),
    'question.rejected': ({ properties }) => end(properties.requestID, 'answered'),
    'session.created': ({ properties: { info } }) => keep(children, info.id, Boolean(info.parentID)),
    'session.status': ({ properties: { sessionID, status } }) => {
      if (status.type === 'busy' && idle.has(sessionID)) works(sessionID);
      if (status.type === 'busy') failed.delete(sessionID);
    },
    'session.error': ({ properties: { sessionID } }) => void (sessionID && failed.add(sessionID)),
    'session.deleted': ({ properties: { info } }) => {
      idle.delete(info.id);
      endAll(info.id, 'ended');
    },
    'session.idle': (event) => {
      const { sessionID } = event.properties;
      // Nothing can be open in a turn that is over.
      for (const [id, of] of [...open]) if (of === sessionID && id !== sessionID) end(id, 'answered');
      void finish(event).catch(() => undefined);
    },
    'message.updated': ({ properties: { info } }) => {
      const { sessionID, role, agent, model, error } = info;
      if (role === 'user') keep(prompted, sessionID, { ...(agent && { agent }), ...(model && { model }) });
      if (role === 'assistant' && error) failed.add(sessionID);
    },
    'server.instance.disposed': () => endAll(null, 'ended'),
  };
  return (event) => {
    try {
      if (Object.hasOwn(on, event.type)) on[event.type](event);
    } catch {
      return; // of a form that no version has had
    }
  };
};

/** One-shot runs answer everything themselves, and are never kept waiting. */
const isOneShot = () => process.argv.slice(2).find((word) => !word.startsWith('-')) === 'run';

export const Belfry = async (context) => {
  const { event: notify } = await notifying(context);
  const asks = isOneShot() ? () => undefined : answering(context ?? {});
  return {
    event: async (given) => {
      asks(given.event);
      await notify(given);
    },
  };
};
`;

/** `asker`: URL of the module that talks with the daemon. */
export function answeringPart(asker: string): string {
  return `
const ASKER = ${JSON.stringify(asker)};${PART}`;
}
