import { getUpnextPost } from '../../api/dashboard.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import type { PostAuthor } from '../../posts/post-card.ts';
import { comparePosts, countAtSameTime } from '../../posts/post-order.ts';
import {
  addMissingProjects,
  type ProjectList,
  renderChannelNameNote,
  resolveChannelProject,
} from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { escapeText, sanitizeLine } from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-display-name.ts';
import type { Message } from '../../slack/message.ts';
import { renderNoProjects, renderNoReadableProjects, renderProjectChoice } from './no-projects.ts';
import { type NextPost, renderLoadFailure } from './up-next-messages.ts';

/** Maximum projects whose next post is shown in one message. The other projects are only counted. */
const MAX_SHOWN_PROJECTS = 10;
/** Maximum posts to read from the minute of the next post. */
const MAX_SAME_TIME_POSTS = 20;
const MINUTE_MS = 60_000;

/**
 * The next post of each of the channel's projects, or the message to show instead. `otherProjectCount` is the number of
 * projects that aren't shown; if `isTruncated`, there may be more. `isProjectChosen`: whether the projects were chosen
 * for this channel, or are the only project. `note` explains the choice of a project (mrkdwn).
 */
type NextPostsResult =
  | {
      nextPosts: readonly NextPost[];
      otherProjectCount: number;
      isTruncated: boolean;
      isProjectChosen: boolean;
      note?: string | undefined;
    }
  | { message: Message };

/** Fetches the next posts of the projects that the channel is about. */
export async function loadNextPosts(call: Call): Promise<NextPostsResult> {
  const { context, actor, reference, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  if (outcome.kind !== 'done') return { message: renderLoadFailure(outcome, reference) };
  const { items, isReadable, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (!isReadable) return { message: renderLoadFailure('unreadable', reference) };
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const resolution =
    boundProjects.length > 0
      ? { shownProjects: boundProjects, note: undefined }
      : resolveUnboundChannel(call, { items, isTruncated });
  if ('message' in resolution) return resolution;
  const { shownProjects, note } = resolution;
  const nextPosts = await Promise.all(
    shownProjects.slice(0, MAX_SHOWN_PROJECTS).map((project) => fetchNextPost(call, project)),
  );
  const isProjectChosen = boundProjects.length > 0 || (items.length === 1 && !isTruncated);
  return {
    nextPosts,
    otherProjectCount: shownProjects.length - nextPosts.length,
    isTruncated: boundProjects.length === 0 && isTruncated,
    isProjectChosen,
    note,
  };
}

/**
 * Finds the projects for a channel without a binding: the project that the channel is named after, or all projects.
 * Managers in a channel get a menu instead of all projects.
 */
function resolveUnboundChannel(
  { channel, channelName, may }: Call,
  projectList: ProjectList,
): { shownProjects: readonly Project[]; note: string | undefined } | { message: Message } {
  const resolution = resolveChannelProject(projectList, [], channelName);
  if (resolution.kind === 'none') return { message: renderNoProjects() };
  if (resolution.kind === 'one') {
    const { project, isFromChannelName } = resolution;
    const note = isFromChannelName
      ? renderChannelNameNote(escapeText(sanitizeLine(project.name)))
      : undefined;
    return { shownProjects: [project], note };
  }
  if (channel !== undefined && may('manager'))
    return { message: renderProjectChoice(resolution.projects, channel) };
  return resolution.projects.length > 0
    ? { shownProjects: resolution.projects, note: undefined }
    : { message: renderNoReadableProjects() };
}

async function fetchNextPost(call: Call, project: Project): Promise<NextPost> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { kind: 'failed', project, failure: outcome };
  const { post, isReadable } = outcome.data;
  if (!isReadable) return { kind: 'unreadable', project };
  if (!post) return { kind: 'nothing', project };
  const [sameTimePosts, author] = await Promise.all([
    listPostsAtSameTime(call, project, post),
    fetchAuthor(call, post),
  ]);
  const [firstPost = post] = sameTimePosts;
  return {
    kind: 'post',
    project,
    post: firstPost,
    sameTimeCount: countAtSameTime(firstPost, sameTimePosts),
    author: firstPost === post || firstPost.id === post.id ? author : await fetchAuthor(call, firstPost),
  };
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
  return id === undefined ? undefined : { id, name: await fetchDisplayName(call, id) };
}
