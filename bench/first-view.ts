import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { data, later, startScriptedService } from '../test/support/scripted-service.ts';
import { sendSigned } from '../test/support/send-signed.ts';
import { startServer } from './server.ts';

/**
 * Measures the time from a command until the app calls views.open. The service takes a second to answer, and the first
 * view must not wait for that. `--against FOLDER` adds another checkout of Upnext, with its packages installed; the two
 * take turns.
 */

const SERVICE_DELAY_MS = 1_000;
/** Number of commands at a time. */
const CONCURRENCY = 4;
const ROUND_COUNT = 60;
const WARM_UP_COUNT = 5;
const TIMEOUT_MS = 10_000;
const MAX_P99_MS = 300;
const COMMANDS = ['/schedule-post', '/upnext use', '/upnext prompt'];
const signingSecret = 'b'.repeat(32);
const botToken = 'xoxb-1111-2222-bench';
const AUTH_RESPONSE = {
  user_id: 'U000BOT',
  bot_id: 'B000BOT',
  team_id: 'T000BENCH',
  user: 'upnext',
  team: 'Bench',
  url: 'https://bench.slack.com/',
};

/** Starts a Slack that opens every view. `waitForView` resolves with the time of the call (performance.now()). */
async function startFakeSlack(): Promise<{
  apiUrl: string;
  waitForView(trigger: string): Promise<number>;
  stop(): void;
}> {
  const waitingCommands = new Map<string, (calledAt: number) => void>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const calledAt = performance.now();
    const form = new URLSearchParams(await text(request));
    const trigger = form.get('trigger_id') ?? '';
    waitingCommands.get(trigger)?.(calledAt);
    const user = {
      id: 'U000ANA',
      team_id: 'T000BENCH',
      is_owner: true,
      tz: 'Europe/Lisbon',
      locale: 'en-GB',
    };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ ok: true, ...AUTH_RESPONSE, user, view: { id: `V${trigger}`, hash: '1.a' } }),
    );
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    apiUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/`,
    waitForView: (trigger) => new Promise((resolve) => waitingCommands.set(trigger, resolve)),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An instance of Upnext with its own fake Slack and service. */
interface Instance {
  name: string;
  /** Sends a command, and resolves with the time until the app calls views.open, ms. */
  measureCommand(line: string): Promise<number>;
  stop(): Promise<void>;
}

export async function measureFirstViews(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { against: { type: 'string' } } });
  const instances = [await startInstance('Upnext', '.')];
  if (values.against !== undefined) instances.push(await startInstance('the other checkout', values.against));
  for (const line of COMMANDS) {
    const times = new Map<Instance, number[]>(instances.map((instance) => [instance, []]));
    for (let round = -WARM_UP_COUNT; round < ROUND_COUNT; round += 1) {
      for (const instance of round % 2 === 0 ? instances : instances.toReversed()) {
        const results = await Promise.all(
          Array.from({ length: CONCURRENCY }, () => instance.measureCommand(line)),
        );
        if (round >= 0) times.get(instance)?.push(...results);
      }
    }
    printTimes(line, times);
  }
  for (const instance of instances) await instance.stop();
}

/** Starts Upnext from a checkout with its packages installed. */
async function startInstance(name: string, folder: string): Promise<Instance> {
  const [slack, service] = await Promise.all([startFakeSlack(), startScriptedService()]);
  service.on('GET /projects', later(SERVICE_DELAY_MS, data([{ Id: 'p1', Name: 'Harbour Coffee' }])));
  const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: slack.apiUrl,
    SCHEDULING_API_URL: service.url,
    SCHEDULING_API_TOKEN: 'bench-token',
    ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const bot = startServer('src/main.ts', env, { folder });
  const [, port] = await bot.waitForOutput(/port (\d+)/);
  const app = { url: `http://127.0.0.1:${port}/slack/events`, signingSecret };
  let commandCount = 0;
  return {
    name,
    async measureCommand(line) {
      commandCount += 1;
      const trigger = `1.2.${commandCount}`;
      const viewPromise = slack.waitForView(trigger);
      const [command, ...words] = line.split(' ');
      const payload = {
        ...createCommandPayload(trigger),
        user_id: `U000ANA${commandCount % 10}`,
        command,
        text: words.join(' '),
      };
      const startedAt = performance.now();
      await sendSigned(app, payload, commandCount);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const [calledAt] = await Promise.race([
        viewPromise.then((calledAt) => [calledAt] as const),
        once(timeout, 'abort').then(() => []),
      ]);
      if (calledAt === undefined) throw new Error(`${line} opened no view`);
      return calledAt - startedAt;
    },
    async stop() {
      bot.stop();
      await bot.exit;
      await service.stop();
      slack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function createCommandPayload(trigger: string) {
  return {
    team_id: 'T000BENCH',
    channel_id: 'C000BENCH',
    user_id: 'U000ANA',
    trigger_id: trigger,
    response_url: 'http://127.0.0.1:9/bench',
  };
}

function printTimes(line: string, times: ReadonlyMap<Instance, readonly number[]>): void {
  const medians: number[] = [];
  for (const [{ name }, measured] of times) {
    const sorted = measured.toSorted((a, b) => a - b);
    const getPercentile = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    medians.push(getPercentile(0.5));
    const [p50, p99, max] = [getPercentile(0.5), getPercentile(0.99), getPercentile(1)].map(
      (ms) => `${ms.toFixed(1)} ms`,
    );
    const verdict = getPercentile(0.99) <= MAX_P99_MS ? '' : '  TOO SLOW';
    console.log(
      `  ${line.padEnd(15)} ${name}: first view p50 ${p50}, p99 ${p99}, max ${max} of ${measured.length} (limit: p99 ${MAX_P99_MS} ms; the service answers in ${SERVICE_DELAY_MS} ms)${verdict}`,
    );
  }
  const [own, other] = medians;
  if (own !== undefined && other !== undefined)
    console.log(`  ${line.padEnd(15)} the other checkout takes ${(other / own).toFixed(2)} times as long`);
}
