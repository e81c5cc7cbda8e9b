// A daemon with every channel configured: at rest before any of them was used, and after each was used once.
import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channels } from '../../src/channels/index.ts';
import { subscribeIn } from '../../test/support/subscribed.ts';
import { newId } from '../../src/ipc/id.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import type { Browser } from '../../src/model/channel/browsers.ts';
import { startBus } from '../../test/support/notification-server.ts';
import { startTmux, type TmuxServer } from '../../test/support/tmux-server.ts';
import { type BenchHome, openHome, residentMb, startDaemon, until } from '../home.ts';
import type { Measure, Section } from '../measure.ts';
import { type Services, startServices } from '../services.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Settings besides type and leave for this machine, by type. */
function tables({ url, mailPort, brokerPort }: Services, file: string): Readonly<Record<string, string>> {
  return {
    desktop: '',
    ntfy: `server = "${url}"\ntopic = "belfry-k3y5n8m2q7r4t6w9"`,
    telegram: `api_url = "${url}"\ntoken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"\nchat = 7\nallow = [42]`,
    slack: `url = "${url}/slack"`,
    'slack-app': `api_url = "${url}/api"\ntoken = "xoxb-1"\napp_token = "xapp-1"\nchannel = "C0123456789"`,
    discord: `url = "${url}/api/webhooks/1/a"`,
    teams: `url = "${url}/teams"`,
    pushover: `api_url = "${url}/pushover"\ntoken = "a"\nuser = "u"`,
    webpush: '',
    mqtt: `url = "mqtt://127.0.0.1:${brokerPort}"`,
    email: `host = "127.0.0.1"\nport = ${mailPort}\ntls = "none"\nfrom = "a@example.com"\nto = "b@example.com"`,
    webhook: `url = "${url}/webhook"`,
    terminal: '',
    command: `run = ["/bin/sh", "-c", "cat > '${file}'"]`,
  };
}

/** What plays on the machine's own devices is left out. */
const types = channels.map(({ type }) => type).filter((type) => type !== 'sound' && type !== 'speech');

/** Whether every one of them has got a message. `local`: those of this machine. */
function areUsed({ accepted }: Services, local: Readonly<Record<string, () => boolean>>): boolean {
  return types.every((type) => local[type]?.() ?? (accepted.get(type) ?? 0) > 0);
}

/** A browser whose push service is there. */
function browserAt(endpoint: string): Browser {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') } };
}

/** An event of a session in this pane that waits for a person. */
function spoolPrompt({ paths }: BenchHome, { socket, pane }: TmuxServer): void {
  const at = Date.now();
  const raw = JSON.stringify({ type: 'agent.waiting', session_id: 'bench', message: 'May I? '.repeat(80) });
  const origin = { pid: process.pid, ppid: process.ppid, env: { TMUX: `${socket},1,0`, TMUX_PANE: pane } };
  writeSpool(paths.spool, {
    id: newId(at),
    agent: 'generic',
    startedAt: at,
    receivedAt: at,
    origin,
    raw: Buffer.from(raw),
  });
}

async function allChannels(full: boolean): Promise<Measure[]> {
  const [services, bus] = await Promise.all([startServices(), startBus()]);
  const tmux = await startTmux({ owned: false });
  const server = await bus.serve({ capabilities: () => ['body', 'actions'] });
  const bare = openHome();
  const file = join(bare.folder, 'event.json');
  const settings = tables(services, file);
  const missing = types.filter((type) => settings[type] === undefined);
  if (missing.length > 0) throw new Error(`the benchmark has no settings for ${missing.join(', ')}`);
  const toml = types.map((type) => `[channels.${type}]\ntype = "${type}"\nallow_private = true\n${settings[type]}\n`);
  const home = openHome(`${toml.join('\n')}[[routes]]\nto = ${JSON.stringify(types)}\n`);
  const env = { ...home.env, DBUS_SESSION_BUS_ADDRESS: bus.address };
  await subscribeIn(home.paths.state, browserAt(`${services.url}/webpush`));
  const daemon = await startDaemon({ ...home, env });
  const rest = full ? 30_000 : 12_000; // it collects garbage once after work
  try {
    await pause(rest);
    const before = residentMb(daemon.pid);
    spoolPrompt(home, tmux);
    const local = {
      desktop: () => server.calls.length > 0,
      command: () => existsSync(file) && readFileSync(file, 'utf8') !== '',
      terminal: () => tmux.option('@belfry') !== '',
    };
    await until(() => areUsed(services, local));
    await pause(rest);
    const after = residentMb(daemon.pid);
    const common = { section: 'channels', unit: 'MB', runs: 1 } as const;
    return [
      { ...common, name: `resident memory, ${types.length} channels configured`, value: before },
      { ...common, name: 'the same after each was used once', value: after, goal: '<= 75', met: after <= 75 },
    ];
  } finally {
    await daemon.stop();
    services.close();
    tmux.close();
    await bus.close();
    for (const { remove } of [home, bare]) remove();
  }
}

export const CHANNEL_SECTIONS: readonly Section[] = [
  {
    name: 'channels',
    about: 'A daemon at rest with every channel configured, some of which listen; needs dbus-daemon and tmux.',
    run: ({ full }) => allChannels(full),
  },
];
