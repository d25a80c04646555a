import type { Project } from '../../api/projects.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import { isOverdue } from '../../posts/describe-post.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import {
  type Blackout,
  type FreeSlot,
  findBlackout,
  findBlackoutOn,
  leaveOutPlanned,
  type ProjectCalendar,
} from '../../preferences/posting-times.ts';
import { isZone } from '../../when/zones.ts';
import type { Digest } from '../digest.ts';
import { addDays, findStartOfDay, getLocalDate, isMondayToFriday, type LocalDate } from './days.ts';
import {
  getPublicationStatus,
  isDraft,
  isUpcoming,
  knowsAllPosts,
  type Plan,
  type PlannedPost,
} from './plan.ts';

export interface Findings {
  next: PlannedPost | undefined;
  /** Posts from the start of the day until `end`, including published posts and without drafts. */
  periodPosts: readonly PlannedPost[];
  /** The end of `periodPosts`: 36 hours from now; in a weekly digest, the end of the seventh day. */
  end: Date;
  overdue: readonly PlannedPost[];
  collisions: readonly Collision[];
  /** The posts to come, until `end`, on blackout days of their projects, in the posts' own zones. */
  onBlackouts: readonly { planned: PlannedPost; blackout: Blackout }[];
  gaps: readonly { project: Project; dates: readonly LocalDate[] }[];
  drafts: readonly PlannedPost[];
  /** The free slots until `end`, in order. */
  freeSlots: readonly { project: Project; slot: FreeSlot }[];
}

/** The posting times and blackout days of a project, and its slots of the coming week that no held post has. */
export interface ProjectSlots extends ProjectCalendar {
  free: readonly FreeSlot[];
}

/** Two posts of one project on one platform that are less than `MIN_POST_GAP_MS` apart. */
export interface Collision {
  platform: string;
  first: PlannedPost;
  second: PlannedPost;
}

const PERIOD_MS = 36 * HOUR_MS;
/** How far ahead drafts are reported. */
const DRAFT_MS = 3 * DAY_MS;
/** Number of weekdays that are searched for gaps. */
const GAP_DAYS = 5;
export const DAYS_PER_WEEK = 7;

/**
 * Finds everything in a plan that a digest reports. `date` is the digest's date in its zone. `slots`: by the ids of projects;
 * those without posting times and blackout days have none.
 */
export function analyzePlan(
  plan: Plan,
  options: Pick<Digest, 'kind' | 'zone'> & {
    date: LocalDate;
    now: Date;
    slots?: ReadonlyMap<string, ProjectSlots> | undefined;
  },
): Findings {
  const { kind, zone, date, now, slots = new Map() } = options;
  const from = findStartOfDay(date, zone);
  const end =
    kind === 'weekly'
      ? findStartOfDay(addDays(date, DAYS_PER_WEEK), zone)
      : new Date(now.getTime() + PERIOD_MS);
  const scheduledPosts = plan.posts.filter((planned) => !isDraft(planned));
  const comingPosts = scheduledPosts.filter(({ scheduledAt }) => scheduledAt >= now && scheduledAt < end);
  return {
    next: plan.posts.find((planned) => isUpcoming(planned, now)),
    periodPosts: scheduledPosts.filter(({ scheduledAt }) => scheduledAt >= from && scheduledAt < end),
    end,
    overdue: scheduledPosts.filter(
      (planned) =>
        // A status that doesn't say whether the post was published says nothing.
        ['unpublished', 'failed'].includes(getPublicationStatus(planned)) &&
        isOverdue({ ...planned.facts, at: planned.scheduledAt }, now),
    ),
    collisions: findCollisions(comingPosts),
    onBlackouts: comingPosts.flatMap((planned) => {
      const { blackouts = [] } = slots.get(planned.project.id) ?? {};
      const { timezone = '' } = planned.post;
      const time = { instant: planned.scheduledAt, zone: isZone(timezone) ? timezone : zone };
      const blackout = findBlackout({ blackouts }, time);
      return blackout ? [{ planned, blackout }] : [];
    }),
    gaps: knowsAllPosts(plan) ? findGaps(plan.projects, scheduledPosts, { date, zone, slots }) : [],
    freeSlots: knowsAllPosts(plan) ? findFreeSlots(plan.projects, scheduledPosts, { end, slots }) : [],
    drafts: plan.posts.filter(
      (planned) =>
        isDraft(planned) &&
        planned.scheduledAt >= now &&
        planned.scheduledAt.getTime() <= Math.max(end.getTime(), now.getTime() + DRAFT_MS),
    ),
  };
}

/** Finds the posts that are too close together. `posts` are sorted by moment. */
function findCollisions(posts: readonly PlannedPost[]): Collision[] {
  const lastPosts = new Map<string, PlannedPost>();
  const collisions: Collision[] = [];
  for (const second of posts) {
    for (const platform of new Set(second.post.platforms)) {
      const key = `${second.project.id} ${platform}`;
      const first = lastPosts.get(key);
      if (first && second.scheduledAt.getTime() - first.scheduledAt.getTime() < MIN_POST_GAP_MS)
        collisions.push({ platform, first, second });
      lastPosts.set(key, second);
    }
  }
  return collisions;
}

function findFreeSlots(
  projects: readonly Project[],
  scheduledPosts: readonly PlannedPost[],
  { end, slots }: { end: Date; slots: ReadonlyMap<string, ProjectSlots> },
): Findings['freeSlots'] {
  const planned = scheduledPosts.map(({ project, scheduledAt: instant, post: { platforms } }) => ({
    ...{ project, instant, platforms },
  }));
  return projects
    .flatMap((project) => {
      const ofProject = planned.filter((post) => post.project.id === project.id);
      return leaveOutPlanned(slots.get(project.id)?.free ?? [], ofProject).map((slot) => ({ project, slot }));
    })
    .filter(({ slot }) => slot.instant < end)
    .toSorted((one, other) => one.slot.instant.getTime() - other.slot.instant.getTime());
}

/** Finds the next weekdays without a post, by project. A project with posting times has free slots instead. */
function findGaps(
  projects: readonly Project[],
  scheduledPosts: readonly PlannedPost[],
  { date, zone, slots }: { date: LocalDate; zone: string; slots: ReadonlyMap<string, ProjectSlots> },
): Findings['gaps'] {
  const week = Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(date, index));
  const weekdays = week.filter(isMondayToFriday).slice(0, GAP_DAYS);
  const takenDays = new Set(
    scheduledPosts.map(({ project, scheduledAt }) => `${project.id} ${getLocalDate(scheduledAt, zone)}`),
  );
  return projects.flatMap((project) => {
    const { postingTimes = [], blackouts = [] } = slots.get(project.id) ?? {};
    if (postingTimes.length > 0) return [];
    const dates = weekdays.filter(
      (day) => !takenDays.has(`${project.id} ${day}`) && !findBlackoutOn({ blackouts }, day),
    );
    return dates.length === 0 ? [] : [{ project, dates }];
  });
}
