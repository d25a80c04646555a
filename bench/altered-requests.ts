import { sendAltered } from '../test/security/altered-requests.ts';

const REQUEST_COUNT = 100_000;

/** Sends HTTP requests whose body, timestamp or signature differs from a valid request in at least one byte. */
export async function sendAlteredRequests(): Promise<void> {
  const startedAt = performance.now();
  const { handled, validCount, statuses } = await sendAltered(REQUEST_COUNT, Math.floor(Date.now() / 1000));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const responses = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(`  ${REQUEST_COUNT} altered requests in ${seconds} s, responses: ${responses}`);
  console.log(
    `  handled although altered: ${handled.altered} (limit: 0); valid requests handled: ${handled.valid} of ${validCount}`,
  );
}
