import { PGlite } from '@electric-sql/pglite';

/**
 * Postgres' own default of 128 MB for shared buffers costs 130 MB more resident memory and won nothing measurable
 * here: the operating system caches the same pages. The write-ahead log's limits keep the folder small.
 */
export const pgliteMemory = {
  startParams: [
    ...PGlite.defaultStartParams,
    ...['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB'].flatMap((setting) => [
      '-c',
      setting,
    ]),
  ],
};
