import { sql } from 'kysely';
import type { Definition } from '../engine/definition.ts';
import { getStep } from '../engine/lifecycle.ts';
import type { Attempt, NotifyResult } from '../engine/notifier.ts';
import { tellOnce, waitForAccess } from '../slack/tell-once.ts';
import { handOver } from './hand-over.ts';
import { HELD_POST_STORAGE, type HeldPostRow, PLANNED_STATES, type State } from './held-post.ts';
import {
  bindToService,
  type HeldKind,
  type HeldPostContext,
  type HeldPostOptions,
  readHeldPost,
} from './held-post-context.ts';
import { listManagers, notifyPeople } from './notify-people.ts';
import { checkOutcome } from './outcome.ts';
import { HELD_POST_PACE } from './pace.ts';
import { recheckAuthority } from './policy-change.ts';
import { remindReviewers } from './review/notify-reviewers.ts';
import { makeSeriesDue } from './series/change-series.ts';
import { makeOccurrences } from './series/make-occurrences.ts';
import { readSeriesContent } from './series/occurrences.ts';
import { SERIES_STORAGE, type SeriesRow, type SeriesState } from './series/series.ts';
import { renderSeriesCard } from './series/series-card.ts';

/** Keeps posts until shortly before their time, and hands them over to the scheduling service. */
export interface HeldPosts {
  /** For the functions of this module: `holdPosts`, `changeHeldPost` and others. */
  readonly context: HeldPostContext;
  /** See `recheckAuthority`. Called when roles, user groups or the connection of a workspace change. */
  recheckAuthority(workspace: string, afterMs?: number): Promise<void>;
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
    async recheckAuthority(workspace, afterMs) {
      await makeSeriesDue(context, { workspace, ...(afterMs !== undefined && { afterMs }) });
      await recheckAuthority(context, workspace, afterMs);
    },
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
  for (const kind of kinds) {
    const { holding, toPost } = kind;
    if (holding && toPost) return { ...kind, holding, toPost };
  }
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

/** Defines how the posts of series are made, and whom they tell. */
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

/**
 * Tells the author of a series what others, or Upnext, did with it. If the author may no longer schedule posts, the
 * project's managers are asked. Nobody is told of their own press.
 */
async function notifyOfSeries(
  context: HeldPostContext,
  row: SeriesRow,
  attempt: Attempt,
): Promise<NotifyResult> {
  const note = findNote(row);
  if (note === undefined) return 'told';
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const managers = await listManagers(context, row);
  if (!managers && row.reason === 'not-allowed') return 'later';
  const people =
    row.reason === 'not-allowed' ? [...new Set([...(managers ?? []), row.author])] : [row.author];
  const card = await renderSeriesCard(context, row, { now: context.clock.now() }, { note });
  let result: NotifyResult = 'told';
  for (const to of people) {
    const told = await tellOnce({ client, log: context.log }, attempt, {
      ...{ to, rows: [row], onCrashPoint: context.pace.onCrashPoint },
      getSubject: () => `${row.reason ?? ''} ${row.missed ?? ''} ${row.missing_at === null} ${to}`,
      render: () => card,
      ...(people.length === 1 && { listStandIns: async () => managers }),
    }).catch((error: unknown) => {
      // The others are told all the same.
      if (people.length === 1) throw error;
      context.log.warn({ id: row.id, err: error }, 'could not notify somebody of a series');
    });
    if (told === 'later') result = 'later';
  }
  return result;
}

/** What the author reads above the card; mrkdwn. Undefined if they did it themselves. */
function findNote(row: SeriesRow): string | undefined {
  const { state, reason, changed_by: actor, author } = row;
  if (reason === 'missed')
    return `A series missed dates${row.missing_at === null ? '.' : ', and will run out of texts.'}`;
  if (state === 'running') return reason === 'no-text' ? 'A series will run out of texts.' : undefined;
  if (state === 'paused' && reason !== null) return 'I paused a series.';
  if (actor === author) return undefined;
  if (state === 'paused') return `<@${actor}> paused your series.`;
  return state === 'cancelled' ? `<@${actor}> cancelled your series.` : undefined;
}

/** Posts that are read at once. */
const MEDIA_PAGE = 500;

/**
 * Lists the media of the posts that Upnext keeps or has delivered since then, with their publishing times. A medium that
 * several posts use has the latest. `undefined`: a post without a time, or a series, which may make posts at any time.
 */
export async function listHeldMedia(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined>> {
  const times = await listMediaOfPosts(context, workspace, since);
  const series = await context.db
    .selectFrom('series')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('state', 'in', ['running', 'paused', 'cancelled'])
    .execute();
  // The content before its last edit can be brought back.
  for (const row of series)
    for (const stored of [row.content, row.previous])
      for (const content of readSeriesContent(context, { ...row, content: stored })?.contents ?? []) {
        const { media } = context.kind.toPost(context.kind.content.parse(content));
        if (media !== undefined) times.set(media, undefined);
      }
  return times;
}

async function listMediaOfPosts(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined>> {
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
      const media = readHeldPost(context, row)?.media;
      if (media === undefined) continue;
      const known = times.get(media);
      if (!times.has(media) || (known && (!row.publish_at || row.publish_at > known)))
        times.set(media, row.publish_at ?? undefined);
    }
    const last = rows.at(-1);
    if (!last || rows.length < MEDIA_PAGE) return times;
    after = last.id;
  }
}
