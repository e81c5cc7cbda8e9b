// Channels may have any name, and every id works by its beginning.
import { expect, test } from 'vitest';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith } from '../support/thread.ts';

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly channel: string;
}

test.each(['канал', 'チャンネル', 'a b"c', '🙂'])(
  'test, send, why and replay through a channel called %s',
  async (name) => {
    const receiver = await startReceiver();
    const home = homeWith(
      `[channels.${JSON.stringify(name)}]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = [${JSON.stringify(name)}]\n`,
    );
    await startDaemon(home);
    expect(await asked(home, ['test'])).toEqual([expect.objectContaining({ channel: name, ok: true })]);
    expect(await asked(home, ['test', name])).toEqual([expect.objectContaining({ channel: name, ok: true })]);
    const { id } = await asked<Row>(home, ['send', 'hello', '--session', `session of ${name}`]);
    const [row] = await asked<Row[]>(home, ['deliveries', '--event', id]);
    for (const given of [id, id.slice(0, 20), row?.id ?? '', row?.id.slice(0, 12) ?? '']) {
      expect(await asked(home, ['why', given])).toMatchObject({ event: { id } });
      expect(await asked(home, ['event', given])).toMatchObject({ id });
      expect(await asked(home, ['replay', given])).toMatchObject({ replayed: [{ event_id: id, channel: name }] });
    }
    expect(await belfry(home, ['replay', 'dlv_nobody'])).toMatchObject({ code: 4 });
  },
);
