import { PGlite } from '@electric-sql/pglite';
import { pgliteMemory } from './pglite-memory.ts';

// A program: makes a Postgres cluster in the folder that it is given, and ends.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
// Segments of 4 MB instead of 16: a new folder takes 31 MB instead of 39.
const pglite = await PGlite.create(folder, {
  ...pgliteMemory,
  initDbStartParams: ['--wal-segsize=4', '--set', 'shared_buffers=16MB'],
});
await pglite.close();
