import { describePost } from '../../../posts/describe-post.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import { HELD, PUBLICATION, SENDING, WAITING_FOR_STOP } from '../../../posts/state-copy.ts';
import { clipLine } from '../../../slack/blocks.ts';
import { clip } from '../../../words.ts';
import {
  addDays,
  findClockChange,
  findStartOfDay,
  isMondayToFriday,
  type LocalDate,
  renderDay,
  renderTime,
} from '../days.ts';
import { DAYS_PER_WEEK } from '../findings.ts';
import { isDraft, knowsAllPosts, type Plan, type PlannedPost } from '../plan.ts';
import { renderExcerpt, renderProjectNames, renderZone } from '../text/lines.ts';

/** The data of a week's picture and of its description. All text is plain text. */
export interface Week {
  projects: string;
  /** "Mon 23 Nov to Sun 29 Nov". */
  range: string;
  /** "Times in Berlin". */
  zoneText: string;
  /** Whether the week covers several projects. Each post then names its project. */
  hasSeveralProjects: boolean;
  days: readonly WeekDay[];
  /** Stands on a day without posts: "No posts". */
  emptyText: string;
}

export interface WeekDay {
  /** "Mon 23 Nov". */
  title: string;
  isWeekend: boolean;
  /** The clock change on that day: "02:00 → 03:00". */
  clockChange: string | undefined;
  posts: readonly WeekPost[];
  /** Number of posts that aren't in `posts`. */
  hiddenCount: number;
}

export const STATE_NAMES = {
  scheduled: HELD.delivered.name,
  editable: HELD.held.name,
  sending: SENDING.name,
  stopped: WAITING_FOR_STOP.name,
  review: HELD['awaiting-review'].name,
  undecided: HELD['needs-person'].name,
  published: PUBLICATION.published.name,
  failed: PUBLICATION.failed.name,
  overdue: PUBLICATION.late.name,
  unconfirmed: PUBLICATION.checking.name,
  draft: HELD.draft.name,
} as const;
export type PostState = keyof typeof STATE_NAMES;
export const POST_STATES = Object.keys(STATE_NAMES) as readonly PostState[];

export interface WeekPost {
  time: string;
  /** "UTC+1", if the clock shows this time twice on that day. */
  offset: string | undefined;
  platforms: readonly string[];
  project: string;
  excerpt: string;
  state: PostState;
}

const MAX_PLATFORM_LENGTH = 40;
/** Maximum rows. A day without posts takes one. Slack shows at most 360 px, where more would be too small to read. */
const MAX_ROWS = 14;

export function buildWeek(
  plan: Pick<Plan, 'projects' | 'posts' | 'isComplete' | 'unreadableCount'>,
  { date, zone, now, includesDrafts }: { date: LocalDate; now: Date; zone: string; includesDrafts: boolean },
): Week {
  const dates = Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(date, index));
  const includedPosts = plan.posts.filter((planned) => includesDrafts || !isDraft(planned));
  const postsByDay = dates.map((day) => {
    const [from, to] = [findStartOfDay(day, zone), findStartOfDay(addDays(day, 1), zone)];
    return {
      day,
      posts: includedPosts.filter(({ scheduledAt }) => scheduledAt >= from && scheduledAt < to),
    };
  });
  const maxPostsPerDay = chooseMaxPostsPerDay(postsByDay.map(({ posts }) => posts.length));
  return {
    projects: renderProjectNames(plan.projects),
    range: `${renderDay(date)} to ${renderDay(dates.at(-1) ?? date)}`,
    zoneText: renderZone({ zone }),
    hasSeveralProjects: plan.projects.length > 1,
    emptyText: knowsAllPosts(plan) ? 'No posts' : 'No readable posts',
    days: postsByDay.map(({ day, posts }) => ({
      title: renderDay(day),
      isWeekend: !isMondayToFriday(day),
      clockChange: findClockChange(day, zone),
      posts: posts.slice(0, maxPostsPerDay).map((planned) => buildWeekPost(planned, { zone, now })),
      hiddenCount: Math.max(0, posts.length - maxPostsPerDay),
    })),
  };
}

/** Chooses the largest number of posts per day with which the week fits `MAX_ROWS`. */
function chooseMaxPostsPerDay(postCounts: readonly number[]): number {
  let max = MAX_ROWS;
  const countRows = () => postCounts.reduce((sum, count) => sum + Math.max(1, Math.min(count, max)), 0);
  while (max > 1 && countRows() > MAX_ROWS) max -= 1;
  return max;
}

function buildWeekPost(planned: PlannedPost, { zone, now }: { zone: string; now: Date }): WeekPost {
  const [time = '', offset] = renderTime(planned.scheduledAt, zone).split(/ \(|\)/);
  return {
    time,
    // Shortens the offset: UTC+2, UTC+5:30.
    offset: offset?.replace(/^UTC([+-])0?(\d+)(?::00)?/, 'UTC$1$2'),
    platforms: planned.post.platforms.map((platform) =>
      clip(renderPlatformNames([platform]), MAX_PLATFORM_LENGTH),
    ),
    project: clipLine(planned.project.name),
    excerpt: renderExcerpt(planned),
    state: classifyPost(planned, now),
  };
}

/**
 * Finds the state that the picture shows for a post: the one that lists name too. The picture has no names for the
 * reasons why a post waits for somebody, or is being sent.
 */
function classifyPost(planned: PlannedPost, now: Date): PostState {
  const { post, scheduledAt: at, facts = { status: post.status, readAt: now } } = planned;
  const { name } = describePost({ at, ...facts }, { viewers: 'everyone', now });
  const state = POST_STATES.find((candidate) => STATE_NAMES[candidate] === name);
  if (state) return state;
  if (hasStatus(planned.post, 'DECISION')) return 'undecided';
  return planned.facts ? 'sending' : 'scheduled';
}
