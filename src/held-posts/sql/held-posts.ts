import type { Insertable } from 'kysely';
import type { HeldState } from '../../posts/state-copy.ts';
import type { Queryable } from '../../store/database.ts';
import { EDITABLE_STATES, type HeldPostRow, type HeldPostTables } from '../held-post.ts';

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

export function findHeldPost(
  db: Queryable<HeldPostTables>,
  key: HeldPostKey,
): Promise<HeldPostRow | undefined> {
  return db
    .selectFrom('held_post')
    .selectAll()
    .where(({ and }) => and({ id: key.id, workspace: key.workspace }))
    .executeTakeFirst();
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
      .where('state', 'not in', ['cancelled', 'dropped'])
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
interface HeldPostFilter {
  workspace: string;
  project?: string | undefined;
  author?: string | undefined;
  states: readonly HeldState[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Lists held posts by publishing time, by default at most 500. Posts without a time come last. */
export function listHeldPosts(
  db: Queryable<HeldPostTables>,
  filter: HeldPostFilter,
  { offset, limit }: { offset: number; limit: number } = { offset: 0, limit: MAX_LISTED },
): Promise<HeldPostRow[]> {
  return selectHeldPosts(db, filter)
    .selectAll()
    .orderBy('publish_at')
    .orderBy('created_at')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countHeldPosts(db: Queryable<HeldPostTables>, filter: HeldPostFilter): Promise<number> {
  const { count } = await selectHeldPosts(db, filter)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function selectHeldPosts(
  db: Queryable<HeldPostTables>,
  { workspace, project, author, states, from, to }: HeldPostFilter,
) {
  return db
    .selectFrom('held_post')
    .where('workspace', '=', workspace)
    .where('state', 'in', states)
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(author !== undefined, (query) => query.where('author', '=', author ?? ''))
    .$if(from !== undefined, (query) => query.where('publish_at', '>=', from ?? null))
    .$if(to !== undefined, (query) => query.where('publish_at', '<=', to ?? null));
}
