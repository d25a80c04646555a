import type { Project } from '../../api/projects.ts';
import type { Digest } from '../digest.ts';
import { dateAfter, dateIn, isWeekday, type LocalDate, startOf } from './days.ts';
import { isMeant, isToCome, type Plan, type Planned, statusOf } from './plan.ts';

/** What is worth saying of a plan. */
export interface Findings {
  next: Planned | undefined;
  /** Daily: today, with what went out already, and 36 hours on. Weekly: seven days. Without drafts. */
  ahead: readonly Planned[];
  /** The end of what is ahead. */
  until: Date;
  late: readonly Planned[];
  collisions: readonly Collision[];
  gaps: readonly { project: Project; dates: readonly LocalDate[] }[];
  drafts: readonly Planned[];
}

/** Two posts of a project on one platform, one soon after the other. */
export interface Collision {
  platform: string;
  first: Planned;
  second: Planned;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const AHEAD_MS = 36 * HOUR_MS;
/** So long a post may take to go out. */
const LATE_MS = 15 * MINUTE_MS;
const CLOSE_MS = 30 * MINUTE_MS;
/** As far ahead a draft's date is near. */
const DRAFT_MS = 3 * DAY_MS;
const GAP_DAYS = 5;
export const WEEK_DAYS = 7;

/** Pure. `date` is the local date that the digest is of. */
export function find(
  plan: Plan,
  { kind, zone, date, now }: Pick<Digest, 'kind' | 'zone'> & { date: LocalDate; now: Date },
): Findings {
  const from = startOf(date, zone);
  const until =
    kind === 'weekly' ? startOf(dateAfter(date, WEEK_DAYS), zone) : new Date(now.getTime() + AHEAD_MS);
  const meant = plan.posts.filter(isMeant);
  return {
    next: plan.posts.find((planned) => isToCome(planned, now)),
    ahead: meant.filter(({ at }) => at >= from && at < until),
    until,
    late: meant.filter((planned) => isLate(planned, now)),
    collisions: collisionsOf(meant.filter(({ at }) => at >= now && at < until)),
    gaps: plan.isWhole ? gapsOf(plan.projects, meant, { date, zone }) : [],
    drafts: plan.posts.filter(
      (planned) =>
        !isMeant(planned) &&
        planned.at >= now &&
        planned.at.getTime() <= Math.max(until.getTime(), now.getTime() + DRAFT_MS),
    ),
  };
}

/** Of a post whose status nobody can read nobody knows. */
function isLate(planned: Planned, now: Date): boolean {
  const status = statusOf(planned);
  return status !== undefined && status !== 'PUBLISHED' && now.getTime() - planned.at.getTime() > LATE_MS;
}

/** `posts` by moment. */
function collisionsOf(posts: readonly Planned[]): Collision[] {
  const last = new Map<string, Planned>();
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
  meant: readonly Planned[],
  { date, zone }: { date: LocalDate; zone: string },
): Findings['gaps'] {
  const week = Array.from({ length: WEEK_DAYS }, (_, ahead) => dateAfter(date, ahead));
  const weekdays = week.filter(isWeekday).slice(0, GAP_DAYS);
  const taken = new Set(meant.map(({ project, at }) => `${project.id} ${dateIn(at, zone)}`));
  return projects.flatMap((project) => {
    const dates = weekdays.filter((day) => !taken.has(`${project.id} ${day}`));
    return dates.length === 0 ? [] : [{ project, dates }];
  });
}
