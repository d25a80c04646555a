import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { readProfile } from '../../forms/form-context.ts';
import type { ServiceFailure } from '../../slack/service-failure.ts';
import { outboxOf } from '../../submissions/sql/lists.ts';

/** Home is refreshed after every action, so it reads few projects and counts the others. */
const MAX_PROJECTS = 10;
/** Projects that are read at the same time. */
const MAX_CONCURRENT_PROJECTS = 4;
/** One page for each project. Home mentions that there are more. */
const WEEK_PAGE = 100;
const DRAFTS_PAGE = 10;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** A post and its project. */
export interface Entry {
  project: Project;
  post: Post;
}

/** The posts that Home shows. */
export interface Plans {
  /** Projects that the service listed. */
  projectCount: number;
  /** Listed projects that Home leaves out. */
  skippedProjects: number;
  /** The service has more projects than were listed. */
  hasMoreProjects: boolean;
  /** Soonest first: each project's posts of the next seven days, or else its next post. */
  upcoming: readonly Entry[];
  week: readonly Entry[];
  /** The week has more posts than were read. */
  hasMoreThisWeek: boolean;
  drafts: readonly Entry[];
  hasMoreDrafts: boolean;
  /** Projects whose posts could not all be read. */
  incompleteProjects: readonly Project[];
}

export interface HomeFacts {
  now: Date;
  practice: boolean;
  zone: string;
  /** The reader's submissions that the service hasn't accepted yet. */
  waitingCount: number;
  plans: Plans | { trouble: ServiceFailure } | 'unreadable';
}

/** The call of the person whose Home is loaded, or an equivalent from a background refresh. */
export type HomeCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export async function loadHome(call: HomeCall): Promise<HomeFacts> {
  const { context, actor } = call;
  const now = call.now();
  const [plans, { actorZone: zone = 'UTC' }, waiting] = await Promise.all([
    loadPlans(call, now),
    readProfile(call),
    outboxOf(context.db, { workspace: actor.workspace, author: actor.user }),
  ]);
  return { now, practice: context.practice, zone, waitingCount: waiting.length, plans };
}

async function loadPlans({ context }: HomeCall, now: Date): Promise<HomeFacts['plans']> {
  const outcome = await context.reads.projectsNow(context.api);
  if (outcome.kind !== 'done') return { trouble: outcome };
  const { items, shape, isTruncated } = outcome.data;
  if (shape === 'unreadable') return 'unreadable';
  const shown = items.slice(0, MAX_PROJECTS);
  const read = await mapLimited(shown, MAX_CONCURRENT_PROJECTS, (project) =>
    loadProjectPlan(context, project, now),
  );
  const week = read.flatMap(({ week: posts }) => posts);
  return {
    projectCount: items.length,
    skippedProjects: items.length - shown.length,
    hasMoreProjects: isTruncated,
    upcoming: sortBySoonest(read.flatMap(({ week: posts, later }) => (posts.length > 0 ? posts : later))),
    week: sortBySoonest(week),
    hasMoreThisWeek: read.some(({ hasMoreThisWeek }) => hasMoreThisWeek),
    drafts: read.flatMap(({ drafts }) => drafts),
    hasMoreDrafts: read.some(({ hasMoreDrafts }) => hasMoreDrafts),
    incompleteProjects: read.filter(({ isIncomplete }) => isIncomplete).map(({ project }) => project),
  };
}

async function loadProjectPlan({ api }: AppContext, project: Project, now: Date) {
  const about = { projectId: project.id };
  const until = new Date(now.getTime() + WEEK_MS);
  const [week, drafts] = await Promise.all([
    listPosts(api, {
      ...about,
      status: ['SCHEDULED'],
      scheduledFrom: now,
      scheduledTo: until,
      limit: WEEK_PAGE,
    }),
    listPosts(api, { ...about, status: ['DRAFT'], limit: DRAFTS_PAGE }),
  ]);
  const posts = week.kind === 'done' ? week.data.items : [];
  const next = posts.length === 0 ? await getUpnextPost(api, project.id) : undefined;
  const later = next?.kind === 'done' && next.data.post ? [next.data.post] : [];
  const found = drafts.kind === 'done' ? drafts.data.items : [];
  const entry = (post: Post): Entry => ({ project, post });
  return {
    project,
    week: posts.map(entry),
    later: later.map(entry),
    drafts: found.map(entry),
    hasMoreThisWeek: posts.length >= WEEK_PAGE || isListTruncated(week),
    hasMoreDrafts: found.length >= DRAFTS_PAGE || isListTruncated(drafts),
    isIncomplete: [week, drafts, next].some((outcome) => outcome !== undefined && !isComplete(outcome)),
  };
}

function isListTruncated(outcome: Outcome<Records<Post>>): boolean {
  return outcome.kind === 'done' && outcome.data.isTruncated;
}

function isComplete(outcome: { kind: string; data?: { shape: string; unreadable?: number } }): boolean {
  const { kind, data } = outcome;
  return kind === 'done' && data?.shape === 'read' && (data.unreadable ?? 0) === 0;
}

/** Posts without a date come last. */
function sortBySoonest(entries: readonly Entry[]): Entry[] {
  const at = ({ post }: Entry) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  return entries.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}
