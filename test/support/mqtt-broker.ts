// A real MQTT broker in this process, on a free port: what it was handed and keeps, who is connected, and the trouble it can make.
import { type AddressInfo, createServer } from 'node:net';
import { Aedes, type Client } from 'aedes';
import { onTestFinished } from 'vitest';
import { until } from './wait.ts';

export const USER = 'belfry';
export const PASSWORD = 'correct horse 77';

/** A message as it was handed over. */
export interface HandedOver {
  readonly client: string;
  readonly topic: string;
  readonly payload: string;
  readonly qos: number;
  readonly retain: boolean;
}

/** silent: takes everything and acknowledges nothing; refused: nobody is let in; unavailable: not now. */
export type BrokerTrouble = 'silent' | 'refused' | 'unavailable' | null;

/** `signIn`: only USER with PASSWORD is let in. */
export async function startBroker({ signIn = false }: { readonly signIn?: boolean } = {}) {
  const handed: HandedOver[] = [];
  const clients = new Map<string, Client>();
  const introductions: { readonly id: string; readonly user: string | undefined; readonly will: unknown }[] = [];
  let trouble: BrokerTrouble = null;
  const refusal = (returnCode: number) => Object.assign(new Error('no'), { returnCode });
  const broker = await Aedes.createBroker({
    preConnect: (_client, { clientId, username, will }, done) => {
      introductions.push({
        id: clientId,
        user: username,
        will: will ? { ...will, payload: String(will.payload) } : null,
      });
      done(null, true);
    },
    authenticate: (_client, user, password, done) => {
      if (trouble === 'unavailable') return done(refusal(3), null);
      const isKnown = !signIn || (user === USER && String(password) === PASSWORD);
      if (trouble === 'refused' || !isKnown) return done(refusal(4), null);
      done(null, true);
    },
    authorizePublish: (client, { topic, payload, qos, retain }, done) => {
      handed.push({ client: client?.id ?? '', topic, payload: String(payload), qos, retain });
      if (trouble !== 'silent') done(null);
    },
  });
  broker.on('clientReady', (client) => clients.set(client.id, client));
  broker.on('clientDisconnect', (client) => clients.delete(client.id));
  const server = createServer(broker.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => broker.close(resolve));
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  const kept = new Map<string, string>();
  broker.on('publish', ({ topic, payload, retain }) => {
    if (!retain || topic.startsWith('$SYS')) return;
    if (payload.length === 0) kept.delete(topic);
    else kept.set(topic, String(payload));
  });
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    handed,
    introductions,
    /** What it keeps, by topic. */
    kept,
    /** Those who are connected, by client id. */
    clients,
    /** Puts it there as if an earlier client had. */
    keep: (topic: string, payload: string) =>
      new Promise<void>((resolve, reject) =>
        broker.publish(
          { cmd: 'publish', qos: 0, dup: false, retain: true, topic, payload: Buffer.from(payload) },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    /** From now on; whoever is connected is cut off, unless it is only silent. */
    trouble: (kind: BrokerTrouble): void => {
      trouble = kind;
      if (kind === 'refused' || kind === 'unavailable') for (const client of clients.values()) client.close();
    },
    cut: (): void => {
      for (const client of clients.values()) client.conn.destroy();
    },
    waitFor: (topic: RegExp, limit?: number) =>
      until(() => handed.find((message) => topic.test(message.topic)), `a message to ${String(topic)}`, limit),
  };
}
