import { workerData } from 'node:worker_threads';
import { serveThread } from '../../../src/start/thread.ts';

// A thread that ends before it is ready, ends afterwards, or keeps running, depending on `workerData.ends`.
if (workerData.ends === 'before') process.exit(3);
await serveThread(async () => {
  if (workerData.ends === 'after') setImmediate(() => process.exit(4));
  const interval = setInterval(() => undefined, 1_000);
  return { facts: { name: 'part' }, close: async () => clearInterval(interval) };
});
