import { PGlite } from '@electric-sql/pglite';
import { pgliteMemory } from './pglite-memory.ts';

// A program: creates a Postgres cluster in the folder given as its argument.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: create-cluster.ts FOLDER');
// The write-ahead log has segments of 4 MB instead of 16, so a new cluster takes 31 MB instead of 39.
const pglite = await PGlite.create(folder, {
  ...pgliteMemory,
  initDbStartParams: ['--wal-segsize=4', '--set', 'shared_buffers=16MB'],
});
await pglite.close();
