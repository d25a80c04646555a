import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { readGeneratedSecret, startServer } from './server.ts';

/**
 * Creates a project with a million posts. Measures each filter of the practice service over HTTP, warm and one
 * request at a time. Then measures the app's event loop and commits while another client lists all posts.
 */
const FOLDER = '.cache/bench-million';
const PROJECT = 'Million';
const POSTS = 1_000_000;
const WARM_UP = 20;
const REQUESTS = 300;
const DAY = 86_400_000;

export async function millionPosts(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  const loadingSince = performance.now();
  const load = startServer(
    'src/cli/service.ts',
    { DATA_DIR: FOLDER },
    { args: ['load', '--project', PROJECT, '--posts', `${POSTS}`] },
  );
  await load.ended;
  console.log(`  loaded ${POSTS} posts in ${((performance.now() - loadingSince) / 1000).toFixed(1)} s`);
  await measureFilters();
  const listing = startServer('test/bench/servers/beside-listing.ts', { DATA_DIR: FOLDER, PROJECT });
  await listing.ended;
  console.log(listing.output());
  rmSync(FOLDER, { recursive: true, force: true });
}

async function measureFilters(): Promise<void> {
  const service = startServer('src/cli/service.ts', { DATA_DIR: FOLDER, SERVICE_PORT: '0' });
  const [, url = ''] = await service.prints(/listens at (\S+);/);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const token = readGeneratedSecret(FOLDER, 'service-token');
  const get = (path: string) => measureRequest(agent, token, `${url}/api/v1/projects${path}`);
  const id = /"Id":"(project_\d+)","Name":"Million"/.exec((await get('')).body)?.[1];
  const first = await get(`/${id}/posts`);
  console.log(`  first list after the start: ${first.ms.toFixed(0)} ms`);
  console.log(`  ${'filter'.padEnd(56)} rows   p50 ms   p99 ms   max ms   limit  control p99`);
  for (const [name, query, limit] of listCases(Date.now())) {
    const { rows, times, control } = await measureCase(get, `/${id}/posts?${query}`, `/${id}/templates`);
    const figures = [percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)];
    const columns = figures.map((ms) => ms.toFixed(1).padStart(8)).join(' ');
    const controlP99 = percentile(control, 0.99).toFixed(1).padStart(12);
    console.log(
      `  ${name.padEnd(56)} ${String(rows).padStart(4)} ${columns} ${String(limit ?? '').padStart(7)} ${controlP99}`,
    );
  }
  agent.destroy();
  service.stop();
  await service.ended;
}

/** Each request follows a control request that reads no posts. A slow control shows other load on the machine. */
async function measureCase(
  get: (path: string) => Promise<MeasuredResponse>,
  path: string,
  controlPath: string,
) {
  for (let turn = 0; turn < WARM_UP; turn += 1) await get(path);
  const [times, control]: [number[], number[]] = [[], []];
  let rows = 0;
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    control.push((await get(controlPath)).ms);
    const { ms, body } = await get(path);
    times.push(ms);
    rows = body.split('"CreatedAt"').length - 1;
  }
  return { rows, times, control };
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0;
}

interface MeasuredResponse {
  ms: number;
  body: string;
}

function measureRequest(agent: Agent, token: string, url: string): Promise<MeasuredResponse> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ ms: performance.now() - start, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject).end();
  });
}

/** Lists the measured filters: name, query, and limit of p99 in ms. */
function listCases(now: number): [string, string, number?][] {
  const buildRange = (from: number, to: number) =>
    `schedule_date_from=${new Date(now + from * DAY).toISOString()}&schedule_date_to=${new Date(now + to * DAY).toISOString()}`;
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
