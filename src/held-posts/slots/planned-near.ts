import {
  type CachedReads,
  computeTextKey,
  type PlannedTime,
  selectPlannedTimes,
} from '../../api/cached-reads.ts';
import type { ApiClient } from '../../api/client.ts';
import { listAllPosts } from '../../api/list-all-posts.ts';
import { findOwnText, type Post } from '../../api/posts.ts';
import { DAY_MS } from '../../durations.ts';
import type { PlatformPost } from '../../posts/close-posts.ts';
import { isHandedOver } from '../../posts/merge-plan.ts';
import { leaveOutPlanned } from '../../preferences/posting-times.ts';
import { within } from '../../promises.ts';
import { listPlannedSubmissions } from '../../submissions/planned-submissions.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listHeldPlan } from '../listed-posts.ts';

/** What the posts of a project are read from: Upnext's own, and those that the service lists. */
export interface PlanSources {
  reads: Pick<CachedReads, 'listPlannedTimes'>;
  /** Undefined if the project's service isn't connected. */
  api: ApiClient | undefined;
  heldPosts: HeldPostContext;
}

/** Finds the sources of a project's posts. A service that couldn't be looked up counts as one that can't be read. */
export async function findPlanSources(
  context: HeldPostContext,
  { workspace, project }: Pick<NearSearch, 'workspace' | 'project'>,
): Promise<PlanSources> {
  const { reads, submissions } = context;
  const api = await submissions.context.findApiClient(workspace, project).catch(() => undefined);
  return { reads, api, heldPosts: context };
}

/** The times around which posts are looked for. */
interface NearSearch {
  workspace: string;
  /** The project's id in the service. */
  project: string;
  times: readonly Date[];
  /** How far from them a post is still near. */
  rangeMs: number;
  maxWaitMs: number;
  /** Whether the service is asked although its list was read seconds ago. Defaults to false. */
  isLive?: boolean;
}

/** A post that goes out. */
interface NearbyPost extends PlannedTime {
  /** Texts of platforms that don't get the main one. Absent if the service lists the post. */
  ownTexts?: Post['ownTexts'];
  /** The id of the post that Upnext keeps, or the origin of the submission. Absent if the service lists it. */
  origin?: string;
}

/** `isComplete`: false if there may be others, because not all could be found out. */
interface NearbyPosts<Found extends PlannedTime = NearbyPost> {
  posts: readonly Found[];
  isComplete: boolean;
}

/** Maximum UTC days that are read one by one, because others may have read them. More are read as one range. */
const MAX_CACHED_DAYS = 12;
/** Maximum posts of such a range. */
const MAX_RANGE_POSTS = 2_000;

/** Reads the service's posts near some times, as far as it answers in time. */
export async function readServicePosts(
  { reads, api }: PlanSources,
  { project, times, rangeMs, maxWaitMs, isLive = false }: NearSearch,
): Promise<NearbyPosts<PlannedTime>> {
  const days = new Set(times.flatMap((time) => listDays(time.getTime() - rangeMs, time.getTime() + rangeMs)));
  if (!api) return { posts: [], isComplete: false };
  if (days.size > MAX_CACHED_DAYS) return readRange(api, project, getRange({ times, rangeMs }), maxWaitMs);
  const found: PlannedTime[] = [];
  let completeDays = 0;
  const readDay = async (day: number) => {
    const outcome = await reads.listPlannedTimes(api, project, new Date(day), { isLive });
    if (outcome.kind !== 'done') return;
    found.push(...outcome.data.times);
    if (outcome.data.isComplete) completeDays += 1;
  };
  // What was read in time counts, also if another day isn't.
  await within(maxWaitMs, Promise.all([...days].map(readDay)));
  return { posts: [...found], isComplete: completeDays === days.size };
}

/** Lists the starts of the UTC days that a range touches. */
function listDays(from: number, to: number): number[] {
  const first = from - (from % DAY_MS);
  return Array.from({ length: Math.floor((to - first) / DAY_MS) + 1 }, (_, index) => first + index * DAY_MS);
}

async function readRange(
  api: ApiClient,
  projectId: string,
  { from: scheduledFrom, to: scheduledTo }: { from: Date; to: Date },
  maxWaitMs: number,
): Promise<NearbyPosts<PlannedTime>> {
  const filter = { projectId, scheduledFrom, scheduledTo };
  const outcome = await within(
    maxWaitMs,
    listAllPosts(api, filter, { maxPosts: MAX_RANGE_POSTS, readsAtOnce: true }),
  );
  if (outcome?.kind !== 'done') return { posts: [], isComplete: false };
  const { times, isComplete } = selectPlannedTimes(outcome.data, { scheduledFrom, scheduledTo });
  return { posts: times, isComplete };
}

/** Reads the posts that Upnext has sent itself lately, because the service's list may lack them. */
export async function readSentPosts(
  { heldPosts }: PlanSources,
  { workspace, project, ...search }: NearSearch,
): Promise<NearbyPosts> {
  const { posts, isTruncated } = await listPlannedSubmissions(heldPosts.submissions.context, {
    ...{ workspace, project },
    ...getRange(search),
  });
  return {
    posts: posts.flatMap(({ post, origin }) => toNearbyPost(post, origin)),
    isComplete: !isTruncated,
  };
}

/** Lists the posts of a project near some times: those that Upnext keeps or has sent, and those that the service lists. */
export async function listNearbyPosts(sources: PlanSources, search: NearSearch): Promise<NearbyPosts> {
  const { workspace, project } = search;
  const [listed, sent, held] = await Promise.all([
    readServicePosts(sources, search),
    readSentPosts(sources, search),
    listHeldPlan(sources.heldPosts, {
      ...{ workspace, projects: [project], states: ['held', 'awaiting-review', 'handed-over'] },
      ...getRange(search),
    }),
  ]);
  const kept = held.posts.flatMap((each) => {
    if (each.isSettled) return [];
    const posts = toNearbyPost(each.post, each.held.id);
    // The platforms are left out for which the service lists a post at its time.
    return isHandedOver(each) ? leaveOutPlanned(posts, listed.posts) : posts;
  });
  return {
    posts: [...listed.posts, ...kept, ...leaveOutPlanned(sent.posts, [...listed.posts, ...kept])],
    isComplete: listed.isComplete && sent.isComplete && !held.isTruncated,
  };
}

function getRange({ times, rangeMs }: Pick<NearSearch, 'times' | 'rangeMs'>): { from: Date; to: Date } {
  const instants = times.map((time) => time.getTime());
  return { from: new Date(Math.min(...instants) - rangeMs), to: new Date(Math.max(...instants) + rangeMs) };
}

function toNearbyPost(post: Post, origin: string): NearbyPost[] {
  const { scheduleDate: instant, platforms } = post;
  return instant ? [{ instant, platforms, origin, ...describeTexts(post) }] : [];
}

/** Splits a post by platform. */
export function toPlatformPosts(post: NearbyPost): PlatformPost[] {
  const { instant, platforms } = post;
  return platforms.map((platform) => ({ instant, platform, textKey: getTextKey(post, platform) }));
}

/** The texts of a post, for `getTextKey`. */
export function describeTexts({ content, ownTexts }: Post): Pick<NearbyPost, 'textKey' | 'ownTexts'> {
  return { textKey: computeTextKey(content), ...(ownTexts && { ownTexts }) };
}

/** The key of the text that a post has on a platform. */
export function getTextKey(post: NearbyPost, platform: string): string | undefined {
  const own = findOwnText(post, platform);
  return own === undefined ? post.textKey : computeTextKey(own);
}
