import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { computeMedian } from './median.ts';
import { readProcessCpuMs, type Server, startServer } from './server.ts';
import { type LoadResult, REQUEST_KINDS, type RequestKind, sendSlackRequests } from './slack-load.ts';

/**
 * Measures acknowledgements per second of commands, buttons, options and events over HTTP. Compares Upnext on the
 * built-in database and on Postgres, a Bolt app that only acknowledges the same requests, and a Node server that only
 * checks the signature. The servers take turns, so a busy machine slows down all of them. `--against FOLDER` adds another
 * checkout of Upnext, with its packages installed, to compare two versions. `--rounds N` changes the number of rounds.
 */

const BOLT_LABEL = 'bare Bolt';
/** Many short rounds, because a shared machine is slow for seconds at a time. */
const ROUND_COUNT = 12;
const ROUND_MS = 500;
/** The load before the first round, so that V8 has compiled the code of the request. */
const WARM_UP_MS = 3_000;
/** Number of requests at a time. */
const CONCURRENCY = 16;
/** The rate of Upnext as a share of bare Bolt's. */
const MIN_RATIO = 0.8;
/** A server is idle if it uses less CPU time than this within IDLE_INTERVAL_MS. */
const MAX_IDLE_CPU_MS = 20;
const IDLE_INTERVAL_MS = 500;
const MAX_IDLE_WAITS = 60;
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
  for (let wait = 0; wait < MAX_IDLE_WAITS; wait += 1) {
    const cpuMsBefore = readCpuMs();
    await delay(IDLE_INTERVAL_MS);
    if (readCpuMs() - cpuMsBefore <= MAX_IDLE_CPU_MS) return;
  }
}

/** The result of a server in a round. `measureCpuMs` is the CPU time per request, which depends less on a busy machine. */
interface Round extends LoadResult {
  measureCpuMs: number;
}

export async function measureAcknowledgements(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' }, rounds: { type: 'string', default: String(ROUND_COUNT) } },
  });
  const slack = createFakeSlack();
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const address = slack.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/`;
  const postgres = await startPostgres();
  const dataDirs: string[] = [];
  const plainEnv = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: apiUrl,
    PORT: '0',
  };
  const startUpnext = (folder: string, databaseUrl?: string) => {
    const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
    dataDirs.push(dataDir);
    const env = {
      ...plainEnv,
      ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
      DATA_DIR: dataDir,
      SERVICE_PORT: '0',
      LOG_LEVEL: 'warn',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    };
    return waitForPort(startServer('src/main.ts', env, { folder }));
  };
  const servers = {
    'built-in database': await startUpnext('.'),
    ...(postgres && { Postgres: await startUpnext('.', postgres.url('postgres', 'postgres')) }),
    ...(values.against !== undefined && { 'other checkout': await startUpnext(values.against) }),
    [BOLT_LABEL]: await waitForPort(startServer('packages/slack-workspace/bench/workspace-app.ts', plainEnv)),
    'raw Node': await waitForPort(startServer('test/bench/servers/raw.ts', plainEnv)),
  };
  for (const server of Object.values(servers)) await waitUntilIdle(server);
  console.log(
    `${CONCURRENCY} requests at a time, medians of ${values.rounds} rounds of ${ROUND_MS} ms; each ratio compares with ${BOLT_LABEL} in the same round`,
  );
  for (const kind of REQUEST_KINDS)
    printResults(kind, await measureKind(kind, servers, Number(values.rounds)));
  for (const { stop } of Object.values(servers)) stop();
  await postgres?.stop();
  slack.close();
  slack.closeAllConnections();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
}

async function measureKind(
  kind: RequestKind,
  servers: Readonly<Record<string, StartedServer>>,
  roundCount: number,
): Promise<Map<string, Round[]>> {
  const measuredServers = new Map<string, Round[]>(Object.keys(servers).map((name) => [name, []]));
  const entries = Object.entries(servers);
  for (const [, { port }] of entries)
    await sendSlackRequests({ port, signingSecret, durationMs: WARM_UP_MS, concurrency: CONCURRENCY, kind });
  for (let round = 0; round < roundCount; round++) {
    for (const [name, { port, readCpuMs }] of round % 2 === 0 ? entries : entries.toReversed()) {
      const cpuMsBefore = readCpuMs();
      const load = { port, signingSecret, durationMs: ROUND_MS, concurrency: CONCURRENCY, kind };
      const result = await sendSlackRequests(load);
      const measureCpuMs = (readCpuMs() - cpuMsBefore) / result.requestCount;
      measuredServers.get(name)?.push({ ...result, measureCpuMs });
    }
  }
  return measuredServers;
}

function printResults(kind: RequestKind, measured: Map<string, Round[]>): void {
  console.log(`  ${kind}`);
  const boltRounds = measured.get(BOLT_LABEL) ?? [];
  for (const [name, rounds] of measured) {
    const getMedian = (read: (round: Round) => number) => computeMedian(rounds.map(read));
    // The median of each round's ratio, because a slow machine slows down both servers in a round.
    const ratio = computeMedian(
      rounds.map(({ perSecond }, index) => perSecond / (boltRounds[index]?.perSecond ?? Number.NaN)),
    );
    const failedCount = rounds.reduce((sum, round) => sum + round.failedCount, 0);
    const isUpnext = name !== BOLT_LABEL && name !== 'raw Node';
    const verdict = !isUpnext
      ? ''
      : ratio >= MIN_RATIO
        ? '  within the limit'
        : `  BELOW the limit of ${MIN_RATIO}`;
    console.log(
      [
        `    ${name.padEnd(17)} ${getMedian(({ perSecond }) => perSecond)
          .toFixed(0)
          .padStart(6)}/s`,
        `ratio ${ratio.toFixed(2)}`,
        `p50 ${getMedian(({ p50 }) => p50).toFixed(1)} ms`,
        `p99 ${getMedian(({ p99 }) => p99).toFixed(1)} ms`,
        `CPU ${getMedian(({ measureCpuMs }) => measureCpuMs).toFixed(2)} ms a request`,
        `${failedCount} failed${verdict}`,
      ].join('  '),
    );
  }
}
