import type { Permission } from '../../access/access.ts';
import type { PostList } from '../../api/list-all-posts.ts';
import type { Post } from '../../api/posts.ts';
import { nameById } from '../../api/project-ids.ts';
import type { Project } from '../../api/projects.ts';
import { DAY_MS } from '../../durations.ts';
import type { PostFacts } from '../../posts/describe-post.ts';
import { type ListedHeldPost, mergePlan } from '../../posts/merge-plan.ts';
import { hasStatus, readPublicationStatus } from '../../posts/post-status.ts';
import { comparePosts } from '../../posts/post-time.ts';
import type { ComposeRequest, ComposeResult, DigestReads } from '../digest-context.ts';

export interface PlannedPost {
  project: Project;
  post: Post;
  scheduledAt: Date;
  /** The id of the held post, also after Upnext handed it over. Undefined for other posts. */
  heldId?: string | undefined;
  /** Set if Upnext keeps the post. */
  facts?: PostFacts | undefined;
}

/** Reads the posts that Upnext keeps, and those that it has delivered, for `mergePlan`. */
export type HeldPlanReader = (query: {
  projects: readonly string[];
  from: Date;
  to: Date;
}) => Promise<HeldPlan>;

interface HeldPlan {
  posts: readonly ListedHeldPost[];
  isTruncated: boolean;
}

export interface Plan {
  projects: readonly Project[];
  /** Posts of any status until `end`, sorted by time and then by id. If none of them is to come, also later ones. */
  posts: readonly PlannedPost[];
  /** The posts after those that Upnext keeps. Undefined if there may be more of them than were read. */
  later?: readonly PlannedPost[] | undefined;
  /** The end of the range that is read for every digest. */
  end: Date;
  /** False if there may be more posts until `end` than were read. */
  isComplete: boolean;
  /** Whether the plan has only the posts that Upnext keeps, because the service doesn't answer. */
  isServiceDown?: boolean;
  /** Number of records in the service's list that couldn't be parsed as posts, or whose time couldn't. */
  unreadableCount: number;
}

/** `no-project`: the digest has no project, and the service has several. `none-readable`: the reader may see none. */
type PlanResult =
  | { kind: 'plan'; plan: Plan }
  | { kind: 'no-project' }
  | { kind: 'none-readable' }
  | Extract<ComposeResult, { kind: 'gone' | 'failed' | 'not-checked' }>;

/** How far back a plan begins: at the last digest, for which a weekly one needs a day more than a week. */
const [MIN_DAYS_BACK, MAX_DAYS_BACK] = [3, 8];
const DAYS_AHEAD = 10;
/** The range in which the next post is searched for if the next `DAYS_AHEAD` days have no post. */
export const DAYS_SEARCHED_FOR_NEXT = 100;
const NOT_FOUND = 404;

interface PlanSources {
  /** Checks whether the readers of the digest may see a project. */
  checkReadPermission(project: string): Promise<Permission>;
  readHeldPlan: HeldPlanReader;
}

/** What is known of the digest's last message. */
interface LastDigest {
  sentAt: Date | undefined;
  projects: readonly string[];
}

/** Reads the plan of a digest. The range is whole UTC days, so that the daily digests of a day share cached reads. */
export async function readPlan(
  request: ComposeRequest,
  last: LastDigest,
  sources: PlanSources,
): Promise<PlanResult> {
  const { failure, now, projects: ids, reads } = request;
  if (failure) {
    const plan = await readHeldOnlyPlan(request, last, sources);
    return plan ? { kind: 'plan', plan } : { kind: 'failed', outcome: failure };
  }
  const outcome = await reads.listProjects();
  if (outcome.kind !== 'done') return { kind: 'failed', outcome };
  const { items, unreadableCount, isTruncated } = outcome.data;
  const [firstProject] = items;
  // The only project of another service is no project of a digest that was about the one before.
  const wasOther = last.projects.length > 0 && !last.projects.some((id) => id === firstProject?.id);
  const isOnlyProject = firstProject !== undefined && items.length === 1 && !isTruncated && !wasOther;
  const chosenIds = ids.length === 0 && isOnlyProject ? [firstProject.id] : [...new Set(ids)];
  if (chosenIds.length === 0) return { kind: 'no-project' };
  const permissions = await Promise.all(chosenIds.map(sources.checkReadPermission));
  // A digest without the unchecked projects would claim that nothing is planned in them.
  if (permissions.includes('unknown')) return { kind: 'not-checked' };
  const readableIds = chosenIds.filter((_id, index) => permissions[index] === 'yes');
  if (readableIds.length === 0) return { kind: 'none-readable' };
  const projects = readableIds.map((id) => items.find((item) => item.id === id) ?? nameById(id));
  const { from, to, searchEnd } = getPlanRange(now, last.sentAt);
  const isListed = (id: string) => isTruncated || unreadableCount > 0 || items.some((item) => item.id === id);
  const result = await readPosts(reads, projects, { from, to, isListed });
  if (result.kind !== 'plan') return result;
  let { plan } = result;
  if (plan.isComplete && !plan.posts.some((planned) => isUpcoming(planned, now))) {
    const laterResult = await readPosts(reads, projects, { from: to, to: searchEnd, isListed });
    if (laterResult.kind !== 'plan') return laterResult;
    const later = laterResult.plan;
    plan = {
      ...plan,
      posts: [...plan.posts, ...later.posts],
      isComplete: later.isComplete,
      unreadableCount: plan.unreadableCount + later.unreadableCount,
    };
  }
  const held = await sources.readHeldPlan({ projects: readableIds, from, to: searchEnd });
  return { kind: 'plan', plan: addHeldPosts(plan, held, now) };
}

/**
 * Reads only the posts that Upnext keeps, because the service doesn't answer. Undefined if there is none that the reader
 * may see. A digest without chosen projects is about the only project, which then is that of the last digest.
 */
async function readHeldOnlyPlan(
  { now, projects: ids }: ComposeRequest,
  last: LastDigest,
  { checkReadPermission, readHeldPlan }: PlanSources,
): Promise<Plan | undefined> {
  const chosenIds = ids.length === 0 && last.projects.length === 1 ? last.projects : [...new Set(ids)];
  const permissions = await Promise.all(chosenIds.map(checkReadPermission));
  const readableIds = chosenIds.filter((_id, index) => permissions[index] === 'yes');
  if (readableIds.length === 0) return undefined;
  const { from, to, searchEnd } = getPlanRange(now, last.sentAt);
  const held = await readHeldPlan({ projects: readableIds, from, to: searchEnd });
  const names = new Map(mergePlan([], held.posts).map(({ project }) => [project.id, project.name]));
  const projects = [...names].map(([id, name]) => ({ id, name }));
  const unread = { posts: [], end: to, unreadableCount: 0, isComplete: false, isServiceDown: true };
  const plan = addHeldPosts({ ...unread, projects }, held, now);
  return plan.posts.length === 0 ? undefined : plan;
}

/** Returns the range of a plan in whole UTC days, and the end of the search for the next post. */
function getPlanRange(now: Date, lastSentAt = now): { from: Date; to: Date; searchEnd: Date } {
  const today = Math.floor(now.getTime() / DAY_MS);
  const daysSince = today - Math.floor(lastSentAt.getTime() / DAY_MS);
  const daysBack = Math.min(Math.max(daysSince, MIN_DAYS_BACK), MAX_DAYS_BACK);
  const addDays = (days: number) => new Date((today + days) * DAY_MS);
  return { from: addDays(-daysBack), to: addDays(DAYS_AHEAD), searchEnd: addDays(DAYS_SEARCHED_FOR_NEXT) };
}

/** Adds the held posts of the plan's range, or later ones if nothing is planned in it. */
export function addHeldPosts(plan: Plan, held: HeldPlan, now: Date): Plan {
  const posts = mergePlan(plan.posts, held.posts).flatMap((planned): PlannedPost[] => {
    if (!planned.held) return [planned];
    const {
      post,
      held: { id: heldId, facts },
    } = planned;
    const project = plan.projects.find(({ id }) => id === planned.project.id);
    const { scheduleDate: scheduledAt } = post;
    return project && scheduledAt ? [{ project, post, scheduledAt, heldId, facts }] : [];
  });
  const { end } = plan;
  const hasUpcoming = posts.some((planned) => planned.scheduledAt < end && isUpcoming(planned, now));
  // The soonest held posts are read.
  const lastRead = held.posts.at(-1)?.post.scheduleDate;
  const isHeldComplete = !held.isTruncated || (lastRead !== undefined && lastRead >= end);
  return {
    ...plan,
    posts: hasUpcoming ? posts.filter(({ scheduledAt }) => scheduledAt < end) : posts,
    later: held.isTruncated
      ? undefined
      : posts.filter(({ facts, scheduledAt }) => facts && scheduledAt >= end),
    isComplete: plan.isComplete && isHeldComplete,
  };
}

async function readPosts(
  reads: DigestReads,
  projects: readonly Project[],
  { isListed, ...bounds }: { from: Date; to: Date; isListed(project: string): boolean },
): Promise<PlanResult> {
  const plannedPosts: PlannedPost[] = [];
  let isComplete = true;
  let unreadableCount = 0;
  const outcomes = await Promise.all(
    projects.map(async (project) => ({
      project,
      outcome: await reads.listPosts({ project: project.id, ...bounds }),
    })),
  );
  for (const { project, outcome } of outcomes) {
    // A proxy may answer 404 during a deployment of the service, so the list of projects must lack the project too.
    const isGone = outcome.kind === 'refused' && outcome.status === NOT_FOUND && !isListed(project.id);
    if (isGone) return { kind: 'gone', project: project.id };
    if (outcome.kind !== 'done') return { kind: 'failed', outcome };
    const { data } = outcome;
    plannedPosts.push(...selectPlanned(project, data, bounds));
    isComplete &&= data.isComplete;
    const withoutTime = data.items.filter(({ unreadableFields = [] }) =>
      unreadableFields.includes('ScheduleDate'),
    );
    unreadableCount += data.unreadableCount + withoutTime.length;
  }
  const posts = plannedPosts.sort((one, other) => comparePosts(one.post, other.post));
  return { kind: 'plan', plan: { projects, posts, end: bounds.to, isComplete, unreadableCount } };
}

/** Selects the posts from `from` (inclusive) to `to` (exclusive), each once: they may move between pages. */
function selectPlanned(
  project: Project,
  { items }: PostList,
  { from, to }: { from: Date; to: Date },
): PlannedPost[] {
  const seenIds = new Set<string>();
  return items.flatMap((post) => {
    const { id, scheduleDate: scheduledAt } = post;
    if (!scheduledAt || scheduledAt < from || scheduledAt >= to || (id !== undefined && seenIds.has(id)))
      return [];
    if (id !== undefined) seenIds.add(id);
    return [{ project, post, scheduledAt }];
  });
}

/** What is known of a post's publication. A post that may be at the service may also be out. */
export function getPublicationStatus({ post }: PlannedPost): ReturnType<typeof readPublicationStatus> {
  return hasStatus(post, 'UNCERTAIN') ? 'unclear' : readPublicationStatus(post.status);
}

/** Whether a plan has every post, so that it can say that there is none. */
export function knowsAllPosts({
  isComplete,
  unreadableCount,
}: Pick<Plan, 'isComplete' | 'unreadableCount'>): boolean {
  return isComplete && unreadableCount === 0;
}

/** Whether a post is a draft. The service never publishes drafts, even with a date. */
export function isDraft({ post }: PlannedPost): boolean {
  return hasStatus(post, 'DRAFT');
}

/** Whether a post will be published after `now`. A post that needs a decision won't, unless somebody decides. */
export function isUpcoming(planned: PlannedPost, now: Date): boolean {
  const { post, scheduledAt } = planned;
  const mayGoOut = !isDraft(planned) && !hasStatus(post, 'PUBLISHED') && !hasStatus(post, 'DECISION');
  return mayGoOut && scheduledAt > now;
}
