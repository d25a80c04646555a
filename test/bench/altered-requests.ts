import { sendAltered } from '../security/altered-requests.ts';

const COUNT = 100_000;

/** Requests that differ in at least a byte of body, timestamp or signature from a good one, over HTTP. */
export async function alteredRequests(): Promise<void> {
  const started = performance.now();
  const { handled, good, said } = await sendAltered(COUNT, Math.floor(Date.now() / 1000));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const answers = [...said].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(`  ${COUNT} altered requests in ${seconds} s, answered ${answers}`);
  console.log(
    `  handlers run for them: ${handled.altered} (wanted: 0); for the good ones between: ${handled.good} of ${good}`,
  );
}
