import { getUpnextPost, listScheduledAt, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../handlers/call.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { listHeldPlan } from '../../held-posts/listed-posts.ts';
import { findLaterDate } from '../../held-posts/series/occurrences.ts';
import { findAuthor } from '../../held-posts/sql/authors.ts';
import { type HeldInfo, mergePlan } from '../../posts/merge-plan.ts';
import type { PostAuthor } from '../../posts/post-card.ts';
import { countAtSameTime } from '../../posts/post-time.ts';
import {
  addMissingProjects,
  explainNoProject,
  isOnlyProject,
  type ProjectList,
  renderChannelNameNote,
  renderProjectSelect,
  resolveChannelProject,
} from '../../posts/project.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import type { Slot } from '../../preferences/posting-times.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import { escapeText, sanitizeLine, section } from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import type { Message } from '../../slack/message.ts';
import { buildLoadFailureMessage, type ReadFailure } from '../../slack/service-failure.ts';

export const REFRESH_ACTION = 'up-next.refresh';

/** The next post of one project, or the reason why there is none to show. */
export type NextPost = { project: Project } & (
  | {
      kind: 'post';
      post: Post;
      author?: PostAuthor | undefined;
      /** Number of other posts of the project in the same minute. */
      sameTimeCount: number;
      /** Set if Upnext keeps the post. */
      held?: HeldInfo | undefined;
      /** Set if the service's posts couldn't be read. One of them may be sooner. */
      failure?: ReadFailure | undefined;
    }
  /** `seriesDate`: the next date of a series, whose post isn't made yet. */
  | { kind: 'none'; failure?: ReadFailure | undefined; seriesDate?: Slot | undefined }
);

/** Maximum projects whose next post is shown in one message. The other projects are only counted. */
const MAX_SHOWN_PROJECTS = 10;

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

export async function loadNextPosts(call: Call): Promise<NextPostsResult> {
  const { context, actor, reference, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  // With known projects, the cards say that the service isn't answering.
  const { projects, failure } = await readProjects(call, outcome);
  if (!projects) return { message: renderLoadFailure(failure, reference) };
  const projectList = addMissingProjects(projects, boundIds, call);
  const { items, isTruncated } = projectList;
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const resolution =
    boundProjects.length > 0
      ? { shownProjects: boundProjects, note: undefined }
      : resolveUnboundChannel(call, projectList);
  if ('message' in resolution) return resolution;
  const { shownProjects, note } = resolution;
  const nextPosts = await fetchNextPosts(call, shownProjects.slice(0, MAX_SHOWN_PROJECTS));
  if (failure && !nextPosts.some(({ kind }) => kind === 'post'))
    return { message: renderLoadFailure(failure, reference) };
  // Somebody's only project isn't that of the channel, which may also follow one that is gone or at another service.
  const isProjectChosen = boundProjects.length > 0 || (boundIds.length === 0 && isOnlyProject(projectList));
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
  call: Call,
  projectList: ProjectList,
): { shownProjects: readonly Project[]; note: string | undefined } | { message: Message } {
  const { channel, channelName, may } = call;
  const resolution = resolveChannelProject(projectList, [], channelName);
  if (resolution.kind === 'none') return { message: { text: explainNoProject(projectList) } };
  if (resolution.kind === 'one') {
    const { project, isFromChannelName } = resolution;
    const note = isFromChannelName
      ? renderChannelNameNote(escapeText(sanitizeLine(project.name)), call)
      : undefined;
    return { shownProjects: [project], note };
  }
  if (channel !== undefined && may('manager'))
    return { message: renderProjectChoice(resolution.projects, channel) };
  // The list is truncated, and the part that was read has no project that the actor may see.
  return resolution.projects.length > 0
    ? { shownProjects: resolution.projects, note: undefined }
    : {
        message: {
          text: 'I found none of your projects, but there are more than I could read. Ask a Manager to choose this channel’s project with `/upnext use`.',
        },
      };
}

/** Maximum held posts of each project. Those in the minute of the next one are counted. */
const MAX_HELD_POSTS = 20;

/** Fetches the next post of each project: the next one of the service, or an earlier one that Upnext keeps. */
async function fetchNextPosts(call: Call, projects: readonly Project[]): Promise<readonly NextPost[]> {
  const { context, actor } = call;
  const serviceAnswers = await Promise.all(projects.map((project) => fetchServicePosts(call, project)));
  const { posts } = await listHeldPlan(context.heldPosts, {
    workspace: actor.workspace,
    projects: projects.map(({ id }) => id),
    states: UPCOMING_STATES,
    from: call.now(),
    maxPerProject: MAX_HELD_POSTS,
  });
  const plan = mergePlan(
    serviceAnswers.flatMap(({ project, posts: own }) => own.map((post) => ({ project, post }))),
    posts,
  );
  return Promise.all(
    serviceAnswers.map(async ({ project, failure }): Promise<NextPost> => {
      const ownPosts = plan.filter((planned) => planned.project.id === project.id);
      const [next] = ownPosts;
      if (!next) {
        const place = { workspace: actor.workspace, project: project.id };
        return { kind: 'none', project, failure, seriesDate: await findLaterDate(context.heldPosts, place) };
      }
      const { post, held } = next;
      return {
        ...{ kind: 'post', project, post, held },
        sameTimeCount: countAtSameTime(next, ownPosts),
        author: await fetchAuthor(call, post, next.held && next.author),
        failure,
      };
    }),
  );
}

const UPCOMING_STATES = ['held', 'awaiting-review', 'handed-over'] as const satisfies HeldState[];

/** Fetches the service's next posts of a project, which have the same time. */
async function fetchServicePosts(
  call: Call,
  project: Project,
): Promise<{ project: Project; posts: readonly Post[]; failure?: ReadFailure }> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { project, posts: [], failure: outcome };
  const { post, isReadable } = outcome.data;
  if (!isReadable) return { project, posts: [], failure: 'unreadable' };
  if (!post) return { project, posts: [] };
  const { scheduleDate: time } = post;
  const listed = time && (await listScheduledAt(call.context.api, project.id, time));
  const listedPosts = listed?.kind === 'done' ? listed.data : [];
  const includesPost = listedPosts.some(({ id }) => id !== undefined && id === post.id);
  return { project, posts: includesPost ? listedPosts : [post] };
}

/** Fetches the author of a held post, or of one that Upnext sent. The name is for a shared card, where a mention would notify them. */
async function fetchAuthor(
  call: Call,
  { id: serviceId }: Post,
  heldAuthor: string | undefined,
): Promise<PostAuthor | undefined> {
  const { context, actor } = call;
  const key = serviceId !== undefined && { workspace: actor.workspace, kind: 'post', serviceId };
  const id = heldAuthor ?? (key ? await findAuthor(context.db, key) : undefined);
  return id === undefined ? undefined : { id, name: await fetchDisplayName(call, id) };
}

/** Asks which project the channel is about. None is preselected, because a wrong choice would be worse than none. */
function renderProjectChoice(projects: readonly Project[], channel: string): Message {
  const isDirect = isDirectMessage(channel);
  const text = isDirect
    ? 'Which project do you want to see here?'
    : 'Which project should this channel follow?';
  return {
    text: `${text} Type /upnext use and the project’s name.`,
    blocks: [
      section(`*${text}*\nI’ll only ask once. You can change it with \`/upnext use\`.`),
      renderProjectSelect(projects),
    ],
  };
}

function renderLoadFailure(failure: ReadFailure, reference: string): Message {
  return buildLoadFailureMessage('I couldn’t load the next post.', failure, {
    reference,
    retry: { action: REFRESH_ACTION, state: {} },
  });
}
