// The same through pgbouncer in transaction mode: no two transactions of one replica need be on the same connection.
import { testSharedStore } from '../../contracts/store/index.ts';
import { usePostgres } from '../../support/postgres.ts';
import { postgresDriver } from '../../support/postgres-driver.ts';

const postgres = usePostgres({ bouncer: true });

testSharedStore(postgresDriver('postgres behind pgbouncer', postgres, postgres.bouncedUrl));
