import { FolderLocked, lockFolder } from '../../../../src/store/pglite/locked-database.ts';

// A program that locks the folder when it reads the line `go`, and prints the result. It holds the lock until it is
// killed or its input ends.
const [folder = ''] = process.argv.slice(2);
process.stdin.once('data', () => {
  try {
    lockFolder(folder);
    console.log('locked the folder');
  } catch (error) {
    console.log(error instanceof FolderLocked ? error.message : String(error));
  }
});
process.stdin.once('end', () => process.exit());
console.log('ready');
