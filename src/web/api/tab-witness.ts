// Which document asks to be let in, and which were here before this tab. The page's worker says so: the browser names each document to it, and a
// document that another program served, before Belfry had this address, was here before.

/** The path of the page's worker. */
export const WORKER = '/service-worker.js';

/** Ms that the worker may take to start and to answer. */
const LONGEST = 10_000;

/** What a tab says to the worker, which answers with the names of all documents. `asks`: the hash of the asking tab's secret, for the other tabs. */
export interface ToWorker {
  readonly asks?: string;
}

/** What the worker says to tabs. `by`: the document that asks; null: it is no tab of its own, or a script opened it and may reach into it. */
export interface FromWorker {
  readonly asks: string;
  readonly by: string | null;
}

const workers = (): ServiceWorkerContainer | null =>
  window.isSecureContext && 'serviceWorker' in navigator ? navigator.serviceWorker : null;

/** Asks the other tabs through the worker. Resolves once it has passed it on; false: none of them has put a worker there. */
export async function askByWorker(asks: string): Promise<boolean> {
  const worker = (await workers()?.getRegistration('/'))?.active;
  return worker ? say(worker, { asks }).then(() => true) : false;
}

/**
 * Hears the tabs that ask. `isNewer`: that document was not here when this tab came in, and may be let in unasked. `isFirst`: no other tab has let this
 * one in, so that what another program left in the browser has to go.
 */
export function hearAsking(
  isFirst: boolean,
  heard: (asks: string, isNewer: boolean) => void,
): {
  /** Resolves once it is known who was here before. */
  readonly ready: Promise<void>;
  readonly stop: () => void;
} {
  const container = workers();
  const known = container === null ? Promise.resolve(null) : whoIsHere(container, isFirst).catch(() => null); // everyone is asked about
  const hear = async ({ data, source }: MessageEvent<Partial<FromWorker> | null>): Promise<void> => {
    const { asks, by } = data ?? {};
    if (typeof asks !== 'string') return;
    const before = await known;
    const isNamed = before !== null && source === before.worker && typeof by === 'string';
    heard(asks, isNamed && !before.documents.has(by));
  };
  const listen = (event: MessageEvent): void => void hear(event);
  container?.addEventListener('message', listen);
  return {
    ready: known.then(() => undefined),
    stop: () => container?.removeEventListener('message', listen),
  };
}

/** With the worker that said so, which is the one that Belfry serves now. */
async function whoIsHere(
  container: ServiceWorkerContainer,
  isFirst: boolean,
): Promise<{ readonly worker: ServiceWorker; readonly documents: ReadonlySet<string> }> {
  if (isFirst) {
    // Another worker could go on serving its documents at some address.
    for (const one of await container.getRegistrations())
      if (one.scope !== `${location.origin}/`) await one.unregister();
    await fetch(WORKER, { cache: 'no-store' }); // which has the browser forget the documents that it has stored of this address
  }
  const registration = await container.register(WORKER, { scope: '/' });
  if (isFirst) await registration.update();
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (worker === null) throw new Error('the worker is gone');
  await untilActive(worker);
  return { worker, documents: new Set(await say(worker, {})) };
}

function untilActive(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('another worker has taken its place'));
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/** Resolves with the names of the documents that are open here. */
function say(worker: ServiceWorker, what: ToWorker): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(reject, LONGEST, new Error('the worker does not answer'));
    port1.onmessage = ({ data }: MessageEvent<readonly string[]>) => {
      clearTimeout(timer);
      port1.close();
      resolve(data);
    };
    worker.postMessage(what, [port2]);
  });
}
