import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startBrowser, type TestBrowser } from '../test/support/browser.ts';
import { findFreePort, listenOnFreePort } from '../test/support/listening-port.ts';

/**
 * Measures the time from the start of the workspace until it listens, the first load of its page, the time until a Bolt
 * app acknowledges commands of an open page, over Socket Mode and HTTP, and the memory that an app's messages take.
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

const CACHE = join(import.meta.dirname, '../.cache');

async function measureStarts(folder: string): Promise<void> {
  const times: number[] = [];
  // The first round fills the cache of compiled code.
  for (let round = 0; round <= START_COUNT; round++) {
    const startedAt = performance.now();
    const workspace = startWorkspaceProgram(folder, `start-${round}`);
    await workspace.waitForOutput(/is at http/);
    if (round > 0) times.push(performance.now() - startedAt);
    workspace.stop();
    await workspace.exit;
  }
  console.log(
    `  start of the process until it listens: median of ${START_COUNT} ${computeMedian(times).toFixed(0)} ms, maximum ${Math.max(...times).toFixed(0)} ms (limit of the median: 500 ms)`,
  );
}

/** Time, ms, until a person opens the address that a workspace has printed. */
const OPENING_MS = 1_000;

/**
 * Loads the page of new workspaces until a person can type. The same browser also loads an empty page, since a load
 * depends on the machine.
 */
async function measureFirstLoads(folder: string): Promise<void> {
  const browser = await startBrowser();
  const empty = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Empty</title><p>Empty');
  });
  const emptyUrl = `http://127.0.0.1:${await listenOnFreePort(empty)}/`;
  const times: number[] = [];
  const emptyTimes: number[] = [];
  let description = '';
  // The first round fills the caches.
  for (let round = 0; round <= START_COUNT; round++) {
    const workspace = startWorkspaceProgram(folder, `load-${round}`);
    const [, url = ''] = await workspace.waitForOutput(/is at (\S+)\. /);
    await delay(OPENING_MS);
    const emptyLoad = await measureLoad(browser, emptyUrl, 'p');
    const load = await measureLoad(browser, url, '#composer');
    if (round > 0) times.push(load.ms);
    if (round > 0) emptyTimes.push(emptyLoad.ms);
    description = `${load.requestCount} requests, ${Math.round(load.bytes / 1000)} kB`;
    workspace.stop();
    await workspace.exit;
  }
  empty.close();
  await browser.close();
  console.log(
    `  first load of the page until a person can type: median of ${START_COUNT} ${computeMedian(times).toFixed(0)} ms, maximum ${Math.max(...times).toFixed(0)} ms, ${description}; an empty page ${computeMedian(emptyTimes).toFixed(0)} ms (limit of the median: 250 ms)`,
  );
}

/** Loads a page in a new context, without the browser's cache, until an element is visible. */
async function measureLoad(browser: TestBrowser, url: string, selector: string) {
  const page = await browser.newPage();
  const bodies: Promise<number>[] = [];
  page.on('requestfinished', (request) =>
    bodies.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
  );
  const startedAt = performance.now();
  await page.goto(url);
  await page.locator(selector).waitFor();
  const ms = performance.now() - startedAt;
  const sizes = await Promise.all(bodies);
  await page.context().close();
  return { ms, requestCount: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A program in its own process. */
type Program = ReturnType<typeof startProgram>;

/** As `npm run workspace` starts it, which also caches compiled code. */
const FLAGS = ['--liftoff-only', '--max-semi-space-size=4'];

/** The environment of the program has only `env`, PATH and the cache of compiled code. */
function startProgram(file: string, { env = {}, args = [] }: { env?: object; args?: readonly string[] }) {
  const child = spawn(process.execPath, [...FLAGS, join(import.meta.dirname, file), ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(CACHE, 'node'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exit = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid,
    readOutput: () => output,
    /** Rejects with the output if the program ends first. */
    waitForOutput: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const match = () => {
          const result = pattern.exec(output);
          if (result) resolve(result);
        };
        child.stdout.on('data', match);
        child.once('close', (code) => reject(new Error(`${file} ended with ${code}:\n${output}`)));
        match();
      }),
    exit,
    stop: () => void child.kill('SIGTERM'),
  };
}

function startWorkspaceProgram(folder: string, name: string, options: readonly string[] = []): Program {
  const manifest = ['--manifest', join(folder, 'manifest.json')];
  const args = [...manifest, '--port', '0', '--data', join(folder, name), ...options];
  return startProgram('../src/command/bin.ts', { args });
}

/** Resident memory, which only Linux reports, as VmRSS (proc_pid_status(5)). */
function readMemoryMb(pid: number | undefined): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** CPU time of another process on Linux, where a tick is 10 ms (proc_pid_stat(5)). */
function readProcessCpuMs(pid: number | undefined): number {
  const [, user, system] =
    /\) \S(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return (Number(user) + Number(system)) * 10;
}

/** An open page of the practice workspace, which only sends commands. */
interface PageLoad {
  /** Sends `concurrency` commands at a time for `durationMs`. `times` are the times until the acknowledgements (ms). */
  sendCommands(options: {
    concurrency: number;
    durationMs: number;
  }): Promise<{ times: number[]; failedCount: number }>;
  close(): void;
}

interface PageMessage {
  type: string;
  id?: number;
  channels?: { id: string }[];
}

async function openPageLoad(url: string): Promise<PageLoad> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
  const pendingCommands = new Map<number, () => void>();
  const snapshot = Promise.withResolvers<string>();
  let noticeCount = 0;
  let commandCount = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as PageMessage;
    if (message.type === 'snapshot') snapshot.resolve(message.channels?.[0]?.id ?? '');
    if (message.type === 'notice') noticeCount++;
    if (message.type === 'result' && message.id !== undefined) pendingCommands.get(message.id)?.();
  });
  await once(socket, 'open');
  const channel = await snapshot.promise;
  const sendCommand = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ++commandCount;
      pendingCommands.set(id, () => {
        pendingCommands.delete(id);
        resolve();
      });
      socket.send(JSON.stringify({ id, act: 'command', channel, text: `/bench ${id}` }));
    });
  return {
    async sendCommands({ concurrency, durationMs }) {
      const times: number[] = [];
      const noticesBefore = noticeCount;
      const endsAt = performance.now() + durationMs;
      const sendRepeatedly = async () => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now();
          await sendCommand();
          times.push(performance.now() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, sendRepeatedly));
      return { times, failedCount: noticeCount - noticesBefore };
    },
    close: () => socket.close(),
  };
}

async function measureCommands(folder: string, mode: 'socket' | 'http'): Promise<void> {
  const port = await findFreePort();
  const requestUrl = mode === 'http' ? ['--request-url', `http://127.0.0.1:${port}/slack/events`] : [];
  const server = startWorkspaceProgram(folder, mode, requestUrl);
  const { url, settings } = await readAppSettings(server);
  const app = startProgram('workspace-app.ts', { env: { ...settings, PORT: String(port) } });
  await app.waitForOutput(/connected/);
  const page = await openPageLoad(url);
  await measureRate(page, mode, () => readProcessCpuMs(server.pid));
  page.close();
  app.stop();
  server.stop();
  await Promise.all([app.exit, server.exit]);
}

/** Reads the app's settings, which the workspace prints. */
async function readAppSettings(server: Program): Promise<{ url: string; settings: Record<string, string> }> {
  const [, url = ''] = await server.waitForOutput(
    /is at (\S+)\. [\s\S]*SLACK_(?:APP_TOKEN|SIGNING_SECRET)=\S+\n/,
  );
  const matches = server.readOutput().matchAll(/(SLACK_\w+)=(\S+)/g);
  return {
    url,
    settings: Object.fromEntries([...matches].map(([, name = '', value = '']) => [name, value])),
  };
}

async function measureRate(page: PageLoad, mode: string, readCpuMs: () => number): Promise<void> {
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
  const server = startWorkspaceProgram(folder, 'memory');
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

mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'bench-'));
writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
await measureStarts(folder);
await measureFirstLoads(folder);
for (const mode of ['socket', 'http'] as const) await measureCommands(folder, mode);
await measureMemory(folder);
rmSync(folder, { recursive: true, force: true });
