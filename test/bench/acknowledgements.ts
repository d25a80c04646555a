import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './median.ts';
import { type Server, startServer } from './server.ts';
import { loadSlackRequests, type Measured } from './slack-load.ts';

/**
 * Acknowledgements per second of `/upnext help` over HTTP: Upnext, a Bolt app that only acknowledges, and a Node server
 * that only checks the signature, in turns within one run, so that a busy machine is busy for all of them.
 * `--against FOLDER` adds the Upnext of another checkout with its packages installed, to compare two versions.
 */

const UPNEXT = 'Upnext';
const OTHER = 'the other one';
/** Many and short: a shared machine is slow for seconds at a time. */
const ROUNDS = 20;
const ROUND_MS = 700;
const TOGETHER = 16;
/** A server is idle that takes less CPU time than this in so long, ms. */
const IDLE_CPU_MS = 20;
const IDLE_EACH_MS = 500;
const signingSecret = 'b'.repeat(32);
const botToken = 'xoxb-1111-2222-bench';

/** The methods that an app calls before it takes requests, and to know that who asks may: an owner. */
function fakeSlack() {
  const me = { user_id: 'U000BOT', bot_id: 'B000BOT', team_id: 'T000BENCH', user: 'upnext', team: 'Bench' };
  const user = { id: 'U000BENCH', team_id: 'T000BENCH', name: 'ana', is_owner: true, is_admin: true };
  return createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const answer = request.url?.endsWith('users.info') ? { user } : me;
    response.end(JSON.stringify({ ok: true, url: 'https://bench.slack.com/', ...answer }));
  });
}

interface Started {
  port: number;
  /** CPU time that the process has taken so far, all of its threads, ms. */
  cpuMs(): number;
  stop(): void;
}

async function portOf(server: Server): Promise<Started> {
  const [, port] = await server.prints(/port (\d+)/);
  return { port: Number(port), cpuMs: () => cpuMsOf(server.pid), stop: server.stop };
}

/** Of another process on Linux, where a tick has 10 ms (proc_pid_stat(5)); elsewhere NaN. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const [, user, system] =
      /\) \S(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Waits until a server has done what it does after its start: Upnext reads its first phrases for some seconds. */
async function becomeIdle({ cpuMs }: Started): Promise<void> {
  let before: number;
  do {
    before = cpuMs();
    await delay(IDLE_EACH_MS);
  } while (cpuMs() - before > IDLE_CPU_MS);
}

/** What a round says of one server. `cpuMs`: of each request, which a busy machine changes less than the rate. */
interface Round extends Measured {
  cpuMs: number;
}

export async function acknowledgements(given: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...given], options: { against: { type: 'string' } } });
  const slack = fakeSlack();
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
    return portOf(startServer('src/main.ts', env, { folder }));
  };
  const plain = { SIGNING_SECRET: signingSecret, BOT_TOKEN: botToken, API_URL: apiUrl };
  const servers = {
    [UPNEXT]: await startUpnext('.'),
    'bare Bolt': await portOf(startServer('test/bench/servers/bare-bolt.ts', plain)),
    'raw Node': await portOf(startServer('test/bench/servers/raw.ts', plain)),
    ...(values.against !== undefined && { [OTHER]: await startUpnext(values.against) }),
  };
  for (const server of Object.values(servers)) await becomeIdle(server);
  const measured = new Map<string, Round[]>(Object.keys(servers).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    const inTurns = Object.entries(servers);
    for (const [name, { port, cpuMs }] of round % 2 === 0 ? inTurns : inTurns.reverse()) {
      const before = cpuMs();
      const result = await loadSlackRequests({ port, signingSecret, ms: ROUND_MS, together: TOGETHER });
      // The first round warms up.
      if (round > 0) measured.get(name)?.push({ ...result, cpuMs: (cpuMs() - before) / result.count });
    }
  }
  for (const { stop } of Object.values(servers)) stop();
  slack.close();
  slack.closeAllConnections();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  print(measured);
}

function print(measured: Map<string, Round[]>): void {
  console.log(
    `\`/upnext help\` over HTTP, ${TOGETHER} at a time, median of ${ROUNDS} rounds of ${ROUND_MS} ms:`,
  );
  for (const [name, results] of measured) {
    const rate = median(results.map(({ perSecond }) => perSecond));
    const p50 = median(results.map((result) => result.p50)).toFixed(2);
    const p99 = median(results.map((result) => result.p99)).toFixed(2);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const cpu = median(results.map(({ cpuMs }) => cpuMs)).toFixed(2);
    console.log(
      `  ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms  CPU ${cpu} ms each  ${failed} failed`,
    );
  }
  printRatio('bare Bolt', '0.5 or more');
  if (measured.has(OTHER)) printRatio(OTHER, '0.95 or more');

  /** The median of the rounds' ratios: what slows the machine down slows both in a round. */
  function printRatio(to: string, wanted: string): void {
    const others = measured.get(to) ?? [];
    const ratios = (figure: 'perSecond' | 'cpuMs') =>
      (measured.get(UPNEXT) ?? []).map((own, round) => own[figure] / (others[round]?.[figure] ?? Number.NaN));
    const rate = median(ratios('perSecond')).toFixed(2);
    const cpu = median(ratios('cpuMs')).toFixed(2);
    console.log(
      `  ${UPNEXT} at ${rate} of the rate of ${to} (wanted: ${wanted}), with ${cpu} of its CPU time`,
    );
  }
}
