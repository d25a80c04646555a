import { sql } from 'kysely';
import type { World } from '../world.ts';
import { RESTORED } from './check-truth.ts';

/** An import with the posts that are there of it. */
interface Import {
  id: string;
  state: string;
  good: number;
  imported: number;
  posts: number;
}

/**
 * Checks that imports did what they say: each has as many posts as it counts, and one that is done has one for each good
 * row. Rows that were imported twice have one post. A backup may be older than the posts.
 */
export async function checkImports({
  database,
  history,
}: World): Promise<{ violations: string[]; doneCount: number }> {
  if (history.some((entry) => entry.kind === 'note' && entry.text === RESTORED))
    return { violations: [], doneCount: 0 };
  const { rows } = await sql<Import>`
    select id, state, good, imported, (
      select count(*)::integer from held_post where starts_with(held_post.origin, post_import.id || '.')) as posts
    from post_import where state in ('done', 'stopped', 'undone')`.execute(database.admin);
  const wasRepeated = rows.length > 1;
  const violations = rows.flatMap(({ state, good, imported, posts }) => [
    ...(imported === posts || wasRepeated
      ? []
      : [`an import says that it imported ${imported} posts, and ${posts} are there`]),
    ...(state !== 'done' || imported === good || wasRepeated
      ? []
      : [`an import of ${good} good rows is done, and imported ${imported} posts`]),
  ]);
  return { violations, doneCount: rows.filter(({ state }) => state === 'done').length };
}
