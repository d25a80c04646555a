import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { listenOnFreePort } from '../test/support/listening-port.ts';
import { type PrivatePostgres, startPostgres } from '../test/support/postgres.ts';
import { computeMedian } from './median.ts';
import { openStatistics, readStatistics } from './postgres-statistics.ts';
import { type FakeSlack, type Receiver, SIGNING_SECRET, startFakeSlack } from './ratios/fake-slack.ts';
import { type MeasuredApp, type PressKind, preparePresses } from './ratios/presses.ts';
import { measureOtherRows, printTable, type TableRow } from './ratios/table.ts';
import { readProcessCpuMs, type Server, startServer } from './server.ts';

/**
 * Measures the CPU time of each press, and compares with a bare Bolt app that does the same: answers with the same
 * help, opens a form, and stores, sends and updates a post. Every app is a process of its own, all use the same Postgres,
 * and they take turns, so a busy machine slows down all of them. Prints medians, with the statements and syncs of the
 * database. Also prints how many posts a second are possible without any app, as the limit for many submissions. Takes
 * about six minutes.
 *
 * `--all` also runs the benchmarks with further goals (phrases, fairness and tenants), and prints one table of all rows.
 * `--scale S` measures a part of all counts, such as 0.01, to try the benchmark out.
 * `--large` also measures on a database with 1.2 million submissions, which takes minutes to fill. `--only TEXT` measures
 * only rows that contain the text, `--rounds N` changes the number of rounds, `--against FOLDER` adds another checkout with
 * its packages installed, `--without liftoff-only` adds Upnext without this flag of Node, and `--profile` prints the ten
 * functions that take the most time in Upnext.
 */

const ROUND_COUNT = 3;
/**
 * Number of presses of a kind before the first is measured. After as many, V8 has compiled most of the code, as in an
 * app that runs for weeks.
 */
const WARM_UP_COUNT = 1_500;
const WARM_UP_CONCURRENCY = 16;
const LARGE_COUNT = 1_200_000;
const BOT_TOKEN = 'xoxb-1111-2222-bench';
/** An app is idle if it uses less CPU time than this within IDLE_INTERVAL_MS. */
const MAX_IDLE_CPU_MS = 20;
const IDLE_INTERVAL_MS = 300;
const MAX_IDLE_WAITS = 20;

interface Row {
  name: string;
  kind: PressKind;
  mode: 'http' | 'socket';
  /** Number of presses in a round. */
  count: number;
  concurrency: number;
  /** Whether the rate of posts without an app stands beside it, which no app can exceed. */
  hasLimit?: true;
  /** The goal: the CPU time of bare Bolt as a share of Upnext's, or ms of CPU time. */
  goal: string;
}

const ROWS: readonly Row[] = [
  { name: 'help, warm', kind: 'warm help', mode: 'http', count: 2_000, concurrency: 16, goal: 'ratio ≥ 0.9' },
  {
    name: 'help, first seen',
    kind: 'first help',
    mode: 'http',
    count: 500,
    concurrency: 16,
    goal: 'ratio ≥ 0.8',
  },
  {
    name: 'help, warm',
    kind: 'warm help',
    mode: 'socket',
    count: 2_000,
    concurrency: 16,
    goal: 'ratio ≥ 0.8',
  },
  {
    name: 'help, first seen',
    kind: 'first help',
    mode: 'socket',
    count: 500,
    concurrency: 16,
    goal: 'ratio ≥ 0.8',
  },
  {
    name: 'open the form',
    kind: 'open',
    mode: 'http',
    count: 300,
    concurrency: 1,
    goal: '≤ 2.5 ms, ≤ 4 statements',
  },
  {
    name: 'submit alone',
    kind: 'submit',
    mode: 'http',
    count: 300,
    concurrency: 1,
    goal: '≤ 6 ms, ≤ 7 statements, ≤ 3 syncs',
  },
  {
    name: 'submit 50 at once',
    kind: 'submit',
    mode: 'http',
    count: 500,
    concurrency: 50,
    hasLimit: true,
    goal: '≤ 4.5 ms, ≥ 250/s',
  },
];

/** A measured app in its own process. */
interface App extends MeasuredApp {
  name: string;
  server: Server;
  /** The name of its database on Postgres. Undefined for PGlite. */
  database: string | undefined;
}

/** The figures of one round, for each press. */
interface Figures {
  cpuMs: number;
  perSecond: number;
  statements: number;
  syncs: number;
}

export async function measureRatios(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean' },
      scale: { type: 'string', default: '1' },
      large: { type: 'boolean' },
      profile: { type: 'boolean' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: String(ROUND_COUNT) },
      against: { type: 'string' },
      without: { type: 'string', multiple: true, default: [] },
    },
  });
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const admin = await openStatistics(postgres);
  const slack = await startFakeSlack();
  const service = await startFastService();
  const dataDirs: string[] = [];
  const start = createStarter({ postgres, admin, slack, serviceUrl: service.url, dataDirs });
  const scale = Number(values.scale);
  const rows = ROWS.filter(({ name, mode }) => `${name} ${mode}`.includes(values.only)).map((row) => ({
    ...row,
    count: Math.ceil(row.count * scale),
  }));
  const table: TableRow[] = [];
  for (const mode of ['http', 'socket'] as const) {
    const modeRows = rows.filter((row) => row.mode === mode);
    if (modeRows.length === 0) continue;
    const bolt = await start.bolt(mode);
    const apps = [await start.upnext('Postgres', mode)];
    if (values.against !== undefined)
      apps.push(await start.upnext('other checkout', mode, { folder: values.against }));
    for (const flag of values.without)
      apps.push(await start.upnext(`- ${flag}`, mode, { withoutFlag: `--${flag}` }));
    if (mode === 'socket') apps.push(await start.upnext('PGlite', mode, { isEmbedded: true }));
    if (values.large && mode === 'http') apps.push(await startOnLargeDatabase(start, postgres));
    for (const kind of new Set(modeRows.map((row) => row.kind)))
      for (const app of [bolt, ...apps])
        await press(app, kind, { count: Math.ceil(WARM_UP_COUNT * scale), concurrency: WARM_UP_CONCURRENCY });
    for (const row of modeRows) {
      const figures = await measureRow(row, [bolt, ...apps], { admin, rounds: Number(values.rounds) });
      const lines = [...renderRow(row, figures), ...(row.hasLimit ? [await start.bare(row)] : [])];
      printTable(lines);
      table.push(...lines);
      const [app] = apps;
      if (values.profile && app) await printProfile(app, row);
    }
    for (const { server } of [bolt, ...apps]) {
      server.stop();
      await server.exit;
    }
  }
  await slack.stop();
  service.stop();
  await admin.destroy();
  await postgres.stop();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  if (!values.all) return;
  table.push(...(await measureOtherRows(scale)));
  console.log('');
  printTable(table);
}

type Starter = ReturnType<typeof createStarter>;

function createStarter(options: {
  postgres: PrivatePostgres;
  admin: Kysely<unknown>;
  slack: FakeSlack;
  serviceUrl: string;
  dataDirs: string[];
}) {
  const { postgres, admin, slack, serviceUrl } = options;
  let startedCount = 0;
  const createDatabase = async () => {
    startedCount += 1;
    const database = `app_${startedCount}`;
    await sql`create database ${sql.id(database)}`.execute(admin);
    return { database, url: postgres.url(database, 'postgres') };
  };
  const createReceiver = async (server: Server, appToken: string | undefined): Promise<Receiver> => {
    if (appToken !== undefined) {
      await slack.waitForSocket(appToken);
      return { kind: 'socket', appToken };
    }
    const [, port] = await server.waitForOutput(/port (\d+)/);
    return { kind: 'http', port: Number(port) };
  };
  return {
    async upnext(
      name: string,
      mode: Row['mode'],
      {
        folder = '.',
        isEmbedded = false,
        withoutFlag,
      }: { folder?: string; isEmbedded?: boolean; withoutFlag?: string } = {},
    ): Promise<App> {
      const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
      options.dataDirs.push(dataDir);
      const { database, url } = isEmbedded ? { database: undefined, url: undefined } : await createDatabase();
      const appToken =
        mode === 'socket' ? `xapp-1-bench${startedCount}${isEmbedded ? 'embedded' : ''}` : undefined;
      const env = {
        SLACK_BOT_TOKEN: BOT_TOKEN,
        ...(appToken === undefined
          ? { SLACK_SIGNING_SECRET: SIGNING_SECRET }
          : { SLACK_APP_TOKEN: appToken }),
        SLACK_API_URL: slack.apiUrl,
        SCHEDULING_API_URL: serviceUrl,
        SCHEDULING_API_TOKEN: 'bench-token',
        ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
        ...(url !== undefined && { DATABASE_URL: url }),
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'warn',
        PROFILE: resolve(PROFILE_FILE),
        NODE_OPTIONS: `--import ${resolve('bench/servers/measured.ts')}`,
      };
      const server = startServer('src/main.ts', env, { folder, withoutFlag });
      const receiver = await createReceiver(server, appToken);
      const app = { name, server, database, slack, receiver };
      await waitUntilIdle(app);
      return app;
    },
    async bolt(mode: Row['mode']): Promise<App> {
      const { database, url } = await createDatabase();
      const appToken = mode === 'socket' ? 'xapp-1-bolt' : undefined;
      const env = {
        SIGNING_SECRET,
        BOT_TOKEN,
        API_URL: slack.apiUrl,
        SERVICE_URL: serviceUrl,
        DATABASE_URL: url,
        ...(appToken !== undefined && { APP_TOKEN: appToken }),
      };
      const server = startServer('bench/servers/bare-bolt.ts', env);
      return { name: 'bare Bolt', server, database, slack, receiver: await createReceiver(server, appToken) };
    },
    /** Measures posts without an app. */
    async bare({ name, count, concurrency }: Row): Promise<TableRow> {
      const { database, url } = await createDatabase();
      const env = {
        COUNT: `${count}`,
        CONCURRENCY: `${concurrency}`,
        DATABASE_URL: url,
        SERVICE_URL: serviceUrl,
      };
      const server = startServer('bench/servers/bare-posts.ts', env);
      const [, rate] = await server.waitForOutput(/rate (\d+)/);
      await server.exit;
      await sql`drop database ${sql.id(database)} with (force)`.execute(admin);
      return { name: `${name}, only insert, POST and update`, figures: `${rate}/s, the limit`, goal: '' };
    },
  };
}

/** Starts a service that costs little. It has one project, lists no posts, and accepts all. */
async function startFastService(): Promise<{ url: string; stop(): void }> {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    request.resume();
    const path = request.url?.split('?')[0] ?? '';
    const data = path.endsWith('/projects')
      ? [{ Id: 'p1', Name: 'Harbour Coffee' }]
      : request.method === 'POST'
        ? { Id: `made${requestCount}` }
        : [];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, success: true }));
  });
  server.keepAliveTimeout = 60_000;
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, stop };
}

/** Submits one post, and copies its rows until the database has many of them in thousands of workspaces. */
async function startOnLargeDatabase(start: Starter, postgres: PrivatePostgres): Promise<App> {
  const app = await start.upnext('many submissions', 'http');
  await press(app, 'submit', { count: 1, concurrency: 1 });
  await waitUntilIdle(app);
  const startedAt = performance.now();
  const { Client } = await import('pg');
  const client = new Client(postgres.url(app.database ?? '', 'postgres'));
  await client.connect();
  await copyRows(client, 'submission', LARGE_COUNT);
  await copyRows(client, 'open_form', LARGE_COUNT / 6);
  await copyRows(client, 'audit_entry', LARGE_COUNT / 2);
  await client.query('vacuum analyze');
  await client.end();
  console.log(
    `  ${LARGE_COUNT.toLocaleString('en')} submissions in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  return app;
}

/** Copies the first row of a table. One copy in 24 stays in its workspace, and the others are in 2,500 workspaces. */
async function copyRows(client: import('pg').Client, table: string, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string; generated: boolean }>(
    `select column_name as name, is_identity = 'YES' or column_default like 'nextval%' as generated
     from information_schema.columns where table_name = $1`,
    [table],
  );
  const names = rows.flatMap(({ name, generated }) => (generated ? [] : [name]));
  const values = names.map((name) => {
    if (name === 'workspace') return `case when i % 24 = 0 then workspace else 'T' || i % 2500 end`;
    if (name === 'id' || name === 'origin') return `${name} || '-' || i`;
    return name === 'author' ? `'U000BENCH' || i % 500` : `"${name}"`;
  });
  await client.query(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from (select * from "${table}" limit 1) as first, generate_series(1, ${count}) as i`,
  );
}

/** Makes presses, some at a time. Resolves with the elapsed ms when each has its result. */
async function press(
  app: App,
  kind: PressKind,
  { count, concurrency }: Pick<Row, 'count' | 'concurrency'>,
  begin: () => unknown = () => undefined,
): Promise<number> {
  const presses = await preparePresses(app, kind, count);
  if (kind === 'submit') await waitUntilIdle(app);
  await begin();
  const startedAt = performance.now();
  const pressInTurn = async () => {
    for (let next = presses.pop(); next; next = presses.pop()) await next();
  };
  await Promise.all(Array.from({ length: concurrency }, pressInTurn));
  return performance.now() - startedAt;
}

/** Waits until an app has nothing left to do, such as a refresh of Home. */
async function waitUntilIdle({ server }: App): Promise<void> {
  for (let wait = 0; wait < MAX_IDLE_WAITS; wait += 1) {
    const before = readProcessCpuMs(server.pid);
    await delay(IDLE_INTERVAL_MS);
    if (readProcessCpuMs(server.pid) - before <= MAX_IDLE_CPU_MS) return;
  }
}

async function measureRow(
  row: Row,
  apps: readonly App[],
  { admin, rounds }: { admin: Kysely<unknown>; rounds: number },
): Promise<Map<App, Figures[]>> {
  const figures = new Map<App, Figures[]>(apps.map((app) => [app, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const app of orderTurns(apps, round)) figures.get(app)?.push(await measureRound(row, app, admin));
  return figures;
}

/**
 * Measures no app twice in a row, because identical checkouts differed by 6 % when one was. Of three or more apps, the
 * same one doesn't begin every round.
 */
function orderTurns(apps: readonly App[], round: number): readonly App[] {
  const first = round % apps.length;
  const turns = [...apps.slice(first), ...apps.slice(0, first)];
  return round % 2 === 0 ? turns : turns.toReversed();
}

async function measureRound(row: Row, app: App, admin: Kysely<unknown>): Promise<Figures> {
  const read = async () => ({
    cpuMs: readProcessCpuMs(app.server.pid),
    ...(await readStatistics(admin, app.database ?? '')),
  });
  await waitUntilIdle(app);
  let before = await read();
  const elapsedMs = await press(app, row.kind, row, async () => {
    before = await read();
  });
  await waitUntilIdle(app);
  const after = await read();
  const perPress = (name: 'cpuMs' | 'statements' | 'syncs') => (after[name] - before[name]) / row.count;
  return {
    cpuMs: perPress('cpuMs'),
    perSecond: (row.count / elapsedMs) * 1000,
    statements: perPress('statements'),
    syncs: perPress('syncs'),
  };
}

function renderRow({ name, mode, goal }: Row, figures: ReadonlyMap<App, readonly Figures[]>): TableRow[] {
  const [boltRounds = []] = figures.values();
  return [...figures].map(([app, rounds], index) => {
    const median = (read: keyof Figures, digits: number) =>
      computeMedian(rounds.map((round) => round[read])).toFixed(digits);
    const ratio = computeMedian(
      rounds.map(({ cpuMs }, round) => (boltRounds[round]?.cpuMs ?? Number.NaN) / cpuMs),
    );
    return {
      name: `${name}, ${mode === 'http' ? 'HTTP' : 'Socket Mode'}, ${app.name}`,
      figures: [
        `CPU ${median('cpuMs', 2).padStart(6)} ms`,
        `Bolt’s share ${ratio.toFixed(2)}`,
        `${median('perSecond', 0).padStart(5)}/s`,
        ...(app.database === undefined
          ? []
          : [`${median('statements', 1)} statements`, `${median('syncs', 1)} syncs`]),
      ].join('  '),
      goal: index === 0 ? '' : goal,
    };
  });
}

const PROFILED_FUNCTIONS = 10;
/** The latest profile, for Chrome’s DevTools. */
const PROFILE_FILE = '.cache/ratios.cpuprofile';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
}

/** Prints the functions of Upnext that take the most time themselves during one round. */
async function printProfile(app: App, row: Row): Promise<void> {
  const { server } = app;
  if (server.pid === undefined) return;
  const outputLength = server.readOutput().length;
  await waitUntilIdle(app);
  await press(app, row.kind, row, () => process.kill(server.pid ?? 0, 'SIGUSR2'));
  await waitUntilIdle(app);
  process.kill(server.pid, 'SIGUSR2');
  while (!server.readOutput().slice(outputLength).includes('profile written')) await delay(100);
  const { nodes, samples }: Profile = JSON.parse(readFileSync(PROFILE_FILE, 'utf8'));
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=node_modules|src\/)/, '')}:${lineNumber + 1}`,
    ]),
  );
  const busy = samples.map((id) => names.get(id) ?? '').filter((name) => !/^\((idle|program)\)/.test(name));
  const counts = [...Map.groupBy(busy, (name) => name)].map(([name, same]) => [name, same.length] as const);
  console.log('      the functions that take the most time themselves:');
  for (const [name, count] of counts.sort(([, a], [, b]) => b - a).slice(0, PROFILED_FUNCTIONS))
    console.log(`      ${((100 * count) / busy.length).toFixed(1).padStart(5)} %  ${name}`);
}
