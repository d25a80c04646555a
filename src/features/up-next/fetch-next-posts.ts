import { getUpnextPost } from '../../api/dashboard.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import type { State } from '../../held-posts/held-post.ts';
import { dropHandedOver, type ListedHeldPost, listHeldPlan } from '../../held-posts/listed-posts.ts';
import type { PostAuthor } from '../../posts/post-card.ts';
import { comparePosts, countAtSameTime } from '../../posts/post-order.ts';
import { fetchDisplayName } from '../../slack/fetch-display-name.ts';
import type { ServiceFailure } from '../../slack/service-failure.ts';
import type { NextPost } from './up-next-messages.ts';

/** Maximum posts to read from the minute of the next post. */
const MAX_SAME_TIME_POSTS = 20;
const MINUTE_MS = 60_000;

/** Fetches the next post of each project: the next one of the service, or an earlier one that Upnext keeps. */
export async function fetchNextPosts(call: Call, projects: readonly Project[]): Promise<readonly NextPost[]> {
  const { context, actor } = call;
  const serviceAnswers = await Promise.all(projects.map((project) => fetchServicePosts(call, project)));
  // Read after the service's posts, so that a post that is handed over meanwhile isn't missing.
  const { posts } = await listHeldPlan(context.heldPosts.context, {
    workspace: actor.workspace,
    projects: projects.map(({ id }) => id),
    states: UPCOMING_STATES,
    from: call.now(),
    maxPerProject: MAX_SAME_TIME_POSTS,
  });
  return Promise.all(
    projects.map((project, index) => {
      const answer = serviceAnswers[index] ?? { kind: 'nothing', project };
      const heldPosts = posts.filter((held) => held.project.id === project.id);
      return chooseNextPost(call, answer, heldPosts);
    }),
  );
}

const UPCOMING_STATES = ['held', 'awaiting-review', 'handed-over'] as const satisfies State[];

/** The service's next posts of a project, which have the same time, and the first one's author. Or why there is none. */
type ServiceAnswer =
  | { kind: 'posts'; project: Project; posts: readonly Post[]; author: PostAuthor | undefined }
  | Exclude<NextPost, { kind: 'post' }>;

async function fetchServicePosts(call: Call, project: Project): Promise<ServiceAnswer> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { kind: 'failed', project, failure: outcome };
  const { post, isReadable } = outcome.data;
  if (!isReadable) return { kind: 'unreadable', project };
  if (!post) return { kind: 'nothing', project };
  const [posts, author] = await Promise.all([
    listPostsAtSameTime(call, project, post),
    fetchAuthor(call, post),
  ]);
  const [firstPost = post] = posts;
  const isSame = firstPost === post || firstPost.id === post.id;
  return { kind: 'posts', project, posts, author: isSame ? author : await fetchAuthor(call, firstPost) };
}

async function chooseNextPost(
  call: Call,
  answer: ServiceAnswer,
  heldPosts: readonly ListedHeldPost[],
): Promise<NextPost> {
  const { project } = answer;
  const servicePosts = answer.kind === 'posts' ? answer.posts : [];
  const keptPosts = dropHandedOver(
    heldPosts,
    servicePosts.map((post) => ({ project, post })),
  );
  const posts = [...servicePosts, ...keptPosts.map(({ post }) => post)].toSorted(comparePosts);
  const [post] = posts;
  if (!post) return answer.kind === 'posts' ? { kind: 'nothing', project } : answer;
  const kept = keptPosts.find((heldPost) => heldPost.post === post);
  return {
    kind: 'post',
    project,
    post,
    sameTimeCount: countAtSameTime(post, posts),
    author: kept ? await nameAuthor(call, kept.author) : answer.kind === 'posts' ? answer.author : undefined,
    held: kept?.held,
    failure: getFailure(answer),
  };
}

function getFailure(answer: ServiceAnswer): ServiceFailure | 'unreadable' | undefined {
  if (answer.kind === 'unreadable') return answer.kind;
  return answer.kind === 'failed' ? answer.failure : undefined;
}

/** Lists the scheduled posts in the minute of a post, sorted. Only the post itself if the service doesn't list them. */
async function listPostsAtSameTime(
  { context }: Call,
  project: Project,
  post: Post,
): Promise<readonly Post[]> {
  if (!post.scheduleDate) return [post];
  const minuteStart = Math.floor(post.scheduleDate.getTime() / MINUTE_MS) * MINUTE_MS;
  const outcome = await listPosts(context.api, {
    projectId: project.id,
    status: ['SCHEDULED'],
    scheduledFrom: new Date(minuteStart),
    scheduledTo: new Date(minuteStart + MINUTE_MS - 1),
    limit: MAX_SAME_TIME_POSTS,
  });
  const listedPosts = outcome.kind === 'done' ? outcome.data.items : [];
  const scheduledPosts = listedPosts.filter(({ status }) => status?.toUpperCase() === 'SCHEDULED');
  const includesPost = scheduledPosts.some(({ id }) => id !== undefined && id === post.id);
  return includesPost ? scheduledPosts.toSorted(comparePosts) : [post];
}

/**
 * Fetches the author if Upnext sent the post. The name is for a shared card, where a mention would notify the author.
 */
async function fetchAuthor(call: Call, { id: serviceId }: Post): Promise<PostAuthor | undefined> {
  if (serviceId === undefined) return undefined;
  const { context, actor } = call;
  const id = await context.submissions.findAuthor({ workspace: actor.workspace, kind: 'post', serviceId });
  return id === undefined ? undefined : nameAuthor(call, id);
}

async function nameAuthor(call: Call, id: string): Promise<PostAuthor> {
  return { id, name: await fetchDisplayName(call, id) };
}
