import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import type { PrivatePostgres } from '../test/support/postgres.ts';

/** What a server has done so far. */
interface PostgresStatistics {
  statements: number;
  /** Syncs of the write-ahead log to the disk. */
  syncs: number;
  /** Bytes of the write-ahead log. */
  bytes: number;
}

/**
 * Makes the server sync its commits to the disk, as outside of tests, and count statements. Resolves with a connection
 * that reads the counts.
 */
export async function openStatistics(postgres: PrivatePostgres): Promise<Kysely<unknown>> {
  const open = () => new Kysely({ dialect: createPostgresDialect(postgres.url('postgres', 'postgres')) });
  const before = open();
  await sql`alter system set fsync = on`.execute(before);
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`.execute(before);
  await before.destroy();
  await postgres.restart('fast');
  const admin = open();
  await sql`create extension pg_stat_statements`.execute(admin);
  return admin;
}

/** Reads the counts: statements in one database, and syncs and bytes of the whole server. */
export async function readStatistics(admin: Kysely<unknown>, database: string): Promise<PostgresStatistics> {
  const { rows } = await sql<PostgresStatistics>`
    select wal_sync::integer as syncs, wal_bytes::float as bytes,
      (select coalesce(sum(calls), 0)::integer from pg_stat_statements s join pg_database d on d.oid = s.dbid
        where d.datname = ${database}) as statements
    from pg_stat_wal`.execute(admin);
  const [statistics] = rows;
  if (!statistics) throw new Error('pg_stat_wal has no row');
  return statistics;
}
