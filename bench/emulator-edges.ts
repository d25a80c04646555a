import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sendHostileCalls } from '../test/support/hostile-calls.ts';
import { sendHostileFrames } from '../test/support/hostile-frames.ts';
import { sendHostileRequests } from '../test/support/hostile-requests.ts';
import { readMemoryMb, type Server, startServer } from './server.ts';

/**
 * Sends random upgrades, requests, calls of the Web API and frames to each port of the emulators, in rounds. After each
 * round the emulator has to answer. Its memory may grow in the first two rounds only, while the heap finds its size.
 * `npm run bench -- emulator-edges --rounds 4 --count 1000 --seed 1`
 */
const MAX_GROWTH_MB = 30;
/** For collections of garbage, before memory is read. */
const REST_MS = 3_000;

interface Port {
  name: string;
  file: string;
  args: readonly string[];
  env: Record<string, string>;
}

const PORTS: readonly Port[] = [
  { name: 'workspace, Socket Mode', file: 'src/cli/workspace.ts', args: [], env: { WORKSPACE_PORT: '0' } },
  {
    name: 'workspace, HTTP',
    file: 'src/cli/workspace.ts',
    args: ['--request-url', 'http://127.0.0.1:9/slack/events'],
    env: { WORKSPACE_PORT: '0' },
  },
  {
    name: 'workspace, --host',
    file: 'src/cli/workspace.ts',
    args: ['--host', '0.0.0.0'],
    env: { WORKSPACE_PORT: '0' },
  },
  { name: 'service', file: 'src/cli/service.ts', args: [], env: { SERVICE_PORT: '0' } },
];

export async function sendToEmulatorEdges(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '4' },
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
    },
  });
  for (const port of PORTS) {
    const folder = mkdtempSync(join('.cache', 'bench-edges-'));
    const server = startServer(port.file, { ...port.env, DATA_DIR: folder }, { args: port.args });
    try {
      await runRounds(port.name, server, Number(values.rounds), Number(values.seed), Number(values.count));
    } finally {
      server.stop();
      await server.exit;
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function runRounds(name: string, server: Server, rounds: number, seed: number, count: number) {
  const [, port = ''] = await server.waitForOutput(/http:\/\/[^/\s]+:(\d+)[\s\S]*\n/);
  const url = `http://127.0.0.1:${port}/`;
  const memory: number[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const random = { seed: seed + round, count };
    await sendHostileRequests(Number(port), { seed: random.seed, randomCount: count });
    if (name.startsWith('workspace')) wrong.push(...(await attackWorkspace(server, name, url, random)));
    const response = await fetch(url).catch(() => undefined);
    if (!response) wrong.push(`no answer after round ${round + 1}`);
    await delay(REST_MS);
    memory.push(readMemoryMb(server.pid));
  }
  const growth = (memory.at(-1) ?? 0) - (memory[1] ?? 0);
  console.log(
    `  ${name.padEnd(24)} memory after each round ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB, growth since the second ${growth.toFixed(0)} MB (limit: ${MAX_GROWTH_MB}); ${wrong.length} wrong answers (limit: 0)`,
  );
  for (const line of wrong.slice(0, 10)) console.log(`    ${line}`);
}

async function attackWorkspace(
  server: Server,
  name: string,
  url: string,
  random: { seed: number; count: number },
): Promise<string[]> {
  const read = (key: string) => new RegExp(`${key}=(\\S+)`).exec(server.readOutput())?.[1] ?? '';
  const appToken = read('SLACK_APP_TOKEN');
  const openLink = async () => {
    const headers = { authorization: `Bearer ${appToken}` };
    const response = await fetch(`${url}api/apps.connections.open`, { method: 'POST', headers });
    const { url: address } = (await response.json()) as { url: string };
    return `${url}link${new URL(address).search}`;
  };
  // With a token for the page, its socket refuses everybody; the upgrades among the requests show that.
  if (!name.includes('--host')) await sendHostileFrames(() => `${url}page/live`, random);
  if (appToken !== '') await sendHostileFrames(openLink, random);
  return sendHostileCalls(url, read('SLACK_BOT_TOKEN'), random);
}
