import { PGlite } from '@electric-sql/pglite';

/**
 * Start parameters with which PGlite uses less memory. Postgres' default of 128 MB for shared buffers takes 130 MB more
 * resident memory, without a measurable gain, because the operating system caches the same pages. The limits of the
 * write-ahead log keep the folder small.
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
