import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { openPostForm, type Target } from './target.ts';

/** The project of the list `one project` in `servers/hostile-service.ts`. */
const PROJECT = 'p0';

/** Gives the attacker's tenant many posts that stay editable, and many series: copies of one that a person made. */
export async function keepManyPosts(
  target: Target,
  { posts, series }: { posts: number; series: number },
): Promise<void> {
  const workspace = target.workspace.team.id;
  await target.changeDatabase((db) => keepPostsEditable(db, workspace));
  const ana = target.workspace.as('Ana').in('#general');
  await ana.type('/schedule-post in 3 days 9am on x: Soup of the day');
  await (await (await ana.modal('Schedule a post')).submit()).view?.close();
  const form = await openSeriesForm(target, 'Soup of the day');
  await form.submit();
  await (await ana.modal('New series')).submit();
  await ana.sees('Saved.');
  await target.changeDatabase(async (db) => {
    const minutes = sql`i * interval '1 min'`;
    await copyRows(db, 'held_post', posts, {
      publish_at: sql`publish_at + ${minutes}`,
      hand_over_at: sql`hand_over_at + ${minutes}`,
      series: sql`null`,
    });
    // A project has up to 100 running series.
    await copyRows(db, 'series', series, { project: sql`'p' || i % 50` });
    await sql`analyze`.execute(db);
  });
}

/** Types a series with many texts into its form, and returns the requests that its typing sent. */
export async function useLongSeries(target: Target, textCount: number): Promise<object[]> {
  await target.changeDatabase((db) => keepPostsEditable(db, target.workspace.team.id));
  const text = 'Soup of the day';
  await openSeriesForm(target, text);
  const texts = Array.from({ length: textCount }, (_, index) => `Soup ${index}`).join('\n---\n');
  const payloads = target.listSentPayloads('block_actions');
  const longText = JSON.stringify(texts);
  return payloads.map((payload) =>
    JSON.parse(JSON.stringify(payload).replaceAll(JSON.stringify(text), () => longText)),
  );
}

async function openSeriesForm(target: Target, text: string) {
  const form = await openPostForm(target, `/schedule-post on x: ${text}`);
  await form.fill('When', 'every weekday at 9');
  return form;
}

const keepPostsEditable = (db: Kysely<BotSchema>, workspace: string) =>
  savePolicy(db, { workspace, project: PROJECT }, { ...DEFAULT_POLICY, leadMinutes: 60 });

/** Copies a row of a table, with a new id and origin, and these changes: SQL in terms of the number of the copy, `i`. */
async function copyRows(
  db: Kysely<BotSchema>,
  table: string,
  count: number,
  changes: Readonly<Record<string, ReturnType<typeof sql>>>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = ${table} and table_schema = current_schema() and is_identity = 'NO'`.execute(db);
  const values: Readonly<Record<string, ReturnType<typeof sql>>> = {
    id: sql`id || '-' || i`,
    origin: sql`origin || '-' || i`,
    ...changes,
  };
  await sql`insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
    select ${sql.join(rows.map(({ name }) => values[name] ?? sql.ref(name)))}
    from (select * from ${sql.table(table)} limit 1) as copied, generate_series(1, ${count}::integer) as i`.execute(
    db,
  );
}
