import { type Selectable, sql } from 'kysely';
import type { Capability } from '../engine/capability.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import { restoreDeliveries } from '../engine/sql/bulk-transitions.ts';
import type { PublicationState } from '../posts/state-copy.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { Queryable } from '../store/database.ts';
import type { SubmissionTables } from '../submissions/submission.ts';

/**
 * The lifecycle of a publication: whether the service has published a post that was scheduled with Upnext. Upnext only
 * reads here. It begins shortly after the publishing time.
 *
 *   checking → published | failed | late | unclear | dropped
 *                  late → published | failed | dropped
 *
 * `checking`: Upnext reads the service's posts of the project at that time, from two minutes after it. The post is
 * recognised by the service's id, or else by its fingerprint. If its status doesn't settle it, Upnext reads the log for a
 * line that is about this post and clearly says that it failed: with a status, level or event next to the post's id, or
 * as its whole text. No answer and an unclear line are never taken for a failure: Upnext checks again, for four hours.
 *
 * `published`: the service lists the post as published. Final.
 *
 * `failed`: the service's list or log clearly says that the post failed. Final.
 *
 * `late`: 15 minutes after the publishing time, the service still lists the post as scheduled. Lists and digests call it
 * overdue then too. The author is notified once, and Upnext goes on checking.
 *
 * `unclear`: Upnext couldn't find out. Final.
 *
 * `dropped`: there is nothing more to notify anybody of: a backup was restored, the app was uninstalled, or a late post was
 * never published, which stays overdue (the reason `late`). Final.
 */
export type State = 'checking' | 'published' | 'failed' | 'late' | 'unclear' | 'dropped';
/** The states that authors are notified of. */
export const REPORTED_STATES = ['published', 'failed', 'late', 'unclear'] as const satisfies (State &
  PublicationState)[];
export type ReportedState = (typeof REPORTED_STATES)[number];

/** The table. The id is the id of the post's submission, which has everything else about the post. */
export interface PublicationTable extends DeliveryColumns<State, 'late'> {
  author: string;
}
export type PublicationRow = Selectable<PublicationTable>;

export interface PublicationTables extends SubmissionTables, PreferenceTables {
  publication: PublicationTable;
}

/** After a restored backup nobody is notified, because the author may have been notified since the backup. */
const waiting = {
  waitsFor: 'upnext',
  remote: 'unknown',
  afterRestore: { to: 'dropped' },
  afterUninstall: 'dropped',
} as const;
const final = { nextStates: [], waitsFor: 'nobody', notifies: true } as const;

const LIFECYCLE: Lifecycle<State> = {
  checking: {
    ...waiting,
    nextStates: ['published', 'failed', 'late', 'unclear', 'dropped'],
    notifies: false,
  },
  late: { ...waiting, nextStates: ['published', 'failed', 'dropped'], notifies: true },
  published: { ...final, remote: 'present' },
  failed: { ...final, remote: 'absent' },
  unclear: { ...final, remote: 'unknown' },
  dropped: { ...final, remote: 'unknown', notifies: false },
};

export const PUBLICATIONS: Capability<State, PublicationRow, PublicationTables> = {
  name: 'publications',
  table: 'publication',
  lifecycle: LIFECYCLE,
  initialStates: ['checking'],
  /** Authors may have been notified since the backup, so nobody is notified of posts from before the restore. */
  async restore(db, now) {
    const { dropped = 0 } = await restoreDeliveries(db, PUBLICATIONS, { now });
    await sql`update publication set notify_at = null where notify_at is not null`.execute(db);
    const skippedCount = await skipPublications(db, { publishedUntil: now });
    return [
      {
        count: dropped + skippedCount,
        label: 'Posts that were due before the restore',
        explanation: 'Their authors get no message about whether they went out.',
      },
    ];
  },
  async endAfterUninstall(transaction, { workspace }) {
    await skipPublications(transaction, { workspace });
  },
};

/** Submissions of posts whose publication doesn't exist yet. An index has these rows. */
export const AWAITS_PUBLICATION = sql<boolean>`awaits_publication and publish_at is not null`;

/** Creates no publications of a workspace's posts, or of posts due until `publishedUntil`. Resolves with their number. */
async function skipPublications(
  db: Queryable<PublicationTables>,
  { workspace, publishedUntil }: { workspace?: string; publishedUntil?: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('submission')
    .set({ awaits_publication: false })
    .where(AWAITS_PUBLICATION)
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace ?? ''))
    .$if(publishedUntil !== undefined, (query) => query.where('publish_at', '<=', publishedUntil ?? null))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
