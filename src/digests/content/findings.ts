import type { Project } from '../../api/projects.ts';
import type { Digest } from '../digest.ts';
import { dateAfter, dateIn, isWeekday, type LocalDate, startOf } from './days.ts';
import { isDraft, isUpcoming, type Plan, type PlannedPost, statusOf } from './plan.ts';

/** The facts of a plan that a digest reports. */
export interface Findings {
  next: PlannedPost | undefined;
  /** Posts of today (published ones too) and the next 36 hours; in a weekly digest, of seven days. Without drafts. */
  ahead: readonly PlannedPost[];
  /** The end of `ahead`. */
  until: Date;
  late: readonly PlannedPost[];
  collisions: readonly Collision[];
  gaps: readonly { project: Project; dates: readonly LocalDate[] }[];
  drafts: readonly PlannedPost[];
}

/** Two posts of one project on one platform, less than CLOSE_MS apart. */
export interface Collision {
  platform: string;
  first: PlannedPost;
  second: PlannedPost;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const AHEAD_MS = 36 * HOUR_MS;
/** How long after its moment a post that isn't published counts as late. */
const LATE_MS = 15 * MINUTE_MS;
const CLOSE_MS = 30 * MINUTE_MS;
/** How far ahead drafts are reported. */
const DRAFT_MS = 3 * DAY_MS;
const GAP_DAYS = 5;
export const WEEK_DAYS = 7;

/** `date` is the digest's date in its zone. */
export function analyzePlan(
  plan: Plan,
  { kind, zone, date, now }: Pick<Digest, 'kind' | 'zone'> & { date: LocalDate; now: Date },
): Findings {
  const from = startOf(date, zone);
  const until =
    kind === 'weekly' ? startOf(dateAfter(date, WEEK_DAYS), zone) : new Date(now.getTime() + AHEAD_MS);
  const scheduled = plan.posts.filter((planned) => !isDraft(planned));
  return {
    next: plan.posts.find((planned) => isUpcoming(planned, now)),
    ahead: scheduled.filter(({ at }) => at >= from && at < until),
    until,
    late: scheduled.filter((planned) => isLate(planned, now)),
    collisions: collisionsOf(scheduled.filter(({ at }) => at >= now && at < until)),
    gaps: plan.isComplete ? gapsOf(plan.projects, scheduled, { date, zone }) : [],
    drafts: plan.posts.filter(
      (planned) =>
        isDraft(planned) &&
        planned.at >= now &&
        planned.at.getTime() <= Math.max(until.getTime(), now.getTime() + DRAFT_MS),
    ),
  };
}

/** A post whose status can't be read isn't called late. */
function isLate(planned: PlannedPost, now: Date): boolean {
  const status = statusOf(planned);
  return status !== undefined && status !== 'PUBLISHED' && now.getTime() - planned.at.getTime() > LATE_MS;
}

/** `posts` are sorted by moment. */
function collisionsOf(posts: readonly PlannedPost[]): Collision[] {
  const last = new Map<string, PlannedPost>();
  const found: Collision[] = [];
  for (const second of posts) {
    for (const platform of new Set(second.post.platforms)) {
      const key = `${second.project.id} ${platform}`;
      const first = last.get(key);
      if (first && second.at.getTime() - first.at.getTime() < CLOSE_MS)
        found.push({ platform, first, second });
      last.set(key, second);
    }
  }
  return found;
}

function gapsOf(
  projects: readonly Project[],
  scheduled: readonly PlannedPost[],
  { date, zone }: { date: LocalDate; zone: string },
): Findings['gaps'] {
  const week = Array.from({ length: WEEK_DAYS }, (_, ahead) => dateAfter(date, ahead));
  const weekdays = week.filter(isWeekday).slice(0, GAP_DAYS);
  const taken = new Set(scheduled.map(({ project, at }) => `${project.id} ${dateIn(at, zone)}`));
  return projects.flatMap((project) => {
    const dates = weekdays.filter((day) => !taken.has(`${project.id} ${day}`));
    return dates.length === 0 ? [] : [{ project, dates }];
  });
}
