import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { readProfile } from '../../forms/reader.ts';
import type { ServiceFailure } from '../../slack/service-trouble.ts';
import { outboxOf } from '../../submissions/sql/lists.ts';

/** So many projects are looked at, for a Home that is made anew after every action; it names how many others there are. */
const MOST_PROJECTS = 10;
/** Calls to the service at the same time. */
const TOGETHER = 4;
/** One page of each project: Home says "more" beyond. */
const WEEK_PAGE = 100;
const DRAFTS_PAGE = 10;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** A post with the project that it belongs to. */
export interface Entry {
  project: Project;
  post: Post;
}

/** Everything that Home shows of the service. */
export interface Plans {
  projects: number;
  others: number;
  /** There are others still, which were not read. */
  moreProjects: boolean;
  /** By moment, the soonest first; of each project the next one where it has none this week. */
  coming: readonly Entry[];
  week: readonly Entry[];
  /** There is more this week than was read. */
  isMore: boolean;
  drafts: readonly Entry[];
  moreDrafts: boolean;
  /** Projects of which something could not be read, with the first reason. */
  missing: readonly Project[];
}

export interface HomeFacts {
  now: Date;
  practice: boolean;
  zone: string;
  /** Things of the person's own that have not ended well yet. */
  waiting: number;
  plans: Plans | { trouble: ServiceFailure } | 'unreadable';
}

/** What Home is made with: a call of its person's, or the same from elsewhere. */
export type HomeCall = Pick<Call, 'context' | 'who' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export async function loadHome(call: HomeCall): Promise<HomeFacts> {
  const { context, who } = call;
  const now = call.now();
  const [plans, { readerZone: zone = 'UTC' }, waiting] = await Promise.all([
    plansOf(call, now),
    readProfile(call),
    outboxOf(context.db, { workspace: who.workspace, author: who.user }),
  ]);
  return { now, practice: context.practice, zone, waiting: waiting.length, plans };
}

async function plansOf({ context }: HomeCall, now: Date): Promise<HomeFacts['plans']> {
  const outcome = await context.reads.projectsNow(context.api);
  if (outcome.kind !== 'done') return { trouble: outcome };
  const { items, shape, isTruncated } = outcome.data;
  if (shape === 'unreadable') return 'unreadable';
  const shown = items.slice(0, MOST_PROJECTS);
  const read = await mapLimited(shown, TOGETHER, (project) => readProject(context, project, now));
  const week = read.flatMap(({ week: posts }) => posts);
  return {
    projects: items.length,
    others: items.length - shown.length,
    moreProjects: isTruncated,
    coming: bySoonest(read.flatMap(({ week: posts, later }) => (posts.length > 0 ? posts : later))),
    week: bySoonest(week),
    isMore: read.some(({ isMore }) => isMore),
    drafts: read.flatMap(({ drafts }) => drafts),
    moreDrafts: read.some(({ moreDrafts }) => moreDrafts),
    missing: read.filter(({ isMissing }) => isMissing).map(({ project }) => project),
  };
}

async function readProject({ api }: AppContext, project: Project, now: Date) {
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
    isMore: posts.length >= WEEK_PAGE || isListTruncated(week),
    moreDrafts: found.length >= DRAFTS_PAGE || isListTruncated(drafts),
    isMissing: [week, drafts, next].some((outcome) => outcome !== undefined && !isWhole(outcome)),
  };
}

function isListTruncated(outcome: Outcome<Records<Post>>): boolean {
  return outcome.kind === 'done' && outcome.data.isTruncated;
}

function isWhole(outcome: { kind: string; data?: { shape: string; unreadable?: number } }): boolean {
  const { kind, data } = outcome;
  return kind === 'done' && data?.shape === 'read' && (data.unreadable ?? 0) === 0;
}

/** A post without a moment comes last. */
function bySoonest(entries: readonly Entry[]): Entry[] {
  const at = ({ post }: Entry) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  return entries.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}
