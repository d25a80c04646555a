import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { computeMedian } from '../../../test/bench/median.ts';
import { readMemoryMb, readProcessCpuMs, type Server, startServer } from '../../../test/bench/server.ts';
import { findFreePort } from '../../../test/support/listening-port.ts';
import { openPageLoad, type PageLoad } from './page-load.ts';

/**
 * Measures the practice workspace without Upnext: the time from its start until it listens, compared with a minimal
 * Node server, the time until a Bolt app acknowledges commands of an open page, over Socket Mode and HTTP, and the memory
 * that an app's messages take.
 */

const START_COUNT = 7;
const ROUND_COUNT = 3;
const ROUND_MS = 3_000;
/** Number of commands at a time. */
const CONCURRENCY = 16;
const MESSAGE_COUNT = 10_000;
/** For garbage collection, before memory is read. */
const REST_MS = 3_000;

const MANIFEST = {
  display_information: { name: 'Bench' },
  features: { slash_commands: [{ command: '/bench', description: 'Acknowledge' }] },
  oauth_config: { scopes: { bot: ['commands', 'chat:write', 'chat:write.public'] } },
};

export async function measureWorkspace(): Promise<void> {
  const folder = mkdtempSync(join('.cache', 'bench-workspace-'));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
  await measureStarts(folder);
  for (const mode of ['socket', 'http'] as const) await measureCommands(folder, mode);
  await measureMemory(folder);
  rmSync(folder, { recursive: true, force: true });
}

async function measureStarts(folder: string): Promise<void> {
  const times: Record<string, number[]> = { workspace: [], 'raw Node': [] };
  // The first round fills the cache of compiled code.
  for (let round = 0; round <= START_COUNT; round++) {
    const env = { DATA_DIR: join(folder, `start-${round}`), WORKSPACE_PORT: '0' };
    const workspaceMs = await measureTimeToPrint('src/cli/workspace.ts', env, /is at http/);
    const rawNodeMs = await measureTimeToPrint(
      'test/bench/servers/raw.ts',
      { SIGNING_SECRET: 'x' },
      /port \d+/,
    );
    if (round === 0) continue;
    times.workspace?.push(workspaceMs);
    times['raw Node']?.push(rawNodeMs);
  }
  console.log(`  start of the process until it listens, median and maximum of ${START_COUNT}:`);
  for (const [name, values] of Object.entries(times)) {
    console.log(
      `    ${name.padEnd(10)} ${computeMedian(values).toFixed(0).padStart(5)} ms  ${Math.max(...values).toFixed(0)} ms`,
    );
  }
  console.log('    (limit of the median: 500 ms)');
}

async function measureTimeToPrint(
  file: string,
  env: Record<string, string>,
  pattern: RegExp,
): Promise<number> {
  const startedAt = performance.now();
  const server = startServer(file, env);
  await server.waitForOutput(pattern);
  const ms = performance.now() - startedAt;
  server.stop();
  await server.exit;
  return ms;
}

async function measureCommands(folder: string, mode: 'socket' | 'http'): Promise<void> {
  const port = await findFreePort();
  const env = { DATA_DIR: join(folder, mode), WORKSPACE_PORT: '0' };
  const requestUrl = mode === 'http' ? ['--request-url', `http://127.0.0.1:${port}/slack/events`] : [];
  const manifest = ['--manifest', join(folder, 'manifest.json')];
  const server = startServer('src/cli/workspace.ts', env, { args: [...manifest, ...requestUrl] });
  const { url, settings } = await readAppSettings(server);
  const app = startServer('packages/slack-workspace/bench/servers/workspace-app.ts', {
    ...settings,
    PORT: String(port),
  });
  await app.waitForOutput(/connected/);
  const page = await openPageLoad(url);
  await measureLoad(page, mode, () => readProcessCpuMs(server.pid));
  page.close();
  app.stop();
  server.stop();
  await Promise.all([app.exit, server.exit]);
}

/** Reads the app's settings, which the workspace prints. */
async function readAppSettings(server: Server): Promise<{ url: string; settings: Record<string, string> }> {
  const [, url = ''] = await server.waitForOutput(
    /is at (\S+)\. [\s\S]*SLACK_(?:APP_TOKEN|SIGNING_SECRET)=\S+\n/,
  );
  const matches = server.readOutput().matchAll(/(SLACK_\w+)=(\S+)/g);
  return {
    url,
    settings: Object.fromEntries([...matches].map(([, name = '', value = '']) => [name, value])),
  };
}

async function measureLoad(page: PageLoad, mode: string, readCpuMs: () => number): Promise<void> {
  const rates: number[] = [];
  const times: number[] = [];
  let failedCount = 0;
  let cpuMsBefore = 0;
  // The first round warms up.
  for (let round = 0; round <= ROUND_COUNT; round++) {
    const startedAt = performance.now();
    const { times: roundTimes, failedCount: roundFailedCount } = await page.sendCommands({
      concurrency: CONCURRENCY,
      durationMs: ROUND_MS,
    });
    failedCount += roundFailedCount;
    if (round === 0) {
      cpuMsBefore = readCpuMs();
      continue;
    }
    rates.push((roundTimes.length * 1000) / (performance.now() - startedAt));
    times.push(...roundTimes);
  }
  const cpuMs = (readCpuMs() - cpuMsBefore) / times.length;
  const sorted = times.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(1);
  console.log(
    `  commands over ${mode.padEnd(6)}, ${CONCURRENCY} at a time: ${computeMedian(rates).toFixed(0).padStart(5)}/s  p50 ${formatPercentile(0.5)} ms  p99 ${formatPercentile(0.99)} ms  CPU of the workspace ${cpuMs.toFixed(2)} ms a command  ${failedCount} failed (limit: 1,000/s or more)`,
  );
}

/** Posts messages of 300 characters in a block, eight at a time, as a busy app does. */
async function measureMemory(folder: string): Promise<void> {
  const env = { DATA_DIR: join(folder, 'memory'), WORKSPACE_PORT: '0' };
  const server = startServer('src/cli/workspace.ts', env, {
    args: ['--manifest', join(folder, 'manifest.json')],
  });
  const { settings } = await readAppSettings(server);
  const post = async (number: number) => {
    const text = `Message ${number}. ${'All work and no play. '.repeat(14)}`.slice(0, 300);
    const blocks = JSON.stringify([{ type: 'section', text: { type: 'mrkdwn', text } }]);
    const response = await fetch(`${settings.SLACK_API_URL}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.SLACK_BOT_TOKEN}` },
      body: new URLSearchParams({ channel: '#general', text, blocks }),
    });
    const { ok, error } = (await response.json()) as { ok: boolean; error?: string };
    if (!ok) throw new Error(`chat.postMessage answered ${error}`);
  };
  await post(0);
  await delay(REST_MS);
  const baseMb = readMemoryMb(server.pid);
  const numbers = Array.from({ length: MESSAGE_COUNT }, (_, index) => index + 1).values();
  const startedAt = performance.now();
  const postAll = async () => {
    for (const number of numbers) await post(number);
  };
  await Promise.all(Array.from({ length: 8 }, postAll));
  const perSecond = (MESSAGE_COUNT * 1000) / (performance.now() - startedAt);
  await delay(REST_MS);
  const growthMb = readMemoryMb(server.pid) - baseMb;
  console.log(
    `  ${MESSAGE_COUNT.toLocaleString('en')} messages: ${growthMb.toFixed(0)} MB above the base of ${baseMb.toFixed(0)} MB (limit: 150 MB), ${perSecond.toFixed(0)}/s`,
  );
  server.stop();
  await server.exit;
}
