import type { Queryable } from '../store/database.ts';
import type { HeldPostRow, HeldPostTables } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';

export function describeWithoutTime({ kind }: Pick<HeldPostContext, 'kind'>, content: unknown): string {
  const { describeRequest, moveTo } = kind.post;
  return JSON.stringify(describeRequest(moveTo(content, { instant: new Date(0), zone: 'UTC' })));
}

/**
 * Reads the posts of a project by their requests without a time: a row that takes a slot gets another time in each import,
 * so the hash of its content says nothing. `origin`: the posts of this form are left out. `since`: those that were stored
 * before are left out.
 */
export async function readPostsWithoutTime(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  filter: Pick<HeldPostRow, 'workspace' | 'project'> & { origin?: string; since?: Date },
): Promise<Map<string, HeldPostRow>> {
  const { workspace, project, origin, since } = filter;
  const rows = await db
    .selectFrom('held_post')
    .selectAll()
    .where(({ and }) => and({ workspace, project }))
    .where('state', 'not in', ['cancelled', 'dropped'])
    .where('content', 'is not', null)
    .$if(origin !== undefined, (query) => query.where('origin', '!=', origin ?? ''))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date(0)))
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const held = readHeldContent(context, row);
      return held ? [[describeWithoutTime(context, held.content), row] as const] : [];
    }),
  );
}
