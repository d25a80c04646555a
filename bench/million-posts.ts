import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { readGeneratedSecret, startServer } from './server.ts';
import { computePercentile } from './submissions/open-bench-database.ts';

/**
 * Creates a project with a million posts. Measures each filter of the practice service over HTTP, after a
 * warm-up and one request at a time. Then measures the event loop and the commits of the app while another client
 * lists all posts.
 */
const FOLDER = '.cache/bench-million';
const PROJECT_NAME = 'Million';
const POST_COUNT = 1_000_000;
const WARM_UP_COUNT = 20;
const REQUEST_COUNT = 300;
const DAY_MS = 86_400_000;

export async function measureMillionPosts(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  const loadStartedAt = performance.now();
  const loader = startServer(
    'src/cli/service.ts',
    { DATA_DIR: FOLDER },
    { args: ['load', '--project', PROJECT_NAME, '--posts', `${POST_COUNT}`] },
  );
  await loader.exit;
  console.log(`  loaded ${POST_COUNT} posts in ${((performance.now() - loadStartedAt) / 1000).toFixed(1)} s`);
  await measureFilters();
  const listing = startServer('bench/servers/app-during-listing.ts', {
    DATA_DIR: FOLDER,
    PROJECT: PROJECT_NAME,
  });
  await listing.exit;
  console.log(listing.readOutput());
  rmSync(FOLDER, { recursive: true, force: true });
}

async function measureFilters(): Promise<void> {
  const service = startServer('src/cli/service.ts', { DATA_DIR: FOLDER, SERVICE_PORT: '0' });
  const [, url = ''] = await service.waitForOutput(/listens at (\S+);/);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const token = readGeneratedSecret(FOLDER, 'service-token');
  const sendGet = (path: string) => measureRequest(agent, token, `${url}/api/v1/projects${path}`);
  const id = /"Id":"(project_\d+)","Name":"Million"/.exec((await sendGet('')).body)?.[1];
  const firstList = await sendGet(`/${id}/posts`);
  console.log(`  first list after the start: ${firstList.ms.toFixed(0)} ms`);
  console.log(`  ${'filter'.padEnd(56)} rows   p50 ms   p99 ms   max ms   limit  control p99`);
  for (const [name, query, limit] of listFilterCases(Date.now())) {
    const { rows, times, controlTimes } = await measureCase(
      sendGet,
      `/${id}/posts?${query}`,
      `/${id}/templates`,
    );
    const figures = [
      computePercentile(times, 0.5),
      computePercentile(times, 0.99),
      computePercentile(times, 1),
    ];
    const columns = figures.map((ms) => ms.toFixed(1).padStart(8)).join(' ');
    const controlP99 = computePercentile(controlTimes, 0.99).toFixed(1).padStart(12);
    console.log(
      `  ${name.padEnd(56)} ${String(rows).padStart(4)} ${columns} ${String(limit ?? '').padStart(7)} ${controlP99}`,
    );
  }
  agent.destroy();
  service.stop();
  await service.exit;
}

/** Measures a filter. Before each request, sends a control request that reads no posts. If that one is slow, the machine is
 * busy with other work. */
async function measureCase(
  get: (path: string) => Promise<MeasuredResponse>,
  path: string,
  controlPath: string,
) {
  for (let turn = 0; turn < WARM_UP_COUNT; turn += 1) await get(path);
  const [times, controlTimes]: [number[], number[]] = [[], []];
  let rows = 0;
  for (let turn = 0; turn < REQUEST_COUNT; turn += 1) {
    controlTimes.push((await get(controlPath)).ms);
    const { ms, body } = await get(path);
    times.push(ms);
    rows = body.split('"CreatedAt"').length - 1;
  }
  return { rows, times, controlTimes };
}

interface MeasuredResponse {
  ms: number;
  body: string;
}

function measureRequest(agent: Agent, token: string, url: string): Promise<MeasuredResponse> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ ms: performance.now() - startedAt, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

/** Lists the measured filters: name, query, and limit of p99 in ms. */
function listFilterCases(now: number): [string, string, number?][] {
  const buildRange = (firstDay: number, endDay: number) =>
    `schedule_date_from=${new Date(now + firstDay * DAY_MS).toISOString()}&schedule_date_to=${new Date(now + endDay * DAY_MS).toISOString()}`;
  const ranges = {
    'next day': buildRange(0, 1),
    'a day two years ago': buildRange(-730, -729),
    'next month': buildRange(0, 30),
    'a month, two years ago': buildRange(-760, -730),
    'all years': buildRange(-2000, 2000),
    'nothing in 1990': 'schedule_date_from=1990-01-01T00:00:00Z&schedule_date_to=1990-12-31T00:00:00Z',
  };
  const rangeCases = Object.entries(ranges).flatMap(([name, query]): [string, string, number][] => [
    [`range: ${name}`, query, 25],
    [`status SCHEDULED + range: ${name}`, `status=SCHEDULED&${query}`, 25],
    [`status DRAFT + platform REDDIT + range: ${name}`, `status=DRAFT&platforms=REDDIT&${query}`, 25],
    [
      `2 statuses + 2 platforms + range: ${name}`,
      `status=DRAFT&status=PUBLISHED&platforms=X&platforms=THREADS&${query}`,
      25,
    ],
  ]);
  return [
    ['none', 'limit=100', 25],
    ['status SCHEDULED', 'status=SCHEDULED', 25],
    ['platform REDDIT', 'platforms=REDDIT', 25],
    ['status SCHEDULED + platform TELEGRAM', 'status=SCHEDULED&platforms=TELEGRAM', 25],
    ...rangeCases,
    ['none, skip=100000', 'skip=100000', 60],
    ['none, skip=999900', 'skip=999900'],
  ];
}
