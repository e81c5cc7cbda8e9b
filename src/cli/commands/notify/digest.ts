// `belfry digest`: what quiet hours and mutes have held back so far; `--send` sends it now.
import { homedir } from 'node:os';
import { loadInitial } from '../../../config/live/initial-load.ts';
import { oneLine, plainText } from '../../../lib/text/text.ts';
import { isDigestHold } from '../../../model/delivery/holds.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { deliveryJson } from '../../../model/row-json.ts';
import { ask } from '../../daemon/rpc.ts';
import { painter } from '../../output/table-output.ts';
import { withStore } from '../../reading/with-store.ts';

export const define: Define = (command, io) => {
  command
    .option('--send', 'send it now, whatever is quiet or muted')
    .action(async ({ send = false }: { send?: boolean }) => {
      const paths = resolveOwnPaths();
      if (send) {
        await ensureListening(paths);
        const { held } = (await ask(paths, 'digest', {}, 10_000)) as { held: number };
        if (io.json) return io.data({ held });
        return io.line(held === 0 ? 'nothing is held back' : 'the digest is on its way');
      }
      const { config } = await loadInitial(paths, false, Date.now());
      const { heldSoFar } = await import('../../../decisions/batch/let-out.ts');
      const { channelProfiles } = await import('../../../daemon/channels/channel-profiles.ts');
      const found = await withStore(async (store) => {
        const holds = [...(await store.holds()).keys()].filter(isDigestHold);
        const profiles = () => channelProfiles(config);
        const deps = { store, now: Date.now, config: () => config, home: homedir(), profiles };
        return Promise.all(holds.map(async (hold) => ({ hold, channels: await heldSoFar(hold, deps) })));
      });
      if (io.json)
        return io.data(
          found.flatMap(({ hold, channels }) =>
            channels.map(({ channel, rows, content }) => ({
              held_by: hold,
              channel,
              title: content?.title ?? null,
              body: content?.body ?? null,
              events: content?.events ?? [],
              deliveries: rows.map(deliveryJson),
            })),
          ),
        );
      const paint = await painter(io);
      const shown = found.flatMap(({ channels }) => channels).filter(({ content }) => content !== null);
      if (shown.length === 0) io.note('nothing is held back');
      for (const { channel, content } of shown) {
        io.line(`${channel}: ${paint('good', oneLine(content?.title ?? ''))}`);
        for (const line of plainText(content?.body ?? '').split('\n')) if (line !== '') io.line(`  ${line}`);
      }
    });
};
