// What a database of an earlier version goes on with, when the daemon of this version opens it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { linesOf, scratchHome, world } from './world.ts';

const DATABASES = join(import.meta.dirname, 'databases');

/** As `make-database.ts` names the channels. */
const SETTINGS = `
[channels.audit]
type = "webhook"
url = "http://127.0.0.1:9/audit"
allow_private = true
[channels.desk]
type = "slack"
url = "http://127.0.0.1:9/services/x"
allow_private = true
[channels.broken]
type = "webhook"
url = "http://127.0.0.1:9/fails"
allow_private = true
[channels.slow]
type = "webhook"
url = "http://127.0.0.1:9/hangs"
allow_private = true
[quiet]
hours = ["00:00-00:01"]
zone = "UTC"
[[routes]]
to = ["audit", "broken", "slow"]
also = true
[[routes]]
to = ["desk"]
escalate = [{ after = "2m", to = ["slow"] }]
repeat = "20m"
group = { by = ["project"], wait = "1s", every = "1m" }
`;

/** `name`: of a file that `make-database.ts` packed, with the time. Resolves with what is told in the twelve hours from a minute after. */
export async function upgraded(name: string): Promise<readonly string[]> {
  const madeAt = Number(/-(\d+)\.db\.br$/.exec(name)?.[1]);
  const home = scratchHome();
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  const database = brotliDecompressSync(readFileSync(join(DATABASES, name)));
  writeFileSync(join(home, 'state', 'belfry.db'), database, { mode: 0o600 });
  const here = await world(SETTINGS, madeAt + 60_000, { home });
  try {
    await here.pass(6 * 3_600_000);
    await here.restart();
    await here.pass(6 * 3_600_000);
    return linesOf(here.told);
  } finally {
    await here.close();
  }
}
