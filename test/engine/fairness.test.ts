import { CompiledQuery, type KyselyPlugin, PostgresQueryCompiler, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { buildClaimFilter, createClaims } from '../../src/engine/claims.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { LIFECYCLE } from '../../src/submissions/submission.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const database = await setUpBotDatabase();
afterEach(() => database.db.deleteFrom('submission').execute());

/** Creates `count` due submissions of a workspace, oldest first. */
async function createDueSubmissions(
  workspace: string,
  count: number,
  { endpoint = 'service', waitingMs = 0 } = {},
) {
  const sharedColumns = { workspace, endpoint, author: 'U1', kind: 'post', item: 0, revision: 0 };
  for (let index = 0; index < count; index += 1) {
    const id = `${workspace} ${index}`;
    await insertSubmission(database.db, {
      ...sharedColumns,
      id,
      origin: id,
      channel: null,
      content: null,
      createdAt: NOW,
    });
  }
  const next_at = new Date(NOW.getTime() - waitingMs);
  await database.db.updateTable('submission').set({ next_at }).where('workspace', '=', workspace).execute();
}

function createTestClaims(getLimit: (endpoint: string) => number = () => 100, db = database.db) {
  const claims = createClaims({
    db,
    clock: () => NOW,
    leaseMs: 60_000,
    getLimit,
    getClaimFilter: () => buildClaimFilter({ table: 'submission', lifecycle: LIFECYCLE }, []),
    onError: (error) => expect(error).toBeUndefined(),
  });
  return {
    claims,
    async claimPerWorkspace(maxRows: number) {
      const rows = await claims.claim(maxRows);
      const byWorkspace = Object.groupBy(rows, ({ workspace }) => workspace);
      return Object.fromEntries(
        Object.entries(byWorkspace).map(([name, workspaceRows = []]) => [name, workspaceRows.length]),
      );
    },
  };
}

test('a workspace with many old submissions leaves room for other workspaces', async () => {
  await createDueSubmissions('T1', 20, { waitingMs: 60_000 });
  await createDueSubmissions('T2', 1);
  await createDueSubmissions('T3', 3);
  const { claimPerWorkspace } = createTestClaims();
  expect(await claimPerWorkspace(6)).toEqual({
    T1: expect.toBeOneOf([2, 3]),
    T2: 1,
    T3: expect.toBeOneOf([2, 3]),
  });
});

test('if the other workspaces have few submissions, the workspace with many gets the remaining slots', async () => {
  await createDueSubmissions('T1', 20);
  await createDueSubmissions('T2', 1);
  const { claimPerWorkspace } = createTestClaims();
  expect(await claimPerWorkspace(10)).toEqual({ T1: 9, T2: 1 });
});

test('the workspace that was served last comes last in the next scan', async () => {
  await createDueSubmissions('T1', 5);
  await createDueSubmissions('T2', 5);
  const { claimPerWorkspace } = createTestClaims();
  const [first, second] = [await claimPerWorkspace(1), await claimPerWorkspace(1)];
  expect(Object.keys({ ...first, ...second }).toSorted()).toEqual(['T1', 'T2']);
});

test('a busy service delays no other service, and gets its next submission when an earlier one has ended', async () => {
  await createDueSubmissions('T1', 10, { endpoint: 'slow', waitingMs: 60_000 });
  await createDueSubmissions('T2', 2, { endpoint: 'quick' });
  const { claims, claimPerWorkspace } = createTestClaims((endpoint) => (endpoint === 'slow' ? 3 : 100));
  expect(await claimPerWorkspace(10)).toEqual({ T1: 3, T2: 2 });
  expect(await claimPerWorkspace(10)).toEqual({});
  claims.releaseSlot({ endpoint: 'slow' });
  expect(await claimPerWorkspace(10)).toEqual({ T1: 1 });
});

test('every workspace is served, even if the due submissions of another workspace fill a whole page', async () => {
  await createDueSubmissions('T1', 600, { waitingMs: 60_000 });
  await createDueSubmissions('T2', 1);
  const { claimPerWorkspace } = createTestClaims();
  expect(await claimPerWorkspace(10)).toEqual({ T1: 9, T2: 1 });
});

test('a claim reads few rows of a workspace with thousands, whatever the statistics of the database say', async () => {
  await createDueSubmissions('T1', 1, { waitingMs: 60_000 });
  await sql`insert into submission select row.* from submission, generate_series(1, 3000) as i,
    jsonb_populate_record(submission, jsonb_build_object('id', i::text, 'origin', i::text)) as row`.execute(
    database.db,
  );
  // Postgres now assumes that nearly every due row belongs to whichever workspace it looks for.
  await sql`analyze submission`.execute(database.db);
  await createDueSubmissions('T2', 1);
  const queries: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(new PostgresQueryCompiler().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { claimPerWorkspace } = createTestClaims(() => 100, database.db.withPlugin(recorder));
  expect(await claimPerWorkspace(10)).toEqual({ T1: 9, T2: 1 });
  expect(queries.length).toBeGreaterThan(1);
  for (const { sql: text, parameters } of queries) {
    const explained = CompiledQuery.raw(`explain (analyze, costs off, timing off) ${text}`, [...parameters]);
    const { rows } = await database.db.executeQuery<{ 'QUERY PLAN': string }>(explained);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on submission|Sort Method|Rows Removed by Filter: \d{3}/);
    // The 500 oldest rows are a page.
    expect(plan).not.toMatch(/(?:on submission.*|Scan.*)actual rows=(?!500\.)\d{3}/);
  }
});
