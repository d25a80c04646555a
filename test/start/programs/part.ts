import { workerData } from 'node:worker_threads';
import { serveThread } from '../../../src/start/thread.ts';

// A part that does what the test tells it: ends before it is ready, ends afterwards, or stays.
if (workerData.ends === 'before') process.exit(3);
await serveThread(async () => {
  if (workerData.ends === 'after') setImmediate(() => process.exit(4));
  const staying = setInterval(() => undefined, 1_000);
  return { facts: { name: 'part' }, close: async () => clearInterval(staying) };
});
