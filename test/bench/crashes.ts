import { mkdtempSync, rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { postgresDialect } from '../../src/store/postgres-dialect.ts';
import { type CrashRun, crashChain, crashWhileMigrating, POINTS } from '../support/crash-run.ts';
import { startPostgres } from '../support/postgres.ts';
import { startTruthService, type TruthService } from '../support/truth-service.ts';

/** kill -9 at each point, so many times on each database, and what the next process makes of it. */
const TIMES = Number(process.env.CRASHES ?? 50);

export async function crashes(): Promise<void> {
  const service = await startTruthService();
  const folder = mkdtempSync('.cache/bench-crashes-');
  await onOne('embedded', folder, service);
  console.log('  embedded, once at the usual pace (wanted: went on within 60 s)');
  const usual: CrashRun[] = [];
  const once = { points: POINTS, database: folder, service, pressesAgain: false, usual: true };
  for await (const run of crashChain(once)) usual.push(run);
  table(usual);
  rmSync(folder, { recursive: true, force: true });
  const postgres = await startPostgres();
  if (postgres) {
    const admin = new Kysely({ dialect: postgresDialect(postgres.url('postgres', 'postgres')) });
    await sql`create database crashes`.execute(admin);
    await admin.destroy();
    await onOne('Postgres', postgres.url('crashes', 'postgres'), service);
    await postgres.stop();
  } else console.log('  Postgres: not run, there is none');
  await service.stop();
}

async function onOne(name: string, database: string, service: TruthService): Promise<void> {
  const isWhole = await crashWhileMigrating(database, service.url);
  console.log(`  ${name}: ${isWhole ? 'whole' : 'BROKEN'} after a stop in the middle of a migration`);
  const runs: CrashRun[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const chain = crashChain({ points: POINTS, database, service, pressesAgain: time % 2 === 1 });
    for await (const run of chain) runs.push(run);
  }
  table(runs);
}

function table(runs: readonly CrashRun[]): void {
  console.log(
    '    stopped at              times  confirmed  asked  lost  doubled  went on after, s  ended after, s',
  );
  for (const point of POINTS) {
    const here = runs.filter((run) => run.point === point);
    const count = (test: (run: CrashRun) => boolean) => String(here.filter(test).length);
    const cells = [
      String(here.length).padStart(5),
      count(({ state }) => state === 'confirmed').padStart(10),
      count(({ state }) => state === 'needs-person').padStart(6),
      count(({ there, state }) => there === 0 && state !== 'needs-person').padStart(5),
      count(({ there }) => there > 1).padStart(8),
      (Math.max(...here.map(({ wentOnMs }) => wentOnMs)) / 1000).toFixed(1).padStart(17),
      (Math.max(...here.map(({ ms }) => ms)) / 1000).toFixed(1).padStart(15),
    ];
    console.log(`    ${point.padEnd(22)} ${cells.join(' ')}`);
  }
}
