import { sql } from 'kysely';
import type { Project } from '../api/projects.ts';
import { createDelivery } from '../engine/delivery.ts';
import { createExclusions } from '../engine/exclusions.ts';
import type { SubmissionRow } from '../submissions/sql/submissions.ts';
import { createHeldPostDefinition } from './definition.ts';
import type { HeldKind, HeldPostContext, HeldPostOptions } from './held-post-context.ts';
import type { State } from './lifecycle.ts';
import { listHeldProjects } from './listed-posts.ts';
import { takeBack, takeOutcome } from './outcome.ts';
import { HELD_POST_PACE } from './pace.ts';
import { recheckAuthority } from './recheck-authority.ts';
import type { HeldPostRow } from './sql/held-posts.ts';

/** Keeps posts until shortly before their time, and hands them over to the scheduling service. */
export interface HeldPosts {
  /** For the functions of this module: `holdPosts`, `changeHeldPost` and others. */
  readonly context: HeldPostContext;
  /** See `outcome.ts`. Submissions call it before they notify an author. */
  takeOutcome(submission: SubmissionRow): Promise<boolean>;
  /** See `outcome.ts`. Forms call it before they reopen a submission. */
  takeBack(submission: SubmissionRow): ReturnType<typeof takeBack>;
  /** See `recheck-authority.ts`. Called when roles or the connection of a workspace change. */
  recheckAuthority(workspace: string): Promise<void>;
  /** Lists the projects with held posts of a workspace, for when the service doesn't answer. */
  listProjects(workspace: string): Promise<Project[]>;
  start(): void;
  /** Stops claiming rows. Resolves when all running steps have ended. */
  stop(): Promise<void>;
  /** Computes all due times again after a change of the clock that people see. */
  handleClockChange(): Promise<void>;
  /** Runs one scan and its steps, for callers with their own timer. Resolves with the time of the next scan. */
  runOnce(): Promise<Date>;
}

export function createHeldPosts(options: HeldPostOptions): HeldPosts {
  const { clock: appClock, log, db, submissions, pace = HELD_POST_PACE } = options;
  const clock = appClock.readShared;
  const context: HeldPostContext = {
    ...options,
    now: appClock.now,
    clock,
    pace,
    get kind() {
      return findHeldKind(submissions.kinds);
    },
    get delivery() {
      return delivery;
    },
    notifying: new Map(),
    // The first scan looks for posts of earlier instances.
    binding: { nextAt: new Date(0) },
    exclusions: createExclusions(
      () => clock().getTime(),
      (id, error) => log.error({ id, err: error }, 'held post excluded from claims for five minutes'),
    ),
  };
  const delivery = createDelivery<State, never, HeldPostRow>(
    { db, clock: appClock, log, exclusions: context.exclusions },
    createHeldPostDefinition(context),
  );
  const { poll } = delivery;
  return {
    context,
    takeOutcome: (submission) => takeOutcome(context, submission),
    takeBack: (submission) => takeBack(context, submission),
    recheckAuthority: (workspace) => recheckAuthority(context, workspace),
    listProjects: (workspace) => listHeldProjects(context, workspace),
    start: poll.start,
    stop: poll.stop,
    async handleClockChange() {
      await db
        .updateTable('held_post')
        .set({ next_at: clock() })
        .where('state', 'in', ['held', 'awaiting-review'])
        .where('lease_until', 'is', null)
        .where(sql<boolean>`next_at is not null`)
        .execute();
      poll.wake(clock());
    },
    runOnce: poll.runOnce,
  };
}

/** Finds the kind of the submissions that held posts become. */
function findHeldKind(kinds: HeldPostOptions['submissions']['kinds']): HeldKind {
  for (const kind of kinds) if (kind.holding) return { ...kind, holding: kind.holding };
  throw new Error('no kind of submission can be held');
}
