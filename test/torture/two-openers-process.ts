// One of two processes that deliver what one database holds: `tsx FILE DATABASE URL`. Ends when it is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { webhook } from '../../src/channels/webhook.ts';
import { createDeliveryService } from '../../src/delivery/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ChannelType } from '../../src/model/channel/channel.ts';
import { openStore } from '../../src/store/open.ts';

const [database = '', url = ''] = process.argv.slice(2);
const store = await openStore(database);
const channel: ChannelType = webhook as unknown as ChannelType; // as in the registry
const names = ['audit', 'team'];
const channels = new Map(
  names.map((name) => {
    const settings = webhook.schema.parse({ url: `${url}/${name}`, allow_private: true });
    return [name, { name, channel, settings, level: 'full' as const }];
  }),
);
const deliveries = createDeliveryService(
  {
    store,
    clock: systemClock,
    env: {},
    platform: process.platform,
    random: Math.random,
    stateFolder: '/nowhere',
    log: (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    raise: async () => undefined,
  },
  channels,
);
process.stdout.write('ready\n');
for (;;) {
  deliveries.wake(); // the rows are written by another process
  await sleep(10);
}
