import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface LoadResult {
  /** The number of requests. */
  requestCount: number;
  perSecond: number;
  /** The median response time, ms. */
  p50: number;
  /** The 99th percentile of the response times, ms. */
  p99: number;
  failedCount: number;
}

/** Number of users. There are many, because each may send only a few hundred requests a minute (src/slack/rates.ts). */
const USER_COUNT = 500;
/** Number of requests so far. It continues in later loads, because two loads within a second must differ. */
let sentCount = 0;

/** Sends signed `/upnext help` requests over persistent connections, `concurrency` at a time, for `durationMs`. */
export async function sendSlackRequests(options: {
  port: number;
  signingSecret: string;
  durationMs: number;
  concurrency: number;
}): Promise<LoadResult> {
  const { port, signingSecret, concurrency } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let failedCount = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + options.durationMs;
  const sendInTurn = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const status = await postBody(
        agent,
        port,
        createSignature(signingSecret, createHelpCommand(sentCount++)),
      );
      times.push(performance.now() - sentAt);
      if (status !== 200) failedCount++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const getPercentile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    requestCount: times.length,
    perSecond: times.length / seconds,
    p50: getPercentile(0.5),
    p99: getPercentile(0.99),
    failedCount,
  };
}

/** Creates the body of a command. Each has its own trigger, because the app refuses repeated requests. */
function createHelpCommand(requestNumber: number): string {
  return new URLSearchParams({
    token: 'unused',
    team_id: 'T000BENCH',
    team_domain: 'bench',
    channel_id: 'C000BENCH',
    channel_name: 'general',
    user_id: `U000BENCH${requestNumber % USER_COUNT}`,
    user_name: 'ana',
    command: '/upnext',
    text: 'help',
    api_app_id: 'A000BENCH',
    is_enterprise_install: 'false',
    response_url: 'https://hooks.slack.com/commands/T000BENCH/1/x',
    trigger_id: `${requestNumber}.${process.pid}.bench`,
  }).toString();
}

function createSignature(secret: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return { body, timestamp, signature };
}

function postBody(
  agent: Agent,
  port: number,
  { body, timestamp, signature }: ReturnType<typeof createSignature>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    };
    const outgoing = request({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/slack/events',
      headers,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}
