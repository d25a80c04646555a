import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Queryable } from '../../store/database.ts';
import type { HeldPostRow, HeldPostTables, State } from '../held-post.ts';

/** A held post, and the newest submission that it became; null values if there is none. */
export type ListedRow = HeldPostRow & {
  sent_state: string | null;
  sent_reason: string | null;
  /** The service's id of the post. */
  sent_id: Selectable<HeldPostTables['submission']>['service_id'];
};

/** A filter for held posts in lists. `from` and `to` are publishing times, inclusive. */
export interface ListedPostsQuery {
  workspace: string;
  /** The projects' ids in the service. Defaults to all projects. */
  projects?: readonly string[] | undefined;
  states: readonly State[];
  /** Whether posts without a time are included, although the filter has a range. */
  includesUndated?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Only so many posts of each project, the soonest. */
  maxPerProject?: number | undefined;
  /** Posts that were delivered since then, on the shared clock, are included too. `ever`: all delivered posts. */
  deliveredSince: Date | 'ever';
  limit: number;
}

/** Selects held posts with their submissions, by publishing time. Posts without a time come last. */
export function selectListedPosts(
  db: Queryable<HeldPostTables>,
  query: ListedPostsQuery,
): Promise<ListedRow[]> {
  const { maxPerProject } = query;
  const ranked = filterPosts(db.selectFrom('held_post'), query).select([
    'held_post.id',
    sql<number>`row_number() over (partition by project order by publish_at, created_at)`.as('position'),
  ]);
  // The limit comes before the join, so that only the submissions of listed posts are read.
  const listed = filterPosts(db.selectFrom('held_post'), query)
    .selectAll('held_post')
    .$if(maxPerProject !== undefined, (select) =>
      select.where('held_post.id', 'in', ({ selectFrom }) =>
        selectFrom(ranked.as('ranked'))
          .select('ranked.id')
          .where('position', '<=', maxPerProject ?? 0),
      ),
    )
    .orderBy('held_post.publish_at')
    .orderBy('held_post.created_at')
    .limit(query.limit);
  return db
    .selectFrom(listed.as('held_post'))
    .leftJoinLateral(
      (select) =>
        select
          .selectFrom('submission')
          .select([
            'submission.state as sent_state',
            'submission.reason as sent_reason',
            'service_id as sent_id',
          ])
          .whereRef('submission.workspace', '=', 'held_post.workspace')
          .whereRef('submission.origin', '=', 'held_post.id')
          .where(sql<boolean>`held_post.submission is not null`)
          .orderBy('revision', 'desc')
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    )
    .selectAll('held_post')
    .select(['sent.sent_state', 'sent.sent_reason', 'sent.sent_id'])
    .orderBy('held_post.publish_at')
    .orderBy('held_post.created_at')
    .execute();
}

function filterPosts<Output>(
  select: SelectQueryBuilder<HeldPostTables, 'held_post', Output>,
  { workspace, projects, states, from, to, includesUndated, deliveredSince }: ListedPostsQuery,
): SelectQueryBuilder<HeldPostTables, 'held_post', Output> {
  return select
    .where('held_post.workspace', '=', workspace)
    .$if(projects !== undefined, (query) => query.where('held_post.project', 'in', projects ?? []))
    .where(({ and, eb, or }) =>
      or([
        eb('held_post.state', 'in', states),
        and([
          eb('held_post.state', '=', 'delivered'),
          ...(deliveredSince === 'ever' ? [] : [eb('held_post.changed_at', '>=', deliveredSince)]),
        ]),
      ]),
    )
    .where(({ and, eb, or }) =>
      or([
        ...(includesUndated ? [eb('held_post.publish_at', 'is', null)] : []),
        and([
          ...(from === undefined ? [] : [eb('held_post.publish_at', '>=', from)]),
          ...(to === undefined ? [] : [eb('held_post.publish_at', '<=', to)]),
        ]),
      ]),
    );
}
