import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';

/**
 * Loaded into a measured app before its own code (`node --import`). Removes the rate limits, because a benchmark sends
 * what thousands of people would. SIGUSR2 begins a profile of the CPU, and the next one writes it to `PROFILE`.
 */

// The app may be that of another checkout.
const { RATES }: typeof import('../../src/slack/rate-limits.ts') = await import(
  resolve('src/slack/rate-limits.ts')
);
for (const rates of Object.values(RATES)) Object.assign(rates, { member: [], tenant: [] });

const session = new Session();
let isProfiling = false;
process.on('SIGUSR2', () => void toggleProfile());

async function toggleProfile(): Promise<void> {
  if (!isProfiling) {
    isProfiling = true;
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    return session.post('Profiler.start');
  }
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(process.env.PROFILE ?? '', JSON.stringify(profile));
  session.disconnect();
  isProfiling = false;
  console.log('profile written');
}
