import { type SelectQueryBuilder, sql } from 'kysely';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import type { Queryable } from '../../store/database.ts';
import { STATES_WAITING_FOR_PERSON, type SubmissionRow } from '../../submissions/submission.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';

/** A held post, and the newest submission that it became; null values if there is none. */
export type ListedRow = HeldPostRow & {
  sent_state: SubmissionRow['state'] | null;
  sent_reason: SubmissionRow['reason'];
  sent_maybe_sent: boolean | null;
  is_stopped: boolean;
  /** The service's id of the post. */
  sent_id: SubmissionRow['service_id'];
  /** The service's ids of its parts; null if there are none. */
  part_ids: string[] | null;
  /** The contents of its parts that the service doesn't have, or may not have; null if there are none. */
  unconfirmed: { id: string; content: string | null }[] | null;
};

/** A filter for held posts in lists. `from` and `to` are publishing times, inclusive. */
export interface ListedPostsQuery {
  workspace: string;
  /** The projects' ids in the service. Defaults to all projects. */
  projects?: readonly string[] | undefined;
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
    .leftJoinLateral(
      (select) =>
        select
          .selectFrom('submission')
          .select([
            'submission.state as sent_state',
            'submission.reason as sent_reason',
            'submission.maybe_sent as sent_maybe_sent',
            'service_id as sent_id',
          ])
          .whereRef('submission.workspace', '=', 'held_post.workspace')
          .whereRef('submission.origin', '=', 'held_post.id')
          .where(sql<boolean>`held_post.submission is not null`)
          // Of several parts, one that waits for somebody, or else one that isn't done, or that the service has.
          .orderBy(
            sql`case when submission.state in (${sql.join(STATES_WAITING_FOR_PERSON)}) then 0
              when submission.state = 'discarded' then 3 when submission.state = 'confirmed' then 2 else 1 end`,
          )
          .orderBy('revision', 'desc')
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    )
    .selectAll('held_post')
    .select(['sent.sent_state', 'sent.sent_reason', 'sent.sent_maybe_sent', 'sent.sent_id'])
    .select(
      sql<string[] | null>`(select json_agg(part.service_id order by part.item) from submission part
        where held_post.sent_to is not null and part.workspace = held_post.workspace
        and part.origin = held_post.id and part.state = 'confirmed' and part.service_id is not null)`.as(
        'part_ids',
      ),
    )
    .select(
      sql<
        ListedRow['unconfirmed']
      >`(select json_agg(json_build_object('id', part.id, 'content', part.content))
        from submission part
        where held_post.sent_to is not null and part.workspace = held_post.workspace
        and part.origin = held_post.id and part.item > 0
        and part.state not in ('confirmed', 'discarded'))`.as('unconfirmed'),
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
  { workspace, projects, states, from, to, includesUndated, deliveredSince }: ListedPostsQuery,
): SelectQueryBuilder<HeldPostTables, 'held_post', Output> {
  return select
    .where('held_post.workspace', '=', workspace)
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
