// Emergencies that nobody has acknowledged yet, and what their receipts say (pushover.net/api/receipts).
import { sleep, systemClock } from '../../lib/clock.ts';
import { sendRequest } from '../../lib/net/http.ts';
import type { ReceiveOptions } from '../../model/channel/channel.ts';
import { sanitizeLine } from '../../lib/text/text.ts';
import { documentOf } from './response-outcome.ts';
import type { PushoverSettings } from './settings.ts';

/** One that was sent. */
export interface Emergency {
  readonly receipt: string;
  /** What acknowledges the notification here. */
  readonly reference: string;
  /** When it stops by itself, Unix ms. */
  readonly until: number;
}

/** Those that are looked at; the oldest goes first. */
const MAX_EMERGENCIES = 50;
/** Ms between two looks at one receipt: no more are allowed. */
const EVERY = 5_000;
const TIMEOUT = 10_000;

/** Of one opened channel. Forgotten when the daemon restarts: those are acknowledged on the phone only. */
export function createEmergencies(settings: PushoverSettings) {
  const open = new Map<string, Emergency>();
  let wake = (): void => undefined;

  /** Nothing runs while there is none. */
  const first = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (open.size > 0 || signal.aborted) return resolve();
      wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });

  async function look(
    { receipt, reference, until }: Emergency,
    { on, signal, now, log }: ReceiveOptions,
  ): Promise<void> {
    const url = `${settings.api_url}/receipts/${receipt}.json?token=${encodeURIComponent(settings.token)}`;
    const bounds = { timeout: TIMEOUT, allowPrivate: settings.allow_private, signal, now };
    const end = await sendRequest({ method: 'GET', url, ...bounds });
    const said = documentOf(end);
    const isGone = end.kind === 'answer' && end.status >= 400 && end.status < 500 && end.status !== 429;
    if (isGone || said?.['expired'] === 1 || now() > until) open.delete(receipt);
    if (said?.['acknowledged'] !== 1 || !open.delete(receipt)) return;
    const device = said['acknowledged_by_device'];
    const name = typeof device === 'string' ? sanitizeLine(device, 60) : '';
    // Their key is a secret, so the name of the device has to do.
    const by = { id: 'pushover', name: name || 'somebody' };
    await on({ reference, replyTo: null, text: null, by, at: now() }).catch((error: unknown) =>
      log('pushover: an acknowledgement could not be taken', { error: String(error) }),
    );
  }

  return {
    add: (emergency: Emergency): void => {
      open.set(emergency.receipt, emergency);
      const [oldest] = open.keys();
      if (open.size > MAX_EMERGENCIES && oldest !== undefined) open.delete(oldest);
      wake();
    },
    /** It was cancelled here. */
    end: (receipt: string): void => void open.delete(receipt),
    /** Hands over acknowledgements until the signal fires. */
    watch: async (options: ReceiveOptions): Promise<void> => {
      const { signal } = options;
      while (!signal.aborted) {
        await first(signal);
        await sleep(EVERY, systemClock, signal);
        for (const emergency of open.values()) if (!signal.aborted) await look(emergency, options);
      }
    },
  };
}
