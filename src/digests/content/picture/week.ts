import { renderPlatformNames } from '../../../posts/platforms.ts';
import { clip } from '../../../slack/escape.ts';
import { zoneName } from '../../../when/when.ts';
import { clockChange, dateAfter, dayText, isWeekday, type LocalDate, startOf, timeText } from '../days.ts';
import { type Findings, WEEK_DAYS } from '../findings.ts';
import { isDraft, type Plan, type PlannedPost, statusOf } from '../plan.ts';
import { postExcerpt, projectName, projectNames } from '../text/lines.ts';

/** The data of a week's picture and its description. All texts are plain. */
export interface Week {
  projects: string;
  from: string;
  to: string;
  zone: string;
  /** Several projects, so that each post names its own. */
  isMixed: boolean;
  days: readonly WeekDay[];
}

export interface WeekDay {
  title: string;
  isWeekend: boolean;
  /** The clock change on that day: "02:00 → 03:00". */
  change: string | undefined;
  /** The first MAX_POSTS_PER_DAY. */
  posts: readonly WeekPost[];
  count: number;
}

export const STATES = ['scheduled', 'published', 'late', 'draft'] as const;
type State = (typeof STATES)[number];

export interface WeekPost {
  time: string;
  /** "UTC+1", if the clock shows this time twice on that day. */
  offset: string | undefined;
  platforms: readonly string[];
  project: string;
  excerpt: string;
  state: State;
}

const MAX_PLATFORM_LENGTH = 40;
/** Posts shown per day; the rest is counted. */
export const MAX_POSTS_PER_DAY = 10;

/** Builds the week that starts at `date`. `drafts`: whether drafts with a date are included. */
export function buildWeek(
  plan: Plan,
  findings: Findings,
  { date, zone, drafts }: { date: LocalDate; zone: string; drafts: boolean },
): Week {
  const dates = Array.from({ length: WEEK_DAYS }, (_, ahead) => dateAfter(date, ahead));
  const late = new Set(findings.late);
  const shown = plan.posts.filter((planned) => drafts || !isDraft(planned));
  return {
    projects: projectNames(plan.projects),
    from: dayText(date),
    to: dayText(dates.at(-1) ?? date),
    zone: zoneName(zone),
    isMixed: plan.projects.length > 1,
    days: dates.map((day) => {
      const [from, to] = [startOf(day, zone), startOf(dateAfter(day, 1), zone)];
      const posts = shown.filter(({ at }) => at >= from && at < to);
      return {
        title: dayText(day),
        isWeekend: !isWeekday(day),
        change: clockChange(day, zone),
        posts: posts.slice(0, MAX_POSTS_PER_DAY).map((one) => weekPost(one, { zone, isLate: late.has(one) })),
        count: posts.length,
      };
    }),
  };
}

function weekPost(planned: PlannedPost, { zone, isLate }: { zone: string; isLate: boolean }): WeekPost {
  const [time = '', offset] = timeText(planned.at, zone).split(/ \(|\)/);
  return {
    time,
    // Shortened: UTC+2, UTC+5:30.
    offset: offset?.replace(/^UTC([+-])0?(\d+)(?::00)?/, 'UTC$1$2'),
    platforms: planned.post.platforms.map((platform) =>
      clip(renderPlatformNames([platform]), MAX_PLATFORM_LENGTH),
    ),
    project: projectName(planned.project),
    excerpt: postExcerpt(planned),
    state: stateOf(planned, isLate),
  };
}

function stateOf(planned: PlannedPost, isLate: boolean): State {
  if (isLate) return 'late';
  if (isDraft(planned)) return 'draft';
  return statusOf(planned) === 'PUBLISHED' ? 'published' : 'scheduled';
}
