import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../../src/start/run.ts';

// A program that gets a signal at the end of its start, or in the midst of it.
const [moment = ''] = process.argv.slice(2);

await run(async () => {
  const timer = setInterval(() => undefined, 1_000);
  process.kill(process.pid, 'SIGTERM');
  if (moment === 'during') await delay(60_000);
  return {
    async close() {
      clearInterval(timer);
      console.log('closed');
    },
  };
});
