import { PGlite } from '@electric-sql/pglite';
import { LOG_FILE_MB } from './cluster.ts';
import { pgliteMemory } from './pglite-memory.ts';

// A program: creates a Postgres cluster in the folder given as its argument.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: create-cluster.ts FOLDER');
const pglite = await PGlite.create(folder, {
  ...pgliteMemory,
  initDbStartParams: [`--wal-segsize=${LOG_FILE_MB}`, '--set', 'shared_buffers=16MB'],
});
await pglite.close();
