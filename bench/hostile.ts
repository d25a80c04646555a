import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Kysely, sql } from 'kysely';
import { Agent, request } from 'undici';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { ATTACKS, type Attack, type Plan } from './hostile/attacks.ts';
import {
  cert,
  key,
  MONITORING_ADDRESS,
  NEIGHBOURS,
  SLACK_ADDRESS,
  startTarget,
  type Target,
} from './hostile/target.ts';
import { printVerdict } from './print-verdict.ts';
import { startServer } from './server.ts';
import { computePercentile } from './submissions/open-bench-database.ts';

/**
 * Measures how another tenant is answered, and the memory of the process, while one member, one connected service or a
 * stranger attacks at full speed: first each attack alone, then all in a row against one process. `--seconds 10` is the
 * time of each, `--only media` runs those whose group or name contains this, `--against FOLDER` measures another checkout
 * too, `--row` leaves out the single attacks, and `--database pglite` or `postgres` the other database.
 */
const DEFAULT_SECONDS = '15';
const WARM_UP_SECONDS = 4;
/** The app keeps the lists of a service for a minute. */
const CACHED_MS = 60_000;
/** Time between two forms of the other tenant, and between two health checks. */
const FORM_INTERVAL_MS = 1_000;
const [MAX_P99_MS, MAX_MEMORY_MB] = [500, 700];
/** An answer that takes longer is missing. Slack gives up after 3 s. */
const TIMEOUT_MS = 10_000;

interface Options {
  seconds: number;
  attacks: readonly Attack[];
  folders: readonly string[];
  /** Whether the attacks only run in a row. */
  isRow: boolean;
}

export async function measureAttacks(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: DEFAULT_SECONDS },
      only: { type: 'string', default: '' },
      against: { type: 'string' },
      database: { type: 'string', default: '' },
      row: { type: 'boolean', default: false },
    },
  });
  const options: Options = {
    seconds: Number(values.seconds),
    attacks: ATTACKS.filter(({ group, name }) => `${group}: ${name}`.includes(values.only)),
    folders: [...(values.against === undefined ? [] : [values.against]), '.'],
    isRow: values.row,
  };
  const failures: string[] = [];
  if (values.database !== 'postgres')
    failures.push(...(await runOnDatabase('PGlite', async () => ({}), options)));
  const postgres = values.database === 'pglite' ? undefined : await startPostgres();
  if (postgres) {
    const admin = new Kysely({ dialect: createPostgresDialect(postgres.url('postgres', 'postgres')) });
    let count = 0;
    const createEnv = async () => {
      count += 1;
      const database = `hostile_${count}`;
      await sql`create database ${sql.id(database)}`.execute(admin);
      return { DATABASE_URL: postgres.url(database, 'postgres') };
    };
    failures.push(...(await runOnDatabase('Postgres', createEnv, options)));
    await admin.destroy();
    await postgres.stop();
  } else if (values.database !== 'pglite') console.log('  on Postgres: not run, not installed');
  printVerdict(`p99 ≤ ${MAX_P99_MS} ms, ≤ ${MAX_MEMORY_MB} MB, nothing ends the process`, failures);
}

async function runOnDatabase(
  database: string,
  createEnv: () => Promise<Record<string, string>>,
  { seconds, attacks, folders, isRow }: Options,
): Promise<string[]> {
  console.log(`  on ${database}, ${seconds} s each: the other tenant’s commands, forms and health checks`);
  const failures: string[] = [];
  const measure = async (attack: Attack, folder: string, target: Target) => {
    const result = await measureAttack(attack, target, seconds).catch((error: unknown) => ({
      text: `could not be measured: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      isGood: false,
    }));
    const label = `${attack.group}: ${attack.name}`;
    console.log(`    ${folders.length > 1 ? `${folder} ` : ''}${label.padEnd(44)} ${result.text}`);
    if (folder === '.' && !result.isGood) failures.push(`${label} on ${database}`);
  };
  for (const attack of isRow ? [] : attacks)
    for (const folder of folders)
      await withTarget(attack, await createEnv(), folder, (target) => measure(attack, folder, target));
  if (attacks.length > 1)
    for (const folder of folders) {
      console.log(`   all in a row, one process${folders.length > 1 ? `, ${folder}` : ''}`);
      await withTarget({}, await createEnv(), folder, async (target) => {
        for (const attack of attacks.filter(({ role, diskMb }) => role === undefined && diskMb === undefined))
          if (!target.hasEnded()) await measure(attack, folder, target);
      });
    }
  return failures;
}

async function withTarget(
  { role, diskMb }: Pick<Attack, 'role' | 'diskMb'>,
  databaseEnv: Record<string, string>,
  folder: string,
  run: (target: Target) => Promise<void>,
): Promise<void> {
  const service = startServer('bench/servers/hostile-service.ts', { KEY: key, CERTIFICATE: cert });
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-hostile-'));
  const isMounted = diskMb !== undefined && databaseEnv.DATABASE_URL === undefined;
  if (isMounted && process.getuid?.() !== 0)
    return console.log('    not run: only root can mount a small disk');
  if (isMounted) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', dataDir]);
  try {
    const [, port = '', control] = await service.waitForOutput(/port (\d+), control (\d+)/);
    const ports = { port, controlUrl: `http://127.0.0.1:${control}` };
    const target = await startTarget(
      ports,
      { ...databaseEnv, MEMBERS_DEFAULT_ROLE: role ?? 'manager' },
      { folder, dataDir },
    );
    try {
      await run(target);
    } finally {
      await target.stop();
    }
  } finally {
    service.stop();
    await service.exit;
    if (isMounted) execFileSync('umount', [dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureAttack(attack: Attack, target: Target, seconds: number) {
  await fetch(`${target.controlUrl}/become/${encodeURIComponent(attack.lists ?? 'short')}`);
  // Until a minute ago, the lists were those of an earlier attack, which may have no record that this one needs.
  const plan = await attack.prepare(target).catch(() => delay(CACHED_MS).then(() => attack.prepare(target)));
  // The app compiles patterns and loads code for a second after its start, and some preparations start it again.
  if (target.readUptimeSeconds() < WARM_UP_SECONDS) await probe(target, WARM_UP_SECONDS, attack.role);
  const attacker = await startAttacker(plan, target);
  try {
    const { commands, forms, health } = await probe(target, seconds, attack.role);
    const memoryMb = target.readPeakMemoryMb() ?? Number.NaN;
    const all = [...commands.waits, ...forms.waits, ...health.waits];
    const failed = commands.failed + forms.failed + health.failed;
    const isGood =
      !target.hasEnded() &&
      failed === 0 &&
      computePercentile(all, 0.99) <= MAX_P99_MS &&
      !(memoryMb > MAX_MEMORY_MB);
    const rate = (commands.waits.length / seconds).toFixed(1);
    const figures = [
      `${rate} answers/s`,
      `help ${describe(commands.waits)}`,
      `form ${describe(forms.waits)}`,
      `health ${describe(health.waits)}`,
      `${failed} failed`,
      `${memoryMb.toFixed(0)} MB`,
      ...(target.hasEnded() ? ['THE PROCESS ENDED'] : []),
    ];
    return { text: figures.join('  '), isGood };
  } finally {
    attacker.stop();
    await attacker.exit;
  }
}

/** p50, p99 and the longest wait, in ms. */
const describe = (waits: readonly number[]) =>
  [0.5, 0.99, 1].map((share) => computePercentile(waits, share).toFixed(0).padStart(4)).join('/');

async function startAttacker({ mode, payloads = [], sockets = '', mediaPath = '' }: Plan, target: Target) {
  const { dataDir } = target;
  const payloadFile = join(dataDir, 'payloads.json');
  writeFileSync(payloadFile, JSON.stringify(payloads));
  const attacker = startServer('bench/servers/attacker.ts', {
    MODE: mode,
    URL: target.url,
    PORT: String(target.port),
    SECRET: target.workspace.signingSecret,
    PAYLOADS: payloadFile,
    SOCKETS: sockets,
    MEDIA_PATH: mediaPath,
  });
  await attacker.waitForOutput(/under way/);
  return attacker;
}

/** Answers to one kind of request, in ms, and how many were missing or wrong. */
interface Answers {
  waits: number[];
  failed: number;
}

/** The other tenant sends commands and opens forms at a fixed rate, and somebody checks health, without waiting. */
async function probe(target: Target, seconds: number, role?: Attack['role']) {
  const { url, workspace, neighbour } = target;
  // Viewers can't open the form, and the person who installed the app is an owner.
  const people = (role === 'viewer' ? [0] : [1, 2, 3, 4]).map((number) =>
    neighbour.as(`Rosa${number}`).in('#general'),
  );
  const sender = startServer('bench/servers/neighbour.ts', {
    ...{ URL: url, SECRET: workspace.signingSecret, TEAM: neighbour.id, SLACK_URL: workspace.url },
    ...{ SECONDS: String(seconds), FROM: SLACK_ADDRESS, PEOPLE: NEIGHBOURS.map(({ id }) => id).join() },
  });
  // What a start takes of the processor isn't part of the attack.
  await sender.waitForOutput(/under way/);
  const readHelp = async () => {
    const [, answers = ''] = await sender.waitForOutput(/answers (\{.*\})/);
    return JSON.parse(answers) as Answers;
  };
  const openForm = async (count: number) => {
    const person = people[count % people.length];
    await person?.type('/schedule-post');
    const form = await person?.modal('Schedule a post');
    await form?.close();
    return form !== undefined;
  };
  const monitoring = new Agent({ pipelining: 0, connect: { localAddress: MONITORING_ADDRESS } });
  const checkHealth = async () => {
    const address = `http://127.0.0.1:${target.port}/health/live`;
    const { statusCode, body } = await request(address, { dispatcher: monitoring });
    await body.dump();
    return statusCode === 200;
  };
  const results = await Promise.all([
    readHelp(),
    repeat(openForm, seconds, FORM_INTERVAL_MS),
    repeat(checkHealth, seconds, FORM_INTERVAL_MS),
  ]);
  await monitoring.destroy();
  const [commands, forms, health] = results;
  return { commands, forms, health };
}

async function repeat(
  ask: (count: number) => Promise<boolean>,
  seconds: number,
  intervalMs: number,
): Promise<Answers> {
  const answers: Answers = { waits: [], failed: 0 };
  const askOnce = async (count: number) => {
    const startedAt = performance.now();
    const isAnswered = await Promise.race([
      ask(count).catch(() => false),
      delay(TIMEOUT_MS, false, { ref: false }),
    ]);
    answers.waits.push(performance.now() - startedAt);
    if (!isAnswered) answers.failed += 1;
  };
  const asked: Promise<void>[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  for (let count = 0; performance.now() < endsAt; count += 1) {
    asked.push(askOnce(count));
    await delay(intervalMs);
  }
  await Promise.all(asked);
  return answers;
}
