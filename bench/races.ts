import { randomUUID } from 'node:crypto';
import { Kysely, sql } from 'kysely';
import { migrations } from '../src/app/migrations.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { openDatabase } from '../src/store/database.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { startInspectableService } from '../test/support/inspectable-service.ts';
import { createPostAt } from '../test/support/post-submissions.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startProgram } from '../test/support/program.ts';
import { waitUntilNoSubmissionIsInProgress } from './submissions/open-bench-database.ts';

const RACE_COUNT = Number(process.env.RACES ?? 2_000);
const BATCH_SIZE = 25;

const program = new URL('../test/submissions/programs/sender.ts', import.meta.url);

/** Submits the same form to two instances on one Postgres at the same time, and counts the posts of each form. */
export async function runRaces(): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const admin = new Kysely({ dialect: createPostgresDialect(postgres.url('postgres', 'postgres')) });
  await sql`create database races`.execute(admin);
  await admin.destroy();
  const database = postgres.url('races', 'postgres');
  const db = await openDatabase<BotSchema>({ dialect: createPostgresDialect(database), migrations });
  const service = await startInspectableService();
  const input = JSON.stringify({ database, service: service.url });
  const instances = await Promise.all([startProgram(program, input), startProgram(program, input)]);
  // Each instance prints a line when it has started.
  for (const instance of instances) await instance.readLine();
  const startedAt = performance.now();
  for (let batchStart = 0; batchStart < RACE_COUNT; batchStart += BATCH_SIZE) {
    for (let index = batchStart; index < Math.min(RACE_COUNT, batchStart + BATCH_SIZE); index += 1) {
      const command = JSON.stringify({
        do: 'send',
        formId: randomUUID(),
        content: createPostAt(`race ${index}`, index),
      });
      for (const instance of instances) instance.send(command);
    }
    const expectedCount = Math.min(RACE_COUNT, batchStart + BATCH_SIZE);
    while (service.posts.length < expectedCount || !(await waitUntilNoSubmissionIsInProgress(db, 30_000))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const counts = new Map<number, number>();
  for (let index = 0; index < RACE_COUNT; index += 1) {
    const postCount = service.countByContent(`race ${index}`);
    counts.set(postCount, (counts.get(postCount) ?? 0) + 1);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const summary = [...counts]
    .map(([postCount, raceCount]) => `${postCount} posts: ${raceCount} races`)
    .join(', ');
  console.log(
    `  ${RACE_COUNT} races of two instances in ${seconds} s: ${summary}; ${service.countCreateCalls()} calls to the service`,
  );
  for (const instance of instances) await instance.kill();
  await db.destroy();
  await service.stop();
  await postgres.stop();
}
