// Loaded before every entry point and in each of its threads (`node --require`), in syntax that any Node can read:
// a Node too old to run TypeScript as it is would otherwise answer with a stack.
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  console.error(
    `Upnext needs Node.js ${NEEDED} or newer, and this is ${process.versions.node}: install it from https://nodejs.org and run the command again.`,
  );
  process.exit(1);
}

// Keeps the JavaScript that the TypeScript becomes, so that later starts read it and no thread strips types again:
// measured with three threads, 75 instead of 350 ms and 12 MB less for each.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '..', '..', '.cache', 'node'));
