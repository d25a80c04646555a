import { type Kysely, sql } from 'kysely';
import { followDeliveries } from '../../src/engine/sql/owners.ts';
import type { HeldPostTables } from '../../src/held-posts/held-post.ts';
import { POST_OF_SUBMISSION } from '../../src/posts/post-of-submission.ts';
import { LIFECYCLE, STATES } from '../../src/submissions/submission.ts';

/** Lets the posts that were sent at once follow their submissions, after a test has changed these in the database. */
export async function followSubmissions(db: Kysely<HeldPostTables>): Promise<void> {
  const all = sql`(select * from submission where state in (${sql.join(STATES)}))`;
  await followDeliveries({ lifecycle: LIFECYCLE, owner: POST_OF_SUBMISSION }, all).execute(db);
}

/** Stores the posts of submissions that are copies of another one, in place of those of earlier copies. */
export async function copyPosts(
  db: Kysely<HeldPostTables>,
  original: string,
  copies: readonly { id: string; origin: string }[],
): Promise<void> {
  const post = await db
    .selectFrom('post')
    .selectAll()
    .where('submission', '=', original)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('post').where('id', '!=', post.id).execute();
  await db
    .insertInto('post')
    .values(copies.map(({ id, origin }) => ({ ...post, id: `post-${id}`, submission: id, origin })))
    .execute();
}
