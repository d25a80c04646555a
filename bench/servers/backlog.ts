import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Sends a backlog of `BACKLOG` due posts of one workspace to the service at `SERVICE_URL`, with the checkout in `FOLDER`.
 * Meanwhile, a post of one of `WORKSPACES` others becomes due every `INTERVAL_MS`, during `SECONDS`; `STORED` more have sent
 * posts only. Prints the number of posts of
 * the large workspace that were sent in that time, and when each post of the others was due (JSON, Unix time in ms).
 */

const {
  FOLDER = '.',
  DATABASE_URL = '',
  SERVICE_URL = '',
  BACKLOG = '',
  SECONDS = '',
  INTERVAL_MS = '',
  WORKSPACES = '',
  STORED = '',
} = process.env;
/** Rows in one transaction of the setup. */
const ROWS_PER_TRANSACTION = 500;
/** Sent posts of each workspace that is only stored. */
const SENT_POSTS = 10;

const importModule = (path: string) => import(join(resolve(FOLDER), path));
const { openDatabase }: typeof import('../../src/store/database.ts') =
  await importModule('src/store/database.ts');
const { createPostgresDialect }: typeof import('../../src/store/postgres-dialect.ts') = await importModule(
  'src/store/postgres-dialect.ts',
);
const { migrations }: typeof import('../../src/app/migrations.ts') =
  await importModule('src/app/migrations.ts');
const { createApiClient }: typeof import('../../src/api/client.ts') = await importModule('src/api/client.ts');
const { PACE }: typeof import('../../src/submissions/pace.ts') =
  await importModule('src/submissions/pace.ts');
const { createRows }: typeof import('../../src/submissions/save.ts') =
  await importModule('src/submissions/save.ts');
const { insertSubmission }: typeof import('../../src/submissions/sql/submissions.ts') = await importModule(
  'src/submissions/sql/submissions.ts',
);
const { postSubmission }: typeof import('../../src/features/schedule-post/sent/post-submission.ts') =
  await importModule('src/features/schedule-post/sent/post-submission.ts');
const { createPostAt, createPostSubmissions }: typeof import('../../test/support/post-submissions.ts') =
  await importModule('test/support/post-submissions.ts');

const { withoutStatementTimeout }: typeof import('../../src/store/statement-timeout.ts') = await importModule(
  'src/store/statement-timeout.ts',
);

type Schema = import('../../src/handlers/schema.ts').BotSchema;

/** What a statement of a scan contains, and no other statement. */
const SCAN_STATEMENTS = { next: 'min(next_at)', pairs: 'oldest as materialized', claim: 'skip locked) due' };
const scanTimes: Record<string, number[]> = { next: [], pairs: [], claim: [] };

const migrated = await openDatabase<Schema>({ dialect: createPostgresDialect(DATABASE_URL), migrations });
await migrated.destroy();
const db = new Kysely<Schema>({
  dialect: createPostgresDialect(DATABASE_URL),
  log({ query, queryDurationMillis }) {
    for (const [kind, part] of Object.entries(SCAN_STATEMENTS))
      if (query.sql.includes(part)) scanTimes[kind]?.push(queryDurationMillis);
  },
});
const api = createApiClient({ baseUrl: SERVICE_URL, token: 'a-token' });
const onError = (message: string, fields: object) => console.error(message, fields);
const submissions = createPostSubmissions({ db, api, pace: PACE, onError });

let postCount = 0;
/** Creates due rows, as if their instance had ended before it sent them. */
async function createDueRows(workspace: string, texts: readonly string[]) {
  const received = texts.map((text) => ({
    workspace,
    author: 'U1',
    origin: randomUUID(),
    item: 0,
    content: createPostAt(text, postCount++),
  }));
  const rows = await createRows(submissions.context, postSubmission, received);
  return rows.map(({ leaseUntil: _, ...row }) => row);
}

for (let first = 0; first < Number(BACKLOG); first += ROWS_PER_TRANSACTION) {
  const rowCount = Math.min(ROWS_PER_TRANSACTION, Number(BACKLOG) - first);
  const texts = Array.from({ length: rowCount }, (_, index) => `backlog ${first + index}`);
  const rows = await createDueRows('T-large', texts);
  await db.transaction().execute(async (trx) => {
    for (const row of rows) await insertSubmission(trx, row);
  });
}
/** Copies a row as sent posts of many workspaces, and has Postgres collect its statistics. */
async function storeSentPosts(workspaceCount: number) {
  const table = await db.introspection.getTables();
  const columns = table.find(({ name }) => name === 'submission')?.columns ?? [];
  const values: Record<string, RawBuilder<unknown>> = {
    id: sql`gen_random_uuid()::text`,
    workspace: sql`'T-stored-' || (i / ${SENT_POSTS}::int)`,
    origin: sql`'stored-' || i`,
    state: sql`'confirmed'`,
    next_at: sql`null`,
  };
  const copied = columns.filter(({ isAutoIncrementing }) => !isAutoIncrementing).map(({ name }) => name);
  await withoutStatementTimeout(() =>
    sql`insert into submission (${sql.join(copied.map((name) => sql.ref(name)))})
      select ${sql.join(copied.map((name) => values[name] ?? sql.ref(name)))}
      from (select * from submission limit 1) as row, generate_series(0, ${workspaceCount * SENT_POSTS - 1}::int) as i`.execute(
      db,
    ),
  );
}

await storeSentPosts(Number(STORED));
await sql`analyze`.execute(db);
const countSent = async () => {
  const { count } = await db
    .selectFrom('submission')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('workspace', '=', 'T-large')
    .where('state', '=', 'confirmed')
    .executeTakeFirstOrThrow();
  return Number(count);
};
console.log(`${BACKLOG} posts are due`);

submissions.start();
const dueTimes: Record<string, number> = {};
const startedAt = performance.now();
for (let index = 0; performance.now() - startedAt < Number(SECONDS) * 1_000; index += 1) {
  const text = `single ${index}`;
  const [row] = await createDueRows(`T-small-${index % Number(WORKSPACES)}`, [text]);
  if (row) await insertSubmission(db, row);
  dueTimes[text] = Date.now();
  // Another instance's row: nothing in this process wakes the poll.
  await delay(Number(INTERVAL_MS));
}
const sentCount = await countSent();
const seconds = (performance.now() - startedAt) / 1_000;
console.log(`sent ${sentCount} in ${seconds} s`);
console.log(`scans ${JSON.stringify(scanTimes)}`);
// The last posts have as much time as the others may take.
await delay(10_000);
console.log(`due ${JSON.stringify(dueTimes)}`);
process.exit();
