import type { WebClient } from '@slack/web-api';
import { type Kysely, sql } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import { addMs, type Clock } from '../engine/clock.ts';
import type { Definition } from '../engine/definition.ts';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import type { Group } from '../engine/notifier.ts';
import type { Verbs } from '../engine/verbs.ts';
import { OVERDUE_AFTER_MS } from '../posts/describe-post.ts';
import { joinPosts } from '../posts/merge-plan.ts';
import { listChosenNotifications } from '../preferences/notifications.ts';
import type { Log } from '../slack/log.ts';
import { notifyOnce, waitForAccess } from '../slack/notify-once.ts';
import { readContent } from '../submissions/content.ts';
import { createReaders } from '../submissions/shown.ts';
import { findRowsById } from '../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { Submissions } from '../submissions/submissions.ts';
import {
  checkPublication,
  createLogReader,
  createSlotReader,
  type Finding,
  type ReadSlot,
  readFailureReason,
} from './check-publication.ts';
import {
  AWAITS_PUBLICATION,
  PUBLICATIONS,
  type PublicationRow,
  type PublicationTables,
  REPORTED_STATES,
  type ReportedState,
  type State,
} from './publication.ts';
import { type ReportedPost, renderPublicationMessage } from './publication-messages.ts';

/** Durations and waits, ms. Tests pass shorter waits. */
export const PUBLICATION_PACE = {
  scanInterval: 15_000,
  /** A service needs a moment to publish. */
  firstCheck: 2 * MINUTE_MS,
  /** Waits between checks. The last wait repeats. */
  checkWaits: [15_000, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS] as readonly number[],
  /** A post that the service still lists as scheduled is late. */
  late: OVERDUE_AFTER_MS,
  giveUp: 4 * HOUR_MS,
  /** Nobody is notified of older posts, for example after Upnext was stopped for long. */
  maxAge: 7 * DAY_MS,
  /** Outcomes within the same period share one message to their author. */
  group: 5_000,
  retention: 30 * DAY_MS,
};
export type PublicationPace = typeof PUBLICATION_PACE;

/**
 * Maximum number of publications that one statement creates. A statement should take less than 20 ms: with 1.2 million
 * submissions, 64 take up to 13 ms of CPU time and 500 up to 117.
 */
export const MAX_CREATED_ROWS = 64;

export interface PublicationOptions {
  db: Kysely<PublicationTables>;
  submissions: Submissions;
  clock: Clock;
  pace?: PublicationPace;
  log: Log;
  /** Finds the client of the project's scheduling service. Undefined if the workspace isn't connected to one. */
  findApiClient(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Lists people who manage a project, for when an author can't be reached. Undefined if that couldn't be found out. */
  findManagers(workspace: string, project: string): Promise<readonly string[] | undefined>;
  /** Updates the messages that show a post, because of what became of it. Throws on temporary failures of Slack. */
  showOutcome(client: WebClient, submission: SubmissionRow): Promise<void>;
  onCrashPoint?(point: 'before-message' | 'after-message'): void | Promise<void>;
}
type Context = PublicationOptions & { pace: PublicationPace };

/** Finds out whether scheduled posts were published, and notifies their authors. An endpoint is a service. */
export function definePublications(options: PublicationOptions): Definition<State, never, PublicationRow> {
  const { db, clock, pace = PUBLICATION_PACE } = options;
  const context = { ...options, pace };
  return {
    storage: PUBLICATIONS,
    ms: { scanInterval: pace.scanInterval, retention: pace.retention },
    limits: { batch: 32 },
    creation: {
      nextAt: () => sql`(select min(publish_at) + make_interval(secs => ${pace.firstCheck / 1_000})
        from submission where ${AWAITS_PUBLICATION})`,
      create: () => createDuePublications(context),
    },
    /** Posts of the same project and time are read together. */
    async load(rows, verbs) {
      const submissions = await loadSubmissions(db, rows);
      const readSlot = createSlotReader();
      return (row) => runStep(context, verbs, row, submissions.get(row.id), readSlot);
    },
    notifying: {
      groupColumn: 'author',
      getGroupMs: () => pace.group,
      maxInProgress: 8,
      async notify(rows, attempt) {
        const [{ workspace, author: user, state }] = rows;
        if (state === 'checking' || state === 'dropped') return 'notified';
        // After a while without an instance, a check is due too, and may find that it went out meanwhile.
        const now = clock.readShared();
        const isBeingChecked = rows.some(
          ({ next_at: nextAt, lease_until: leaseUntil }) =>
            leaseUntil !== null || (nextAt !== null && nextAt <= now),
        );
        if (state === 'late' && isBeingChecked) return { waitMs: MINUTE_MS };
        const chosen = await listChosenNotifications(db, { workspace, user });
        const isChosen = chosen.includes(state === 'published' ? 'published' : 'problems');
        // Messages that called a post scheduled may stay, but not those that called it late.
        const isAsShown = state === 'published' && rows.every(({ checks }) => checks === 0);
        if (!isChosen && isAsShown) return 'notified';
        const client = await options.findSlackClient(workspace);
        if (!client || client === 'unknown') return waitForAccess(client);
        if (!isAsShown) await showOutcomes(context, client, rows);
        if (!isChosen) return 'notified';
        const render = async (untold: readonly PublicationRow[]) => {
          const posts = await readReportedPosts(context, untold);
          const shown = state === 'failed' ? await addReasons(context, posts) : posts;
          // Each part that didn't go out has a button of its own.
          const joined = state === 'published' ? joinPosts(shown, ({ whole }) => whole) : shown;
          return renderPublicationMessage(state, joined, clock.now());
        };
        const mayRead = createReaderLookup(context, client, rows);
        return notifyOnce({ client, log: options.log }, attempt, {
          ...{ to: user, rows, mayRead, render, onCrashPoint: options.onCrashPoint },
          renderHidden: () => HIDDEN_MESSAGE,
          ...(state !== 'published' && { listStandIns: () => listManagersOf(context, rows) }),
        });
      },
    },
  };
}

/** Finds what became of a submission's post. Undefined while Upnext still looks, or is about to. */
export async function findPublication(
  db: Kysely<PublicationTables>,
  { id, awaits_publication: isAhead }: Pick<SubmissionRow, 'id' | 'awaits_publication'>,
): Promise<ReportedState | undefined> {
  const row = await db
    .selectFrom('publication')
    .select(['state', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row ? row.state === 'checking' : isAhead) return undefined;
  // Nobody looks any more, for example after a backup was restored.
  return REPORTED_STATES.find((state) => state === row?.state || state === row?.reason) ?? 'unclear';
}

/** What an author reads who may not read of a post any more, which others may have edited since. */
const HIDDEN_MESSAGE = {
  text: 'A post that you wrote has reached its time. I can’t show you what became of it, because you no longer have a role in its project.',
};

/** Creates the function that finds out whether a person may read of all these posts now. */
function createReaderLookup(
  { db, submissions }: Context,
  client: WebClient,
  rows: Group<PublicationRow>,
): (user: string) => Promise<boolean> {
  const readers = createReaders(submissions.context, client, rows[0]);
  return async (user) => {
    for (const { project } of (await loadSubmissions(db, rows)).values())
      if (!(await readers.mayRead({ channel: user }, project ?? undefined))) return false;
    return true;
  };
}

async function showOutcomes(
  { db, showOutcome }: Context,
  client: WebClient,
  rows: readonly PublicationRow[],
): Promise<void> {
  for (const submission of (await loadSubmissions(db, rows)).values()) await showOutcome(client, submission);
}

/** Adds why posts of one person have failed. The row doesn't store it, because it is about the post's content. */
async function addReasons(
  { db, submissions, findApiClient }: Context,
  posts: readonly ReportedPost[],
): Promise<ReportedPost[]> {
  const reads = { readSlotPosts: createSlotReader(), readLog: createLogReader() };
  const rows = await loadSubmissions(db, posts);
  return Promise.all(
    posts.map(async (post) => {
      const row = rows.get(post.id);
      if (!row?.project || !row.publish_at) return post;
      const { workspace, project, publish_at } = row;
      const api = await findApiClient(workspace, project);
      const scheduled = { ...row, project, publish_at };
      return { ...post, reason: api && (await readFailureReason(submissions, api, scheduled, reads)) };
    }),
  );
}

/** Lists the people who manage the projects of all these posts, so that nobody reads of a project of others. */
async function listManagersOf(
  { db, findManagers }: Context,
  rows: readonly PublicationRow[],
): Promise<readonly string[] | undefined> {
  const submissions = [...(await loadSubmissions(db, rows)).values()];
  const projects = new Set(submissions.flatMap(({ project }) => project ?? []));
  const lists = await Promise.all(
    [...projects].map((project) => findManagers(rows[0]?.workspace ?? '', project)),
  );
  if (lists.includes(undefined)) return undefined;
  const [first = [], ...others] = lists;
  return first.filter((user) => others.every((list) => list?.includes(user)));
}

/**
 * Creates the publications of posts whose first check is due. Posts from more than `maxAge` ago get none. A post that
 * Upnext kept may be sent with the role of an approver, but it is its author who is notified.
 */
async function createDuePublications({ db, clock, pace }: Context): Promise<void> {
  const at = clock.readShared();
  const entry = { ...buildEntryColumns(PUBLICATIONS.lifecycle, 'checking', at), retrying_since: at };
  const names = sql.join(Object.keys(entry).map((name) => sql.ref(name)));
  // Postgres doesn't infer the types of parameters in a `select`.
  const values = sql.join(
    Object.values(entry).map((value) =>
      typeof value === 'string' ? sql`${value}::text` : sql`${value}::timestamptz`,
    ),
  );
  for (let hasMore = true; hasMore; ) {
    const { rows } = await sql<{ count: number }>`
      with due as (
        select id from submission where ${AWAITS_PUBLICATION} and publish_at <= ${addMs(clock.now(), -pace.firstCheck)}
        order by publish_at limit ${MAX_CREATED_ROWS} for update skip locked
      ), taken as (
        update submission set awaits_publication = false where id in (select id from due)
        returning id, workspace, endpoint, origin, author, publish_at
      ), created as (
        insert into publication (id, workspace, endpoint, author, ${names})
        select id, workspace, endpoint, coalesce((
          select held_post.author from held_post
          where held_post.id = taken.origin and held_post.workspace = taken.workspace
        ), author), ${values} from taken
        where publish_at > ${addMs(clock.now(), -pace.maxAge)} on conflict do nothing
      )
      select count(*)::int as count from taken`.execute(db);
    hasMore = rows[0]?.count === MAX_CREATED_ROWS;
  }
}

/** Checks a post once. Settles its row, or waits for the next check. */
async function runStep(
  context: Context,
  { settle, wait }: Verbs<State, never, PublicationRow>,
  row: PublicationRow,
  submission: SubmissionRow | undefined,
  readSlot: ReadSlot,
): Promise<unknown> {
  const { clock, pace } = context;
  const { project, publish_at } = submission ?? {};
  if (!submission || !project || !publish_at) return settle(row, 'dropped');
  const finding = await findOut(context, { ...submission, project, publish_at }, readSlot);
  if (finding === 'published' || finding === 'failed') return settle(row, finding);
  const sharedNow = clock.readShared();
  const giveUpAt = addMs(row.retrying_since ?? sharedNow, pace.giveUp);
  const isLate = row.state === 'late';
  if (sharedNow >= giveUpAt)
    return isLate ? settle(row, 'dropped', { reason: 'late' }) : settle(row, 'unclear');
  const checkAt = addMs(sharedNow, pace.checkWaits[Math.min(row.checks, pace.checkWaits.length - 1)] ?? 0);
  const change = { checks: row.checks + 1, next_at: checkAt < giveUpAt ? checkAt : giveUpAt };
  // Not at the first check: right after a change of the practice clock the service may not know the new time yet.
  const becomesLate = row.checks > 0 && clock.now() >= addMs(publish_at, pace.late);
  return finding === 'scheduled' && !isLate && becomesLate ? settle(row, 'late', change) : wait(row, change);
}

async function findOut(
  { findApiClient, submissions }: Context,
  post: Parameters<typeof checkPublication>[2],
  readSlot: ReadSlot,
): Promise<Finding> {
  const api = await findApiClient(post.workspace, post.project);
  // The workspace may have connected another service, which doesn't know the post.
  if (!api) return 'unclear';
  return checkPublication(submissions, api, post, readSlot);
}

async function loadSubmissions(db: Kysely<PublicationTables>, rows: readonly Pick<SubmissionRow, 'id'>[]) {
  const submissions = await findRowsById(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(submissions.map((submission) => [submission.id, submission]));
}

/** Reads the posts from their submissions, in the order of their publishing times. */
async function readReportedPosts(
  { db, submissions: { context } }: Context,
  rows: readonly PublicationRow[],
): Promise<ReportedPost[]> {
  const submissions = await loadSubmissions(db, rows);
  return [...submissions.values()]
    .flatMap((submission) => {
      const { id, publish_at: publishAt } = submission;
      const kind = context.findKind(submission.kind);
      const read = readContent(context, kind, submission);
      const content = read && {
        project: kind?.getProject(read.content)?.name,
        post: kind?.post?.toPost(read.content),
      };
      if (publishAt === null) return [];
      // The parts of a held post have its id as their origin, and its time.
      return [{ id, publishAt, whole: `${submission.origin} ${publishAt.getTime()}`, ...content }];
    })
    .toSorted((first, second) => first.publishAt.getTime() - second.publishAt.getTime());
}
