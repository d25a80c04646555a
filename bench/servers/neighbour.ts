import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { sendSigned } from '../../test/support/send-signed.ts';

/**
 * Sends `/upnext help` as these PEOPLE of a tenant, at a fixed rate for SECONDS and without waiting. Prints `under way` at its
 * start, and how long each answer took at its end. In a process of its own, because the built-in Slack has much to do during an attack.
 */

const { URL: url = '', SECRET = '', TEAM = '', SLACK_URL = '', SECONDS = '5', FROM = '' } = process.env;
const INTERVAL_MS = 100;
/** An answer that takes longer is missing. Slack gives up after 3 s. */
const TIMEOUT_MS = 10_000;
const people = (process.env.PEOPLE ?? '').split(',');

const dispatcher = new Agent({ pipelining: 0, connect: { localAddress: FROM } });
const waits: number[] = [];
let failed = 0;

async function sendHelp(count: number): Promise<void> {
  const payload = {
    ...{ command: '/upnext', text: 'help', team_id: TEAM, user_name: 'rosa', channel_id: 'C01GENERAL' },
    user_id: people[count % people.length],
    trigger_id: `${performance.now()}.1.1`,
    response_url: `${SLACK_URL}/response/none`,
  };
  const startedAt = performance.now();
  const sending = sendSigned({ url, signingSecret: SECRET, dispatcher }, payload, 0).catch(() => undefined);
  const response = await Promise.race([sending, delay(TIMEOUT_MS, undefined, { ref: false })]);
  waits.push(performance.now() - startedAt);
  if (response?.status !== 200) failed += 1;
}

console.log('under way');
const sent: Promise<void>[] = [];
const endsAt = performance.now() + Number(SECONDS) * 1_000;
for (let count = 0; performance.now() < endsAt; count += 1) {
  sent.push(sendHelp(count));
  await delay(INTERVAL_MS);
}
await Promise.all(sent);
console.log(`answers ${JSON.stringify({ waits, failed })}`);
process.exit();
