// A process of its own that claims all that is due, decides over the session there is, says how much it got, and stays.
import { openStore } from '../../src/store/open.ts';
import { madeDecision, SESSION } from './made.ts';
import { commitOne } from './store-writes.ts';

const [file = '', at = '0'] = process.argv.slice(2);
const store = await openStore(file);
const claim = { now: Number(at), leaseMs: 60_000, limit: 10 };
const deliveries = await store.claim('team', claim);
const { timers } = await store.claimTimers(claim);
const record = await store.session(SESSION);
if (record !== null)
  await commitOne(
    store,
    madeDecision({ entryId: 'theirs', events: [], sessions: [{ ...record, title: 'decided elsewhere' }] }),
  );
process.stdout.write(`${deliveries.length} ${timers.length}\n`);
setInterval(() => undefined, 60_000);
