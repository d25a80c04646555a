import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computeMedian } from './median.ts';
import { readProcessCpuMs, type Server, startServer } from './server.ts';
import { type LoadResult, sendSlackRequests } from './slack-load.ts';

/**
 * Measures acknowledgements per second of `/upnext help` over HTTP. Compares Upnext, a Bolt app that only acknowledges,
 * and a Node server that only checks the signature. The servers take turns, so a busy machine slows down all of them.
 * `--against FOLDER` adds another checkout of Upnext, with its packages installed, to compare two versions.
 */

const UPNEXT_LABEL = 'Upnext';
const OTHER_CHECKOUT_LABEL = 'the other checkout';
/** Many short rounds, because a shared machine is slow for seconds at a time. */
const ROUND_COUNT = 20;
const ROUND_MS = 700;
/** Number of requests at a time. */
const CONCURRENCY = 16;
/** A server is idle if it uses less CPU time than this within IDLE_INTERVAL_MS. */
const MAX_IDLE_CPU_MS = 20;
const IDLE_INTERVAL_MS = 500;
const signingSecret = 'b'.repeat(32);
const botToken = 'xoxb-1111-2222-bench';

/**
 * Creates a server that answers the methods that an app calls at its start. Every user is an owner with all
 * permissions.
 */
function createFakeSlack() {
  const botIdentity = {
    user_id: 'U000BOT',
    bot_id: 'B000BOT',
    team_id: 'T000BENCH',
    user: 'upnext',
    team: 'Bench',
  };
  const user = { id: 'U000BENCH', team_id: 'T000BENCH', name: 'ana', is_owner: true, is_admin: true };
  return createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const fields = request.url?.endsWith('users.info') ? { user } : botIdentity;
    response.end(JSON.stringify({ ok: true, url: 'https://bench.slack.com/', ...fields }));
  });
}

interface StartedServer {
  port: number;
  /** Reads the process's CPU time so far, including all threads. */
  readCpuMs(): number;
  stop(): void;
}

async function waitForPort(server: Server): Promise<StartedServer> {
  const [, portText] = await server.waitForOutput(/port (\d+)/);
  return { port: Number(portText), readCpuMs: () => readProcessCpuMs(server.pid), stop: server.stop };
}

/** Waits until a server is idle after its start. Upnext first compiles its date patterns, for some seconds. */
async function waitUntilIdle({ readCpuMs }: StartedServer): Promise<void> {
  let cpuMsBefore: number;
  do {
    cpuMsBefore = readCpuMs();
    await delay(IDLE_INTERVAL_MS);
  } while (readCpuMs() - cpuMsBefore > MAX_IDLE_CPU_MS);
}

/** The result of a server in a round. `measureCpuMs` is the CPU time per request, which depends less on a busy machine. */
interface Round extends LoadResult {
  measureCpuMs: number;
}

export async function measureAcknowledgements(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { against: { type: 'string' } } });
  const slack = createFakeSlack();
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const address = slack.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/`;
  const dataDirs: string[] = [];
  const startUpnext = (folder: string) => {
    const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
    dataDirs.push(dataDir);
    const env = {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: apiUrl,
      ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
      DATA_DIR: dataDir,
      PORT: '0',
      SERVICE_PORT: '0',
      LOG_LEVEL: 'warn',
    };
    return waitForPort(startServer('src/main.ts', env, { folder }));
  };
  const plainEnv = { SIGNING_SECRET: signingSecret, BOT_TOKEN: botToken, API_URL: apiUrl };
  const servers = {
    [UPNEXT_LABEL]: await startUpnext('.'),
    'bare Bolt': await waitForPort(startServer('test/bench/servers/bare-bolt.ts', plainEnv)),
    'raw Node': await waitForPort(startServer('test/bench/servers/raw.ts', plainEnv)),
    ...(values.against !== undefined && { [OTHER_CHECKOUT_LABEL]: await startUpnext(values.against) }),
  };
  for (const server of Object.values(servers)) await waitUntilIdle(server);
  const measuredServers = new Map<string, Round[]>(Object.keys(servers).map((name) => [name, []]));
  for (let round = 0; round <= ROUND_COUNT; round++) {
    const entries = Object.entries(servers);
    for (const [name, { port, readCpuMs }] of round % 2 === 0 ? entries : entries.reverse()) {
      const cpuMsBefore = readCpuMs();
      const result = await sendSlackRequests({
        port,
        signingSecret,
        durationMs: ROUND_MS,
        concurrency: CONCURRENCY,
      });
      // The first round warms up.
      if (round > 0)
        measuredServers
          .get(name)
          ?.push({ ...result, measureCpuMs: (readCpuMs() - cpuMsBefore) / result.requestCount });
    }
  }
  for (const { stop } of Object.values(servers)) stop();
  slack.close();
  slack.closeAllConnections();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  printResults(measuredServers);
}

function printResults(measured: Map<string, Round[]>): void {
  console.log(
    `\`/upnext help\` over HTTP, ${CONCURRENCY} at a time, median of ${ROUND_COUNT} rounds of ${ROUND_MS} ms:`,
  );
  for (const [name, results] of measured) {
    const rate = computeMedian(results.map(({ perSecond }) => perSecond));
    const p50 = computeMedian(results.map((result) => result.p50)).toFixed(2);
    const p99 = computeMedian(results.map((result) => result.p99)).toFixed(2);
    const failed = results.reduce((sum, result) => sum + result.failedCount, 0);
    const cpu = computeMedian(results.map(({ measureCpuMs }) => measureCpuMs)).toFixed(2);
    console.log(
      `  ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms  CPU ${cpu} ms a request  ${failed} failed`,
    );
  }
  printRatio('bare Bolt', '0.5 or more');
  if (measured.has(OTHER_CHECKOUT_LABEL)) printRatio(OTHER_CHECKOUT_LABEL, '0.95 or more');

  /** Prints the median of each round's ratio, because a slow machine slows down both servers in a round. */
  function printRatio(other: string, limit: string): void {
    const others = measured.get(other) ?? [];
    const computeRatios = (figure: 'perSecond' | 'measureCpuMs') =>
      (measured.get(UPNEXT_LABEL) ?? []).map(
        (upnext, round) => upnext[figure] / (others[round]?.[figure] ?? Number.NaN),
      );
    const rate = computeMedian(computeRatios('perSecond')).toFixed(2);
    const cpu = computeMedian(computeRatios('measureCpuMs')).toFixed(2);
    console.log(
      `  ${UPNEXT_LABEL} has ${rate} times the rate of ${other} (limit: ${limit}) and ${cpu} times its CPU time`,
    );
  }
}
