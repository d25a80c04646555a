import { sql } from 'kysely';
import { z } from 'zod';
import type { Definition } from '../engine/definition.ts';
import { getStep } from '../engine/lifecycle.ts';
import type { HeldState } from '../posts/state-copy.ts';
import { continueAfterStart, continueAtService } from './bulk.ts';
import { handOver } from './hand-over/hand-over.ts';
import { checkOutcome } from './hand-over/outcome.ts';
import { type ClaimableState, HELD_POST_STORAGE, type HeldPostRow, PLANNED_STATES } from './held-post.ts';
import { type HeldPostContext, type HeldPostOptions, readHeldPost } from './held-post-context.ts';
import { notifyOfSeries, notifyPeople } from './notices/send-notices.ts';
import { HELD_POST_PACE } from './pace.ts';
import { recheckAuthority } from './policy-change.ts';
import { remindReviewers } from './review/notify-reviewers.ts';
import { makeSeriesDue } from './series/change-series.ts';
import { makeOccurrences } from './series/make-occurrences.ts';
import { readSeriesContent } from './series/occurrences.ts';
import { SERIES_STORAGE, type SeriesRow, type SeriesState } from './series/series.ts';

/** Keeps posts until shortly before their time, and hands them over to the scheduling service. */
export interface HeldPosts extends HeldPostContext {
  /** See `recheckAuthority`. Called when roles, user groups or the connection of a workspace change. */
  recheckAuthority(workspace: string, afterMs?: number): Promise<void>;
  /** See `continueAtService`. */
  continueAtService(press: Parameters<typeof continueAtService>[1]): ReturnType<typeof continueAtService>;
  /** Computes all due times again after a change of the clock that people see. */
  handleClockChange(): Promise<void>;
}

export function createHeldPosts(options: HeldPostOptions): HeldPosts {
  const { engine, pace = HELD_POST_PACE, ...dependencies } = options;
  const { db, clock } = dependencies;
  const context: HeldPosts = {
    ...dependencies,
    pace,
    get verbs() {
      return verbs;
    },
    get seriesVerbs() {
      return seriesVerbs;
    },
    startup: { isDue: true },
    async recheckAuthority(workspace, afterMs) {
      await makeSeriesDue(context, { workspace, ...(afterMs !== undefined && { afterMs }) });
      await recheckAuthority(context, workspace, afterMs);
    },
    continueAtService: (press) => continueAtService(context, press),
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
  const verbs = engine.register(defineHeldPosts(context));
  const seriesVerbs = engine.register(defineSeries(context));
  return context;
}

/** Defines how held posts are handed over, and whom they tell. An endpoint is a workspace. */
function defineHeldPosts(context: HeldPostContext): Definition<HeldState, never, HeldPostRow> {
  const { pace } = context;
  return {
    storage: HELD_POST_STORAGE,
    // Nothing is sent under a lease: the submission has its own.
    ms: { retention: pace.retentionMs, lease: pace.leaseMs, scanInterval: pace.scanIntervalMs },
    beforeScan: () => continueAfterStart(context),
    load: async () => (row) => getStep(STEPS, row.state)(context, row),
    notifying: {
      groupColumn: 'author',
      // Each change of another state has messages of its own.
      splitBy: ({ id, state, project, reason }) =>
        SHARED_STATES.includes(state) ? `${project} ${reason}` : id,
      getGroupMs: (state) => (SHARED_STATES.some((each) => each === state) ? pace.groupMs : 0),
      leaseMs: pace.notifyLeaseMs,
      notify: (rows, attempt) => notifyPeople(context, rows, attempt),
    },
  };
}

/** The states of which people are told together, if many posts of an author enter them. */
const SHARED_STATES: readonly HeldState[] = ['needs-person', 'awaiting-review'];

type Step = (context: HeldPostContext, row: HeldPostRow) => Promise<void>;

const STEPS: Readonly<Record<ClaimableState, Step>> = {
  held: handOver,
  'awaiting-review': remindReviewers,
  'handed-over': checkOutcome,
};

function defineSeries(context: HeldPostContext): Definition<SeriesState, never, SeriesRow> {
  const { pace } = context;
  return {
    storage: SERIES_STORAGE,
    ms: { retention: pace.retentionMs, lease: pace.leaseMs, scanInterval: pace.scanIntervalMs },
    load: async () => (row) => makeOccurrences(context, row),
    notifying: {
      groupColumn: 'id',
      leaseMs: pace.notifyLeaseMs,
      notify: ([row], attempt) => notifyOfSeries(context, row, attempt),
    },
  };
}

/** Posts that are read at once. */
const MEDIA_PAGE = 500;

/**
 * Lists the media of the posts that Upnext keeps or has delivered since then, with their publishing times. A medium
 * that several posts use has the latest. `undefined`: a post that has no time or is kept after it, because somebody may
 * give it a new one, or a series, which may make posts at any time. 'unknown': one of them can't be read.
 */
export async function listHeldMedia(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined> | 'unknown'> {
  const times = await listMediaOfPosts(context, workspace, since);
  if (times === 'unknown') return times;
  const series = await context.db
    .selectFrom('series')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('state', 'in', ['running', 'paused', 'cancelled'])
    .execute();
  // The content before its last edit can be brought back.
  for (const row of series)
    for (const stored of [row.content, row.previous]) {
      if (stored === null) continue;
      const contents = readSeriesContent(context, { ...row, content: stored })?.contents;
      const posts = z.array(context.kind.content).safeParse(contents);
      if (!posts.success) return 'unknown';
      for (const post of posts.data) {
        const { media } = context.kind.post.toPost(post);
        if (media !== undefined) times.set(media, undefined);
      }
    }
  return times;
}

async function listMediaOfPosts(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined> | 'unknown'> {
  const times = new Map<string, Date | undefined>();
  for (let after = ''; ; ) {
    const rows = await context.db
      .selectFrom('held_post')
      .select(['id', 'workspace', 'content', 'publish_at'])
      .where('workspace', '=', workspace)
      .where((post) =>
        post.or([post('state', 'in', [...PLANNED_STATES, 'cancelled']), post('publish_at', '>', since)]),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(MEDIA_PAGE)
      .execute();
    for (const row of rows) {
      const post = readHeldPost(context, row);
      if (!post && row.content !== null) return 'unknown';
      const media = post?.media;
      if (media === undefined) continue;
      const known = times.get(media);
      const time = row.publish_at && row.publish_at > since ? row.publish_at : undefined;
      if (!times.has(media) || (known && (!time || time > known))) times.set(media, time);
    }
    const last = rows.at(-1);
    if (!last || rows.length < MEDIA_PAGE) return times;
    after = last.id;
  }
}
