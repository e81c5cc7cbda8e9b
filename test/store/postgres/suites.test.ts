// PostgreSQL passes the suites of the roles that a hub has, on tables that were never analyzed.
import { testSharedStore } from '../../contracts/store/index.ts';
import { usePostgres } from '../../support/postgres.ts';
import { postgresDriver } from '../../support/postgres-driver.ts';

const postgres = usePostgres();

testSharedStore(postgresDriver('postgres', postgres, postgres.url));
