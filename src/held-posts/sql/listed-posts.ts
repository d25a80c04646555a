import { type SelectQueryBuilder, sql } from 'kysely';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import type { Queryable } from '../../store/database.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';

/** A held post with the newest submissions of its items; null if there are none. */
export type ListedRow = HeldPostRow & {
  /** `content`: null unless the post was handed over in parts. */
  newest:
    | Pick<SubmissionRow, 'id' | 'item' | 'state' | 'reason' | 'maybe_sent' | 'service_id' | 'content'>[]
    | null;
  is_stopped: boolean;
};

/** A filter for held posts in lists. `from` and `to` are publishing times, inclusive. */
export interface ListedPostsQuery {
  workspace: string;
  /** The projects' ids in the service. Defaults to all projects. */
  projects?: readonly string[] | undefined;
  /** The ids of the posts. Defaults to all posts. */
  ids?: readonly string[] | undefined;
  states: readonly HeldState[];
  /** Whether posts without a time are included, although the filter has a range. */
  includesUndated?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Maximum posts of each project. The soonest ones are listed. */
  maxPerProject?: number | undefined;
  /** Posts that were delivered since then, on the shared clock, are included too. `ever`: all delivered posts. */
  deliveredSince: Date | 'ever';
  limit: number;
}

/**
 * Selects held posts with their submissions, by publishing time. Posts without a time come last. Those of one form or
 * import with equal times stay in its order.
 */
export function selectListedPosts(
  db: Queryable<HeldPostTables>,
  query: ListedPostsQuery,
): Promise<ListedRow[]> {
  const { maxPerProject } = query;
  const ranked = filterPosts(db.selectFrom('held_post'), query).select([
    'held_post.id',
    sql<number>`row_number() over (partition by project order by publish_at, created_at, item, id)`.as(
      'position',
    ),
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
    .orderBy('held_post.item')
    .orderBy('held_post.id')
    .limit(query.limit);
  return db
    .selectFrom(listed.as('held_post'))
    .selectAll('held_post')
    .select(
      sql<ListedRow['newest']>`(select json_agg(json_build_object('id', id, 'item', item, 'state', state,
          'reason', reason, 'maybe_sent', maybe_sent, 'service_id', service_id,
          'content', case when held_post.sent_to is not null then content end) order by item)
        from (select distinct on (item) * from submission sent where held_post.submission is not null
          and sent.workspace = held_post.workspace and sent.origin = held_post.id
          order by item, revision desc) newest)`.as('newest'),
    )
    .select(
      sql<boolean>`exists (select from sending_stop stop where stop.workspace = ''
        or (stop.workspace = held_post.workspace and stop.project = held_post.project))`.as('is_stopped'),
    )
    .orderBy('held_post.publish_at')
    .orderBy('held_post.created_at')
    .orderBy('held_post.item')
    .orderBy('held_post.id')
    .execute();
}

function filterPosts<Output>(
  select: SelectQueryBuilder<HeldPostTables, 'held_post', Output>,
  { workspace, ids, projects, states, from, to, includesUndated, deliveredSince }: ListedPostsQuery,
): SelectQueryBuilder<HeldPostTables, 'held_post', Output> {
  return select
    .where('held_post.workspace', '=', workspace)
    .$if(ids !== undefined, (query) => query.where('held_post.id', 'in', ids ?? []))
    .$if(projects !== undefined, (query) => query.where('held_post.project', 'in', projects ?? []))
    .where(({ and, eb, or }) => {
      const isDelivered = eb('held_post.state', '=', 'delivered');
      if (deliveredSince === 'ever') return or([eb('held_post.state', 'in', states), isDelivered]);
      const partsSince = from ?? addMs(deliveredSince, -DAY_MS);
      return or([
        eb('held_post.state', 'in', states),
        and([isDelivered, eb('held_post.changed_at', '>=', deliveredSince)]),
        // Lists show the service's posts that are parts of one post as that post.
        and([
          isDelivered,
          eb('held_post.sent_to', 'is not', null),
          eb('held_post.publish_at', '>=', partsSince),
        ]),
      ]);
    })
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
