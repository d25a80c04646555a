import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { HeldState } from '../../posts/state-copy.ts';
import type { Queryable } from '../../store/database.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { EDITABLE_STATES, type HeldPostRow, type HeldPostTables, STORED_STATES } from '../held-post.ts';

/** The key of a held post. Every query has the workspace, so no button works in another workspace. */
export type HeldPostKey = Pick<HeldPostRow, 'id' | 'workspace'>;

export type NewHeldPost = Insertable<HeldPostTables['held_post']>;

/** Maximum number of held posts in a list. */
const MAX_LISTED = 500;

/** Inserts a post. Resolves with undefined if its form, series or import has stored it already. */
export function insertHeldPost(
  db: Queryable<HeldPostTables>,
  post: NewHeldPost,
): Promise<HeldPostRow | undefined> {
  return db
    .insertInto('held_post')
    .values(post)
    .onConflict((conflict) => conflict.columns(['workspace', 'origin', 'item']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Finds a post, also one that was sent at once, with the content of its submission. */
export async function findHeldPost(
  db: Queryable<HeldPostTables>,
  key: HeldPostKey,
): Promise<HeldPostRow | undefined> {
  const row = await db
    .selectFrom('post')
    .leftJoin('submission as sent', (join) =>
      join.onRef('sent.id', '=', 'post.submission').on('post.at_once', '=', true),
    )
    .selectAll('post')
    .select('sent.content as sent_content')
    .where(({ and }) => and({ 'post.id': key.id, 'post.workspace': key.workspace }))
    .executeTakeFirst();
  if (!row) return undefined;
  const { sent_content: sentContent, ...post } = row;
  return post.at_once ? { ...post, content: sentContent } : post;
}

/** Finds the post that a submission delivers, whole or in parts. */
export async function findPostOfSubmission(
  db: Queryable<HeldPostTables>,
  { id, workspace, origin, content }: Pick<SubmissionRow, 'id' | 'workspace' | 'origin' | 'content'>,
): Promise<HeldPostRow | undefined> {
  const rows = await db
    .selectFrom('post')
    .selectAll()
    .where('workspace', '=', workspace)
    .where(({ or, eb }) => or([eb('submission', '=', id), eb('id', '=', origin)]))
    .execute();
  const row = rows.find(({ submission }) => submission === id) ?? rows[0];
  return row?.at_once ? { ...row, content } : row;
}

/** Finds the posts of submissions, with the id of the submission for which each was found. */
export async function listPostsOfSubmissions(
  db: Queryable<HeldPostTables>,
  submissions: readonly Pick<SubmissionRow, 'id' | 'workspace' | 'origin'>[],
): Promise<ReadonlyMap<string, Pick<HeldPostRow, 'id' | 'workspace' | 'version' | 'content_hash'>>> {
  const [first] = submissions;
  if (!first) return new Map();
  const posts = await db
    .selectFrom('post')
    .select(['id', 'workspace', 'version', 'content_hash', 'submission'])
    .where('workspace', '=', first.workspace)
    .where(({ or, eb }) =>
      or([
        eb(
          'submission',
          'in',
          submissions.map(({ id }) => id),
        ),
        // A part of a post.
        eb(
          'id',
          'in',
          submissions.map(({ origin }) => origin),
        ),
      ]),
    )
    .execute();
  return new Map(
    submissions.flatMap((sent) => {
      const post = posts.find(({ id, submission }) => submission === sent.id || id === sent.origin);
      return post ? [[sent.id, post] as const] : [];
    }),
  );
}

/** Finds the held posts of a form, in the order of their publishing times in the form. */
export function listFormHeldPosts(
  db: Queryable<HeldPostTables>,
  form: Pick<HeldPostRow, 'workspace' | 'origin'>,
): Promise<HeldPostRow[]> {
  return selectFormHeldPosts(db, form).selectAll().orderBy('item').execute();
}

/** Counts the stored posts of forms, those that are cancelled, and those that can be and aren't about to be handed over. */
export async function countFormHeldPosts(
  db: Queryable<HeldPostTables>,
  { workspace, origins, now }: { workspace: string; origins: readonly string[]; now: Date },
): Promise<{ stored: number; cancellable: number; cancelled: number }> {
  if (origins.length === 0) return { stored: 0, cancellable: 0, cancelled: 0 };
  const counts = await db
    .selectFrom('held_post')
    .select(({ fn, or, eb }) => [
      fn.countAll<string>().as('stored'),
      fn
        .countAll<string>()
        .filterWhere('state', 'in', EDITABLE_STATES)
        .filterWhere(or([eb('state', '!=', 'held'), eb('hand_over_at', '>', now)]))
        .as('cancellable'),
      fn.countAll<string>().filterWhere('state', '=', 'cancelled').as('cancelled'),
    ])
    .where('workspace', '=', workspace)
    .where('origin', 'in', origins)
    .executeTakeFirstOrThrow();
  return {
    stored: Number(counts.stored),
    cancellable: Number(counts.cancellable),
    cancelled: Number(counts.cancelled),
  };
}

export function selectFormHeldPosts(
  db: Queryable<HeldPostTables>,
  { workspace, origin }: Pick<HeldPostRow, 'workspace' | 'origin'>,
) {
  return db.selectFrom('held_post').where('workspace', '=', workspace).where('origin', '=', origin);
}

/**
 * Finds an equal post that was stored from another form since `since`: by this author, or by anybody without one.
 * `publish_at`: its time, if that is known; null for none.
 */
export function findEqualHeldPost(
  db: Queryable<HeldPostTables>,
  {
    author,
    publish_at: publishAt,
    ...post
  }: Pick<NewHeldPost, 'workspace' | 'project' | 'origin' | 'content_hash' | 'publish_at'> & {
    author: string | undefined;
  },
  since: Date,
): Promise<HeldPostRow | undefined> {
  return (
    db
      .selectFrom('held_post')
      .selectAll()
      .where(({ and }) => and({ workspace: post.workspace, project: post.project }))
      .$if(author !== undefined, (query) => query.where('author', '=', author ?? ''))
      // Equal posts have the same time, or none, which an index finds among thousands.
      .$if(publishAt !== undefined, (query) =>
        query.where('publish_at', publishAt === null ? 'is' : '=', publishAt ?? null),
      )
      .where('origin', '!=', post.origin)
      .where('content_hash', '=', post.content_hash)
      .where('created_at', '>=', since)
      .where('state', 'in', STORED_STATES)
      .limit(1)
      .executeTakeFirst()
  );
}

/** Lists the posts that an author has held since `since`, at most the newest 500. Leaves out cancelled ones. */
export function listHeldSince(
  db: Queryable<HeldPostTables>,
  {
    workspace,
    author,
    project,
    since,
  }: Pick<HeldPostRow, 'workspace' | 'author'> & { project: string | undefined; since: Date },
): Promise<Pick<HeldPostRow, 'id' | 'workspace' | 'content'>[]> {
  return db
    .selectFrom('held_post')
    .select(['id', 'workspace', 'content'])
    .where(({ and }) => and({ workspace, author }))
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .where('created_at', '>=', since)
    .where('state', 'not in', ['cancelled', 'dropped'])
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** A filter for held posts. `from` and `to` are publishing times, inclusive. */
export interface HeldPostFilter {
  workspace: string;
  project?: string | undefined;
  author?: string | undefined;
  states: readonly HeldState[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A place in the list of held posts: after the post with these columns. */
type HeldPostPlace = Pick<HeldPostRow, 'publish_at' | 'created_at' | 'id'>;

/** Lists held posts by publishing time, by default at most 500. Posts without a time come last. */
export async function listHeldPosts(
  db: Queryable<HeldPostTables>,
  filter: HeldPostFilter,
  { after, limit = MAX_LISTED }: { after?: HeldPostPlace | undefined; limit?: number } = {},
): Promise<HeldPostRow[]> {
  // Each state is a statement of its own, which an index answers in order, however many posts there are.
  const ofStates = filter.states.map((state) => {
    const where = sql.join([...listConditions({ ...filter, state }), ...isAfter(after)], sql` and `);
    return sql`(select id from held_post where ${where} order by publish_at, created_at, id limit ${limit})`;
  });
  return db
    .selectFrom('held_post')
    .selectAll()
    .where('id', 'in', sql<string>`(${sql.join(ofStates, sql` union all `)})`)
    .orderBy('publish_at')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Counts held posts up to a limit, because counting reads each of them. */
export async function countHeldPosts(
  db: Queryable<HeldPostTables>,
  filter: HeldPostFilter,
  max: number,
): Promise<number> {
  const ofStates = filter.states.map((state) => {
    const where = sql.join(listConditions({ ...filter, state }), sql` and `);
    return sql`select count(*)::integer as count from (select from held_post where ${where} limit ${max}) counted`;
  });
  const { rows } = await sql<{ count: number }>`${sql.join(ofStates, sql` union all `)}`.execute(db);
  return Math.min(
    max,
    rows.reduce((sum, { count }) => sum + count, 0),
  );
}

function listConditions({
  workspace,
  project,
  author,
  state,
  from,
  to,
}: Omit<HeldPostFilter, 'states'> & { state: HeldState }): RawBuilder<unknown>[] {
  return [
    sql`workspace = ${workspace} and state = ${state}`,
    ...(project === undefined ? [] : [sql`project = ${project}`]),
    ...(author === undefined ? [] : [sql`author = ${author}`]),
    ...(from === undefined ? [] : [sql`publish_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`publish_at <= ${to}`]),
  ];
}

function isAfter(place: HeldPostPlace | undefined): RawBuilder<unknown>[] {
  if (!place) return [];
  const { publish_at: at, created_at: createdAt, id } = place;
  // Posts without a time come last.
  if (at === null) return [sql`publish_at is null and (created_at, id) > (${createdAt}, ${id})`];
  return [
    sql`(publish_at >= ${at} or publish_at is null)
    and (publish_at is null or (publish_at, created_at, id) > (${at}, ${createdAt}, ${id}))`,
  ];
}
