import type { Expression } from 'kysely';
import { HOUR_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { Queryable } from '../../store/database.ts';
import {
  ENDED_UNSENT_STATES,
  FINAL_STATES,
  STATES_WAITING_FOR_PERSON,
  type SubmissionRow,
  type SubmissionTables,
} from '../submission.ts';
import { selectOwnSubmission } from './submissions.ts';

export const MAX_OUTBOX_SUBMISSIONS = 20;
const MAX_CONFIRMED_SUBMISSIONS = 100;
/** Maximum number of other authors' submissions. The caller filters the result by project. */
const MAX_SUBMISSIONS_OF_OTHERS = 200;

/** Lists the actor's unfinished submissions, newest first, and one more than the outbox shows. */
export function listOutbox(
  db: Queryable<SubmissionTables>,
  actor: Pick<SubmissionRow, 'workspace' | 'author'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where(({ and }) => and({ workspace: actor.workspace, author: actor.author }))
    .where('state', 'not in', FINAL_STATES)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAX_OUTBOX_SUBMISSIONS + 1)
    .execute();
}

/** Lists an author's submissions to projects with a confirmation after `since`, among the newest 100. */
export async function listRecentlyConfirmed(
  db: Queryable<SubmissionTables>,
  filter: { workspace: string; author: string; since: Date },
): Promise<{ project: string; changedAt: Date }[]> {
  const rows = await db
    .selectFrom('submission')
    .select(['project', 'state', 'changed_at'])
    .where(({ and }) => and({ workspace: filter.workspace, author: filter.author }))
    .orderBy('created_at', 'desc')
    .limit(MAX_CONFIRMED_SUBMISSIONS)
    .execute();
  return rows.flatMap(({ project, state, changed_at }) =>
    project !== null && state === 'confirmed' && changed_at > filter.since
      ? [{ project, changedAt: changed_at }]
      : [],
  );
}

/** Lists an author's submissions of one kind since `since`, at most the newest 100. Leaves out what wasn't sent. */
export function listSubmittedSince(
  db: Queryable<SubmissionTables>,
  filter: Pick<SubmissionRow, 'workspace' | 'author' | 'kind'> & { project: string | undefined; since: Date },
): Promise<Pick<SubmissionRow, 'id' | 'workspace' | 'content'>[]> {
  return db
    .selectFrom('submission')
    .select(['id', 'workspace', 'content'])
    .where(({ and }) => and({ workspace: filter.workspace, author: filter.author, kind: filter.kind }))
    .$if(filter.project !== undefined, (query) => query.where('project', '=', filter.project ?? ''))
    .where('created_at', '>=', filter.since)
    .where('state', 'not in', ENDED_UNSENT_STATES)
    .orderBy('created_at', 'desc')
    .limit(MAX_CONFIRMED_SUBMISSIONS)
    .execute();
}

/** Managers of the project also see a submission once it has waited this long for a decision by its author. */
const MIN_WAIT_MS = HOUR_MS;
/** Managers of the project also see a waiting submission this long before its publishing time. */
const DUE_WITHIN_MS = 2 * HOUR_MS;

/**
 * Lists other authors' unfinished submissions in the order of their publishing times: those that are due soon, and those
 * that have waited for a decision for long. `now`: of the app's clock, and of the clock that all instances share.
 */
export function listOverdueOfOthers(
  db: Queryable<SubmissionTables>,
  filter: { workspace: string; author: string; now: Date; sharedNow: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', filter.workspace)
    .where('author', '!=', filter.author)
    .where((expression) =>
      expression.or([
        expression.and([
          expression('state', 'in', STATES_WAITING_FOR_PERSON),
          expression('changed_at', '<=', addMs(filter.sharedNow, -MIN_WAIT_MS)),
        ]),
        expression.and([
          expression('state', 'not in', FINAL_STATES),
          expression('publish_at', '<=', addMs(filter.now, DUE_WITHIN_MS)),
        ]),
      ]),
    )
    .orderBy('publish_at')
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_SUBMISSIONS_OF_OTHERS)
    .execute();
}

/** Lists submissions of a workspace by id. The caller checks the actor's permission. */
export async function listSubmissionsById(
  db: Queryable<SubmissionTables>,
  { workspace, ids }: { workspace: string; ids: readonly string[] },
): Promise<SubmissionRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .execute();
}

interface ConfirmedFilter {
  workspace: string;
  project: string | Expression<string>;
  kind: string;
  /** Defaults to all records. */
  serviceId?: string;
  limit?: number;
}

/** Selects confirmed submissions of one kind in a project, newest first. Leaves out those without a service id. */
export function selectConfirmed(db: Queryable<SubmissionTables>, filter: ConfirmedFilter) {
  return db
    .selectFrom('submission')
    .where('workspace', '=', filter.workspace)
    .where('project', '=', filter.project)
    .where('kind', '=', filter.kind)
    .where('state', '=', 'confirmed')
    .where('service_id', 'is not', null)
    .$if(filter.serviceId !== undefined, (query) => query.where('service_id', '=', filter.serviceId ?? ''))
    .orderBy('created_at', 'desc')
    .limit(filter.limit ?? MAX_CONFIRMED_SUBMISSIONS);
}

/** Lists those of the fingerprints that a submission since `since` has, either confirmed or still active. */
export async function listSentSince(
  db: Queryable<SubmissionTables>,
  fingerprints: readonly string[],
  since: Date,
): Promise<ReadonlySet<string | null>> {
  if (fingerprints.length === 0) return new Set();
  const rows = await db
    .selectFrom('submission')
    .select('fingerprint')
    .where('fingerprint', 'in', fingerprints)
    .where('created_at', '>=', since)
    .where('state', 'not in', ENDED_UNSENT_STATES)
    .execute();
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

/** Whether the service has something of the form, may still get it, or an edit in another form has replaced it. */
export async function wasFormSent(
  db: Queryable<SubmissionTables>,
  form: Pick<SubmissionRow, 'workspace' | 'origin'>,
): Promise<boolean> {
  const rows = await listFormSubmissions(db, form);
  return rows.some(({ state, reason }) => reason === 'replaced' || !ENDED_UNSENT_STATES.includes(state));
}

/** Lists the newest revisions of a form's items, in the order of the items. */
export function listFormSubmissions(
  db: Queryable<SubmissionTables>,
  form: Pick<SubmissionRow, 'workspace' | 'origin'>,
): Promise<SubmissionRow[]> {
  return selectFormSubmissions(db, form).execute();
}

/** Lists the newest revisions of a form's items, and the author's submission that the form edits. */
export function listEarlierSubmissions(
  db: Queryable<SubmissionTables>,
  form: Pick<SubmissionRow, 'workspace' | 'origin' | 'author'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom(selectFormSubmissions(db, form).as('newest'))
    .selectAll()
    .unionAll(selectOwnSubmission(db, { ...form, id: form.origin }))
    .execute();
}

function selectFormSubmissions(
  db: Queryable<SubmissionTables>,
  { workspace, origin }: Pick<SubmissionRow, 'workspace' | 'origin'>,
) {
  return db
    .selectFrom('submission')
    .distinctOn('item')
    .selectAll()
    .where(({ and }) => and({ workspace, origin }))
    .orderBy('item')
    .orderBy('revision', 'desc');
}
