// What holds beyond one event: mutes, the health of channels, that other settings are in force.
import type { Silence } from '../../model/event/verdict.ts';
import { silencesInForce } from '../../model/event/verdict.ts';
import { encode } from '../encoding.ts';
import type { ChannelHealth, StoredSilence } from '../records.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { State } from '../roles/state.ts';
import { noted } from './changes.ts';
import type { Context } from './context.ts';

const MUTES = 'SELECT version, body FROM mute WHERE org = $1 ORDER BY id';

/** What may be read of it. */
export function stateReads({ db, org }: Pick<Context, 'db' | 'org'>): Pick<StoreReader, 'silences' | 'health'> {
  return {
    silences: async (now) => silencesInForce(await mutesOf(db, org), now),
    health: async () => {
      const rows = await db.read<{ body: string }>('SELECT body FROM health WHERE org = $1 ORDER BY channel', [org]);
      return rows.map(({ body }) => JSON.parse(body) as ChannelHealth); // written from one
    },
  };
}

async function mutesOf(db: Context['db'], org: number): Promise<readonly StoredSilence[]> {
  const rows = await db.read<{ version: number; body: string }>(MUTES, [org]);
  return rows.map(({ version, body }) => ({ ...(JSON.parse(body) as Silence), version })); // written from one
}

/** The writes. */
export function state({ db, org, committed }: Context): State {
  const write = async (sql: string, type: 'health' | 'mute', values: readonly unknown[]): Promise<number> => {
    const done = await db.read(
      `WITH done AS (${sql}), changed AS (${noted(org, type, `SELECT '' AS machine, id FROM done`)}) SELECT id FROM done`,
      [org, ...values],
    );
    if (done.length > 0) committed();
    return done.length;
  };
  return {
    setHealth: async (health) => {
      const sql = `INSERT INTO health (org, channel, body) VALUES ($1, $2, $3)
        ON CONFLICT (org, channel) DO UPDATE SET body = excluded.body RETURNING channel AS id`;
      await write(sql, 'health', [encode(health.channel), JSON.stringify(health)]);
    },
    putSilence: async (silence) => {
      const sql = `INSERT INTO mute (org, id, until, body) VALUES ($1, $2, $3, $4)
        ON CONFLICT (org, id) DO UPDATE SET version = mute.version + 1, until = excluded.until, body = excluded.body RETURNING id`;
      await write(sql, 'mute', [encode(silence.id), silence.until, JSON.stringify(silence)]);
    },
    removeSilences: async (match) => {
      const keys = ['id', 'session', 'cwd', 'channel'] as const;
      const matching = (await mutesOf(db, org)).filter((mute) =>
        keys.every((key) => match[key] === undefined || match[key] === mute[key]),
      );
      const sql = 'DELETE FROM mute WHERE org = $1 AND id = ANY($2::text[]) RETURNING id';
      return matching.length === 0 ? 0 : write(sql, 'mute', [matching.map(({ id }) => encode(id))]);
    },
    noteSettings: async () => {
      await db.read(noted(org, 'settings', `SELECT '' AS machine, '' AS id`));
      committed();
    },
  };
}
