import { createOnPostgres } from '../test/support/databases.ts';
import { runInstances } from '../test/support/instances-run.ts';
import { startPostgres } from '../test/support/postgres.ts';

/** Real time. An hour of the instances' clock passes in a second. */
const DURATION_MS = 180_000;
const MAX_PRINTED_FAULTS = 20;

/**
 * Runs two instances with the practice workspace. They are killed repeatedly, and calls to Slack fail. Each date of a
 * digest must be sent once, or its owner must be notified that it was missed.
 */
export async function runDigestInstances(): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run, Postgres is not installed');
  const database = await createOnPostgres((name) => postgres.url(name, 'postgres'));
  const { verdict, kills, questionCount } = await runInstances({
    database: database.url,
    durationMs: DURATION_MS,
    seed: 6,
  });
  await database.close();
  await postgres.stop();
  const { expected, sent, missed, faults } = verdict;
  console.log(
    `  ${kills} kills, ${expected} dates: ${sent} sent, ${missed} missed and notified, ${questionCount} questions to the owner; without an end, or with several: ${faults.length} (limit: 0)`,
  );
  for (const fault of faults.slice(0, MAX_PRINTED_FAULTS)) console.log(`    FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
