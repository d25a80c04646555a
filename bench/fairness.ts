import { parseArgs } from 'node:util';
import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { printVerdict } from './print-verdict.ts';
import { startServer } from './server.ts';
import { computePercentile } from './submissions/open-bench-database.ts';

/**
 * One workspace has tens of thousands of due posts at a service that takes 100 ms for a call (two calls a post). Measures
 * how soon due posts of other workspaces at the same service are sent meanwhile, how fast the backlog is sent, and how long
 * the statements of the scans take. The load, the app, Postgres and the service share this machine. `--workspaces N` changes
 * the number of the others that take turns, `--stored N` stores N more with 10 sent posts each, `--backlog N` and
 * `--seconds N` change the size, and `--against FOLDER` runs the same with another checkout. Resolves with the figures of
 * this checkout.
 */

export const BACKLOG = 50_000;
export const SECONDS = 60;
const INTERVAL_MS = 250;
const DELAY_MS = 100;
const MAX_WAIT_P99_MS = 5_000;
const MIN_POSTS_PER_SECOND = 250;
const MAX_SCAN_P99_MS = 20;
export const FAIRNESS_GOAL = `p99 ≤ ${MAX_WAIT_P99_MS} ms, backlog ≥ ${MIN_POSTS_PER_SECOND} posts/s, p99 of scans ≤ ${MAX_SCAN_P99_MS} ms`;

export async function measureFairness(args: readonly string[] = []): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      workspaces: { type: 'string', default: '20' },
      stored: { type: 'string', default: '0' },
      backlog: { type: 'string', default: String(BACKLOG) },
      seconds: { type: 'string', default: String(SECONDS) },
    },
  });
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('  not run: no Postgres');
    return '';
  }
  const admin = new Kysely({ dialect: createPostgresDialect(postgres.url('postgres', 'postgres')) });
  const figures: string[] = [];
  for (const [index, folder] of ['.', ...(values.against === undefined ? [] : [values.against])].entries()) {
    const database = `fairness_${index}`;
    await sql`create database ${sql.id(database)}`.execute(admin);
    const environment = {
      DATABASE_URL: postgres.url(database, 'postgres'),
      WORKSPACES: values.workspaces,
      STORED: values.stored,
      BACKLOG: values.backlog,
      SECONDS: values.seconds,
    };
    figures.push(await measureCheckout(folder, environment));
  }
  await admin.destroy();
  await postgres.stop();
  return figures[0] ?? '';
}

async function measureCheckout(folder: string, environment: Record<string, string>): Promise<string> {
  const service = startServer('bench/servers/slow-service.ts', { DELAY_MS: `${DELAY_MS}` });
  const [, port] = await service.waitForOutput(/port (\d+)/);
  const serviceUrl = `http://127.0.0.1:${port}`;
  const bot = startServer('bench/servers/backlog.ts', {
    ...environment,
    FOLDER: folder,
    SERVICE_URL: serviceUrl,
    INTERVAL_MS: `${INTERVAL_MS}`,
  });
  await bot.waitForOutput(/posts are due/);
  console.log(
    `  ${folder}: ${environment.BACKLOG} posts of one workspace are due; sending for ${environment.SECONDS} s …`,
  );
  const [, sentCount, seconds] = await bot.waitForOutput(/sent (\d+) in ([\d.]+) s/);
  const [, scanText = '{}'] = await bot.waitForOutput(/scans (\{.*\})\n/);
  const [, dueText = '{}'] = await bot.waitForOutput(/due (\{.*\})\n/);
  await bot.exit;
  const arrivals: Record<string, number> = JSON.parse(await (await fetch(`${serviceUrl}/arrivals`)).text());
  service.stop();
  const waits = Object.entries<number>(JSON.parse(dueText)).map(([text, dueAt]) =>
    Math.max(0, (arrivals[text] ?? Number.POSITIVE_INFINITY) - dueAt),
  );
  const rate = Number(sentCount) / Number(seconds);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => computePercentile(waits, share));
  console.log(
    `  ${folder}: backlog ${rate.toFixed(0)} posts/s; ${waits.length} posts of other workspaces waited p50 ${p50?.toFixed(0)}, p99 ${p99?.toFixed(0)}, at most ${max?.toFixed(0)} ms`,
  );
  const scanFigures: string[] = [];
  const slowScans = Object.entries<number[]>(JSON.parse(scanText)).flatMap(([kind, times]) => {
    if (times.length === 0) return [`no statement “${kind}” was recognized`];
    const [mean, scanP99, longest] = [
      times.reduce((sum, time) => sum + time, 0) / times.length,
      computePercentile(times, 0.99),
      computePercentile(times, 1),
    ];
    console.log(
      `  ${folder}: ${times.length} statements “${kind}” took ${mean.toFixed(1)}, p99 ${scanP99.toFixed(1)}, at most ${longest.toFixed(0)} ms`,
    );
    scanFigures.push(`${kind} ${scanP99.toFixed(1)}`);
    return scanP99 > MAX_SCAN_P99_MS ? [`p99 of “${kind}” ${scanP99.toFixed(1)} ms`] : [];
  });
  printVerdict(FAIRNESS_GOAL, [
    ...((p99 ?? 0) > MAX_WAIT_P99_MS ? [`p99 ${p99?.toFixed(0)} ms`] : []),
    ...(rate < MIN_POSTS_PER_SECOND ? [`${rate.toFixed(0)} posts/s`] : []),
    ...slowScans,
  ]);
  return `${scanFigures.join(', ')} ms (p99), ${rate.toFixed(0)} posts/s, ${p99 === undefined ? 'no post of others' : `others wait ${p99.toFixed(0)} ms (p99)`}`;
}
