import type { Post } from '../api/posts.ts';
import type { Project } from '../api/projects.ts';
import { PLANNED_STATES } from '../held-posts/held-post.ts';
import { listHeldPlan } from '../held-posts/listed-posts.ts';
import { findPostAuthors } from '../held-posts/post-authors.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { type HeldInfo, mergePlan } from '../posts/merge-plan.ts';
import { mapLimited } from '../promises.ts';
import { type PageLook, readInTime } from './look.ts';
import { findState, type Tone } from './state.ts';

/** A post of the plan, as pages show it. */
export interface PlanPost {
  /** The last part of the address of its page. Undefined if it has none: the service gave it no id. */
  key: string | undefined;
  project: Project;
  post: Post;
  at: Date;
  facts: PostFacts;
  state: { name: string; tone: Tone };
  /** Slack's id. */
  author: string | undefined;
  /** Set if Upnext keeps the post, or kept it before. */
  heldId: string | undefined;
  held: HeldInfo | undefined;
  /** When Upnext last changed it, if it keeps the post, or kept it before. */
  changedAt: Date | undefined;
}

export interface PagePlan {
  /** By time. */
  posts: readonly PlanPost[];
  /** The projects whose posts at the service couldn't be read. */
  unread: readonly Project[];
  /** Whether there may be more posts than were read. */
  isTruncated: boolean;
  /** Posts of the service that couldn't be read, or whose time couldn't. */
  unreadableCount: number;
}

/** Whether the plan certainly has every post, so that a day without one is free. */
export function isWhole({ unread, isTruncated, unreadableCount }: PagePlan): boolean {
  return unread.length === 0 && !isTruncated && unreadableCount === 0;
}

const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url').toString();

/** A post in an address: the id of a kept one, or where to look for one of the service, which can't be asked for an id. */
type PostKey = { held: string } | { project: string; at: Date; id: string };

function buildKey(key: PostKey): string {
  if ('held' in key) return `p.${encode(key.held)}`;
  return `s.${encode(key.project)}.${key.at.getTime()}.${encode(key.id)}`;
}

export function parseKey(text: string): PostKey | undefined {
  const [kind, first = '', time = '', id = ''] = text.split('.');
  if (kind === 'p') return { held: decode(first) };
  const at = new Date(/^\d{1,15}$/.test(time) ? Number(time) : Number.NaN);
  const [project, postId] = [decode(first), decode(id)];
  const isWhole = kind === 's' && project !== '' && postId !== '' && !Number.isNaN(at.getTime());
  return isWhole ? { project, at, id: postId } : undefined;
}

/**
 * Reads the posts of projects between two times, both inclusive: those of the service and those that Upnext keeps, as one
 * plan. `deliveredSince`: see `listHeldPlan`.
 */
export async function readPlan(
  look: PageLook,
  projects: readonly Project[],
  range: { from: Date; to: Date },
  options: { deliveredSince?: 'ever' } = {},
): Promise<PagePlan> {
  const { context, actor, now } = look;
  const lists = await mapLimited(projects, async (project) => ({
    project,
    outcome: await readInTime(look, () => context.reads.posts.listRange(context.api, project.id, range)),
  }));
  const read = lists.flatMap(({ project, outcome }) =>
    outcome.kind === 'done' ? [{ project, ...outcome.data }] : [],
  );
  const isInRange = (at: Date | undefined) => at !== undefined && at >= range.from && at <= range.to;
  const servicePosts = read.flatMap(({ project, items, readAt }) =>
    // The service may ignore parts of the filter.
    items.flatMap((post) => (isInRange(post.scheduleDate) ? [{ project, post, readAt }] : [])),
  );
  const [held, authors] = await Promise.all([
    listHeldPlan(context.heldPosts, {
      workspace: actor.workspace,
      projects: projects.map(({ id }) => id),
      states: [...PLANNED_STATES, 'cancelled'],
      ...range,
      ...options,
    }),
    findPostAuthors(
      context.heldPosts,
      actor.workspace,
      new Map(
        read.map(({ project, items }) => [project.id, items.filter((post) => isInRange(post.scheduleDate))]),
      ),
    ),
  ]);
  const time = now();
  const changes = new Map(held.posts.map(({ held: { id, changedAt } }) => [id, changedAt]));
  const listed = servicePosts.map((each) => ({ ...each, author: authors.get(each.post) }));
  const posts = mergePlan(listed, held.posts).flatMap((merged): PlanPost[] => {
    const { post } = merged;
    const { scheduleDate: at } = post;
    const project = projects.find(({ id }) => id === merged.project.id);
    if (!at || !project || !isInRange(at)) return [];
    const heldId = merged.held ? merged.held.id : merged.heldId;
    const key = heldId === undefined ? post.id && { project: project.id, at, id: post.id } : { held: heldId };
    const ownFacts = merged.held ? merged.held.facts : { status: post.status, readAt: merged.readAt };
    const facts = { zone: post.timezone, at, ...ownFacts };
    return [
      {
        key: key ? buildKey(key) : undefined,
        ...{ project, post, at, facts, heldId },
        held: merged.held,
        changedAt: changes.get(heldId ?? ''),
        author: merged.author,
        state: findState(facts, time),
      },
    ];
  });
  const unreadTimes = read.flatMap(({ items }) =>
    items.filter(({ unreadableFields = [] }) => unreadableFields.includes('ScheduleDate')),
  );
  return {
    posts,
    unread: lists.flatMap(({ project, outcome }) => (outcome.kind === 'done' ? [] : [project])),
    isTruncated: held.isTruncated || read.some(({ isComplete }) => !isComplete),
    unreadableCount: read.reduce((sum, list) => sum + list.unreadableCount, unreadTimes.length),
  };
}
