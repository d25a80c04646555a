import { sql } from 'kysely';
import {
  listStoppedProjects,
  type SendingStop,
  type StoppableProject,
  stopSending,
} from '../engine/sending-stop.ts';
import { endClaims } from '../engine/sql/bulk-transitions.ts';
import type { SentReason } from '../posts/state-copy.ts';
import { repeatAfterDeadlock } from '../store/locks.ts';
import {
  FINAL_STATES,
  LOCKED_STATES,
  SENDABLE_STATES,
  SUBMISSION_STORAGE,
  type SubmissionRow,
} from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** States in which a submission waits to be sent, and the service certainly doesn't have it. */
const UNSENT_STATES = SENDABLE_STATES.filter((state) => !LOCKED_STATES.includes(state));
interface Page {
  offset: number;
  limit: number;
}

/**
 * Stops sending for a project. When this resolves, no submission of the project can become `sending`, unless the claims
 * couldn't be ended (`end`). Resolves with the stop, which is an earlier one if the project was stopped already.
 *
 * A transition to `sending` checks the stop in its own statement, which sees only what was committed before it began.
 * So after the stop is committed, all claims end: a statement that began before the stop then fails its
 * compare-and-set.
 */
export async function stopProject(
  { db, clock }: Pick<SubmissionContext, 'db' | 'clock'>,
  stoppedProject: StoppableProject,
  { reason, stoppedBy }: { reason: string; stoppedBy: string },
): Promise<{ stop: SendingStop; isNew: boolean; end: PromiseSettledResult<void> }> {
  const since = clock.now();
  const isNew = await stopSending(db, { reason, since, stoppedBy }, stoppedProject);
  const { workspace, project } = stoppedProject;
  const where = sql`workspace = ${workspace} and project = ${project}`;
  const [end] = await Promise.allSettled([
    repeatAfterDeadlock(() =>
      endClaims(db, SUBMISSION_STORAGE, { states: SENDABLE_STATES, where, now: clock.readShared() }),
    ),
  ]);
  const earlierStop = isNew ? undefined : await findProjectStop(db, stoppedProject);
  return { isNew, end, stop: earlierStop ?? { reason, since, stopped_by: stoppedBy } };
}

/** Finds the stop of a project, regardless of a stop of all sending. */
export async function findProjectStop(
  db: SubmissionContext['db'],
  { workspace, project }: StoppableProject,
): Promise<SendingStop | undefined> {
  return (await listStoppedProjects(db, workspace)).find((stop) => stop.project === project);
}

/** Counts a project's submissions that wait to be sent, by kind. Leaves out those whose publishing time has passed. */
export async function countUnsent(
  context: Pick<SubmissionContext, 'db' | 'clock'>,
  stoppedProject: StoppableProject,
): Promise<{ kind: string; count: number }[]> {
  const rows = await selectUnsent(context, stoppedProject)
    .select((row) => ['kind', row.fn.countAll<string>().as('count')])
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }));
}

/** Lists the same submissions, those that are published first at the beginning. */
export function listUnsent(
  context: Pick<SubmissionContext, 'db' | 'clock'>,
  stoppedProject: StoppableProject,
  page: Page,
): Promise<SubmissionRow[]> {
  return listPage(selectUnsent(context, stoppedProject), page);
}

function listPage(
  query: ReturnType<typeof selectOfProject>,
  { offset, limit }: Page,
): Promise<SubmissionRow[]> {
  return query
    .selectAll()
    .orderBy('publish_at')
    .orderBy('created_at')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
}

function selectUnsent(
  { db, clock }: Pick<SubmissionContext, 'db' | 'clock'>,
  stoppedProject: StoppableProject,
) {
  return selectOfProject(db, stoppedProject)
    .where('state', 'in', UNSENT_STATES)
    .where((row) => row.or([row('publish_at', 'is', null), row('publish_at', '>', clock.now())]));
}

function selectOfProject(db: SubmissionContext['db'], { workspace, project }: StoppableProject) {
  return db.selectFrom('submission').where('workspace', '=', workspace).where('project', '=', project);
}

/** Lists the submissions of a project that the service may already have, because their outcome isn't known yet. */
export function listInFlight(
  { db }: Pick<SubmissionContext, 'db'>,
  stoppedProject: StoppableProject,
  page: Page,
): Promise<SubmissionRow[]> {
  return listPage(selectOfProject(db, stoppedProject).where('state', 'in', LOCKED_STATES), page);
}

const OVERDUE_REASONS: readonly SentReason[] = ['overdue', 'overdue-uncertain'];

/** Lists a project's stopped submissions that won't be sent afterwards, because their publishing time has passed. */
export function listMissed(
  { db, clock }: Pick<SubmissionContext, 'db' | 'clock'>,
  stoppedProject: StoppableProject,
  { since }: Pick<SendingStop, 'since'>,
  page: Page,
): Promise<SubmissionRow[]> {
  const missed = selectOfProject(db, stoppedProject)
    .where('state', 'not in', FINAL_STATES)
    .where('publish_at', '>=', since)
    .where('publish_at', '<=', clock.now())
    .where((row) => row.or([row('state', 'in', UNSENT_STATES), row('reason', 'in', OVERDUE_REASONS)]));
  return listPage(missed, page);
}
