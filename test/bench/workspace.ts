import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../support/listening-port.ts';
import { computeMedian } from './median.ts';
import { openPageLoad, type PageLoad } from './page-load.ts';
import { type Server, startServer } from './server.ts';

/**
 * Measures the practice workspace without Upnext: the time from its start until it listens, compared with a minimal
 * Node server, and the time until a Bolt app acknowledges commands of an open page, over Socket Mode and HTTP.
 */

const START_COUNT = 7;
const ROUND_COUNT = 3;
const ROUND_MS = 3_000;
/** Number of commands at a time. */
const CONCURRENCY = 16;

const MANIFEST = {
  display_information: { name: 'Bench' },
  features: { slash_commands: [{ command: '/bench', description: 'Acknowledge' }] },
};

export async function measureWorkspace(): Promise<void> {
  const folder = mkdtempSync(join('.cache', 'bench-workspace-'));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
  await measureStarts(folder);
  for (const mode of ['socket', 'http'] as const) await measureCommands(folder, mode);
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
  console.log('    (limit: 1,000 ms)');
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
  const app = startServer('test/bench/servers/workspace-app.ts', { ...settings, PORT: String(port) });
  await app.waitForOutput(/connected/);
  const page = await openPageLoad(url);
  await measureLoad(page, mode);
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

async function measureLoad(page: PageLoad, mode: string): Promise<void> {
  const rates: number[] = [];
  const times: number[] = [];
  let failedCount = 0;
  // The first round warms up.
  for (let round = 0; round <= ROUND_COUNT; round++) {
    const startedAt = performance.now();
    const { times: roundTimes, failedCount: roundFailedCount } = await page.sendCommands({
      concurrency: CONCURRENCY,
      durationMs: ROUND_MS,
    });
    failedCount += roundFailedCount;
    if (round === 0) continue;
    rates.push((roundTimes.length * 1000) / (performance.now() - startedAt));
    times.push(...roundTimes);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(1);
  console.log(
    `  commands over ${mode.padEnd(6)}, ${CONCURRENCY} at a time: ${computeMedian(rates).toFixed(0).padStart(5)}/s  p50 ${formatPercentile(0.5)} ms  p99 ${formatPercentile(0.99)} ms  ${failedCount} failed (limit: 200/s or more)`,
  );
}
