// Tells Belfry what this client's sessions do.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

const COMMAND = "belfry-hook --agent opencode 2>/dev/null || exit 0";
const FORWARDED = new Set(["session.created","session.compacted","session.idle","session.error","permission.asked","permission.replied","question.asked","question.replied","question.rejected"]);
/** A hook that takes longer (ms) is not waited for; of more events than MOST the oldest are left out. */
const PATIENCE = 3000;
const MOST = 100;
/** Ms that a session may try again and again before that is passed on, once until it goes on. */
const LONG = 60_000;
const REPORTED = Infinity;

const hasTerminal = () => {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false; // there is none, or it was closed
  }
};

export const Belfry = async (context) => {
  const busy = new Set();
  const retrying = new Map();
  const aborted = new Set();
  // A client that is closed at work reports its session as idle, too: only its last answer says that it was aborted.
  const answered = ({ sessionID, role, error }) => {
    if (role !== 'assistant') return;
    if (error?.name === 'MessageAbortedError') aborted.add(sessionID);
    else aborted.delete(sessionID);
  };
  const had = hasTerminal();
  const terminal = () => (hasTerminal() ? 'here' : had ? 'gone' : 'none');
  const completed = (event) => {
    const { sessionID, error } = event.properties ?? {};
    const isOver = event.type === 'session.idle' && aborted.delete(sessionID);
    const isAborted = event.type === 'session.error' && error?.name === 'MessageAbortedError';
    // It may leave before its last answer says that.
    const isLeft = event.type === 'session.idle' && terminal() === 'gone';
    const { status } = event.properties ?? {};
    if (status?.type === 'retry') return { ...event, long: status.next - Date.now() > LONG };
    return isOver || isAborted || isLeft ? { ...event, aborted: true, terminal: terminal() } : event;
  };
  const isLong = ({ sessionID, status }) => {
    const since = retrying.get(sessionID) ?? Date.now();
    const waits = since !== REPORTED && status.next - since > LONG;
    retrying.set(sessionID, waits ? REPORTED : since);
    return waits;
  };
  // What the model says ends that; its status says busy at each try.
  const resumed = ({ sessionID, type }) => {
    if (!['text', 'reasoning', 'tool'].includes(type) || !retrying.has(sessionID)) return null;
    const isReported = retrying.get(sessionID) === REPORTED;
    retrying.delete(sessionID);
    return isReported ? { type: 'session.status', properties: { sessionID, status: { type: 'resumed' } } } : null;
  };
  // A session reports that it is busy at every step; only the first counts.
  const wanted = ({ type, properties }) => {
    if (type === 'session.idle') {
      busy.delete(properties?.sessionID);
      retrying.delete(properties?.sessionID);
    }
    if (type !== 'session.status') return FORWARDED.has(type);
    if (properties?.status?.type === 'retry') return isLong(properties);
    if (properties?.status?.type !== 'busy' || busy.has(properties.sessionID)) return false;
    busy.add(properties.sessionID);
    return true;
  };
  const how = { shell: true, cwd: context?.directory, stdio: ['pipe', 'ignore', 'ignore'] };
  const waiting = [];
  let running = false;
  // Side by side a later event could overtake an earlier one.
  const next = () => {
    const event = waiting.shift();
    running = event !== undefined;
    if (event === undefined) return;
    try {
      const hook = spawn(COMMAND, how);
      let over = false;
      const done = () => {
        clearTimeout(late);
        if (!over) next();
        over = true;
      };
      const late = setTimeout(done, PATIENCE);
      late.unref?.();
      hook.on('error', done);
      hook.on('exit', done);
      hook.stdin.on('error', () => undefined);
      hook.stdin.end(JSON.stringify(event));
      hook.unref();
    } catch {
      next(); // a failed notification must not affect the client
    }
  };
  process.once('exit', () => {
    for (const event of waiting.splice(0)) spawnSync(COMMAND, { ...how, input: JSON.stringify(event), timeout: 2000 }); // reports what fails, throws nothing
  });
  return {
    event: async ({ event }) => {
      try {
        if (event.type === 'message.updated') answered(event.properties.info);
        const passed = event.type === 'message.part.updated' ? resumed(event.properties.part) : wanted(event) ? event : null;
        if (passed === null) return;
        if (waiting.push(completed(passed)) > MOST) waiting.shift();
      } catch {
        return; // of a form that no version has had
      }
      if (!running) next();
    },
  };
};
