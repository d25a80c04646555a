import { renderPlatformNames } from '../../../posts/platforms.ts';
import { clip } from '../../../slack/blocks.ts';
import { zoneName } from '../../../when/when.ts';
import {
  addDays,
  findClockChange,
  findStartOfDay,
  isWeekday,
  type LocalDate,
  renderDay,
  renderTime,
} from '../days.ts';
import { type Findings, WEEK_DAYS } from '../findings.ts';
import { getStatus, isDraft, type Plan, type PlannedPost } from '../plan.ts';
import { renderExcerpt, renderProjectName, renderProjectNames } from '../text/lines.ts';

/** The data of a week's picture and of its description. All text is plain text. */
export interface Week {
  projects: string;
  firstDay: string;
  lastDay: string;
  zone: string;
  /** Whether the week covers several projects. Each post then names its project. */
  hasSeveralProjects: boolean;
  days: readonly WeekDay[];
}

export interface WeekDay {
  title: string;
  isWeekend: boolean;
  /** The clock change on that day: "02:00 → 03:00". */
  clockChange: string | undefined;
  /** The first `MAX_POSTS_PER_DAY` posts. */
  posts: readonly WeekPost[];
  /** Number of all posts. */
  count: number;
}

export const POST_STATES = ['scheduled', 'published', 'late', 'draft'] as const;
type PostState = (typeof POST_STATES)[number];

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
/** Maximum number of listed posts of a day. Further posts are only counted. */
export const MAX_POSTS_PER_DAY = 10;

/** Builds the week that starts at `date`. */
export function buildWeek(
  plan: Plan,
  findings: Findings,
  { date, zone, includesDrafts }: { date: LocalDate; zone: string; includesDrafts: boolean },
): Week {
  const dates = Array.from({ length: WEEK_DAYS }, (_, index) => addDays(date, index));
  const latePosts = new Set(findings.late);
  const shownPosts = plan.posts.filter((planned) => includesDrafts || !isDraft(planned));
  return {
    projects: renderProjectNames(plan.projects),
    firstDay: renderDay(date),
    lastDay: renderDay(dates.at(-1) ?? date),
    zone: zoneName(zone),
    hasSeveralProjects: plan.projects.length > 1,
    days: dates.map((day) => {
      const [from, to] = [findStartOfDay(day, zone), findStartOfDay(addDays(day, 1), zone)];
      const posts = shownPosts.filter(({ scheduledAt }) => scheduledAt >= from && scheduledAt < to);
      return {
        title: renderDay(day),
        isWeekend: !isWeekday(day),
        clockChange: findClockChange(day, zone),
        posts: posts
          .slice(0, MAX_POSTS_PER_DAY)
          .map((planned) => buildWeekPost(planned, { zone, isLate: latePosts.has(planned) })),
        count: posts.length,
      };
    }),
  };
}

function buildWeekPost(planned: PlannedPost, { zone, isLate }: { zone: string; isLate: boolean }): WeekPost {
  const [time = '', offset] = renderTime(planned.scheduledAt, zone).split(/ \(|\)/);
  return {
    time,
    // Shortens the offset: UTC+2, UTC+5:30.
    offset: offset?.replace(/^UTC([+-])0?(\d+)(?::00)?/, 'UTC$1$2'),
    platforms: planned.post.platforms.map((platform) =>
      clip(renderPlatformNames([platform]), MAX_PLATFORM_LENGTH),
    ),
    project: renderProjectName(planned.project),
    excerpt: renderExcerpt(planned),
    state: classifyPost(planned, isLate),
  };
}

function classifyPost(planned: PlannedPost, isLate: boolean): PostState {
  if (isLate) return 'late';
  if (isDraft(planned)) return 'draft';
  return getStatus(planned) === 'PUBLISHED' ? 'published' : 'scheduled';
}
