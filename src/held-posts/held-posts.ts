import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import type { Project } from '../api/projects.ts';
import type { Definition } from '../engine/definition.ts';
import { getStep } from '../engine/lifecycle.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { handOver } from './hand-over.ts';
import { HELD_POST_STORAGE, type HeldPostRow, type State } from './held-post.ts';
import type { HeldKind, HeldPostContext, HeldPostOptions } from './held-post-context.ts';
import { listHeldProjects } from './listed-posts.ts';
import { notifyPeople } from './notify-people.ts';
import { checkOutcome, takeBack, takeForReview, takeOutcome } from './outcome.ts';
import { HELD_POST_PACE } from './pace.ts';
import { recheckAuthority } from './policy-change.ts';
import { remindReviewers } from './review/notify-reviewers.ts';
import { makeSeriesDue } from './series/change-series.ts';
import { defineSeries } from './series/define-series.ts';
import { bindToService } from './service-binding.ts';
import { updateHeldPostMessages } from './show.ts';
import { findHeldPost } from './sql/held-posts.ts';

/** Keeps posts until shortly before their time, and hands them over to the scheduling service. */
export interface HeldPosts {
  /** For the functions of this module: `holdPosts`, `changeHeldPost` and others. */
  readonly context: HeldPostContext;
  /** See `outcome.ts`. Submissions call it before they notify an author. */
  takeOutcome(submission: SubmissionRow): ReturnType<typeof takeOutcome>;
  /** Updates the messages about a post whose submission failed at its time. Throws on temporary failures of Slack. */
  showOutcome(client: WebClient, submission: SubmissionRow): Promise<void>;
  /** See `outcome.ts`. Submissions call it before they are sent again. */
  takeForReview(submission: SubmissionRow): ReturnType<typeof takeForReview>;
  /** See `outcome.ts`. Forms call it before they reopen a submission. */
  takeBack(submission: SubmissionRow): ReturnType<typeof takeBack>;
  /** See `recheckAuthority`. Called when roles, user groups or the connection of a workspace change. */
  recheckAuthority(workspace: string, afterMs?: number): Promise<void>;
  /** Lists the projects with held posts of a workspace, for when the service doesn't answer. */
  listProjects(workspace: string): Promise<Project[]>;
  /** Computes all due times again after a change of the clock that people see. */
  handleClockChange(): Promise<void>;
}

export function createHeldPosts(options: HeldPostOptions): HeldPosts {
  const { engine, db, clock, submissions, pace = HELD_POST_PACE, ...dependencies } = options;
  const context: HeldPostContext = {
    ...dependencies,
    db,
    submissions,
    clock,
    pace,
    get kind() {
      return findHeldKind(submissions.kinds);
    },
    get verbs() {
      return verbs;
    },
    get seriesVerbs() {
      return seriesVerbs;
    },
    // The first scan looks for posts of earlier instances.
    binding: { nextAt: new Date(0) },
  };
  const verbs = engine.register(defineHeldPosts(context));
  const seriesVerbs = engine.register(defineSeries(context));
  return {
    context,
    takeOutcome: (submission) => takeOutcome(context, submission),
    async showOutcome(client, { id, origin, workspace }) {
      const row = await findHeldPost(db, { id: origin, workspace });
      if (row && (row.submission === id || row.sent_to !== null))
        await updateHeldPostMessages(context, client, row);
    },
    takeForReview: (submission) => takeForReview(context, submission),
    takeBack: (submission) => takeBack(context, submission),
    async recheckAuthority(workspace, afterMs) {
      await makeSeriesDue(context, { workspace, ...(afterMs !== undefined && { afterMs }) });
      await recheckAuthority(context, workspace, afterMs);
    },
    listProjects: (workspace) => listHeldProjects(context, workspace),
    async handleClockChange() {
      await db
        .updateTable('held_post')
        .set({ next_at: clock.readShared() })
        .where('state', 'in', ['held', 'awaiting-review'])
        .where('lease_until', 'is', null)
        .where(sql<boolean>`next_at is not null`)
        .execute();
      verbs.wake();
      await makeSeriesDue(context);
    },
  };
}

/** Finds the kind of the submissions that held posts become. */
function findHeldKind(kinds: HeldPostOptions['submissions']['kinds']): HeldKind {
  for (const kind of kinds) if (kind.holding) return { ...kind, holding: kind.holding };
  throw new Error('no kind of submission can be held');
}

/** Defines how held posts are handed over, and whom they tell. An endpoint is a scheduling service. */
function defineHeldPosts(context: HeldPostContext): Definition<State, never, HeldPostRow> {
  const { pace } = context;
  return {
    storage: HELD_POST_STORAGE,
    // Nothing is sent under a lease: the submission has its own.
    ms: { retention: pace.retentionMs, lease: pace.leaseMs, scanInterval: pace.scanIntervalMs },
    beforeScan: () => bindToService(context),
    load: async () => (row) => getStep(STEPS, row.state)(context, row),
    notifying: {
      groupColumn: 'id',
      leaseMs: pace.notifyLeaseMs,
      notify: ([row], attempt) => notifyPeople(context, row, attempt),
    },
  };
}

type Step = (context: HeldPostContext, row: HeldPostRow) => Promise<void>;

const STEPS: Partial<Record<State, Step>> = {
  held: handOver,
  'awaiting-review': remindReviewers,
  'handed-over': checkOutcome,
};
