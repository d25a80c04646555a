import { getUpnextPost } from '../../api/dashboard.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { addMissingProjects, type ProjectList, resolveChannelProject } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { fetchDisplayName } from '../../slack/fetch-display-name.ts';
import type { Message } from '../../slack/message.ts';
import {
  type NextPost,
  renderLookUpFailure,
  renderNoProjects,
  renderNoReadableProjects,
  renderProjectChoice,
} from './up-next-messages.ts';

/** The next posts of this many projects fit in one message, which also says how many other projects there are. */
const MAX_SHOWN_PROJECTS = 10;

/**
 * The next post of each project of a channel, or the message to show instead. `others` counts the projects that aren't
 * shown; if `isTruncated`, there are more than that. `isChosen`: the channel is about these projects.
 */
type LookUpResult =
  | { nextPosts: readonly NextPost[]; otherCount: number; isTruncated: boolean; isChosen: boolean }
  | { replacement: Message };

export async function findNextPosts(call: Call): Promise<LookUpResult> {
  const { context, actor, reference, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  if (outcome.kind !== 'done') return { replacement: renderLookUpFailure(outcome, reference) };
  const { items, shape, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (shape === 'unreadable') return { replacement: renderLookUpFailure('unreadable', reference) };
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const shownProjects =
    boundProjects.length > 0 ? boundProjects : findProjectsWithoutBinding(call, { items, isTruncated });
  if ('instead' in shownProjects) return shownProjects;
  const nextPosts = await Promise.all(
    shownProjects.slice(0, MAX_SHOWN_PROJECTS).map((project) => fetchNextPost(call, project)),
  );
  const isChosen = boundProjects.length > 0 || (items.length === 1 && !isTruncated);
  return {
    nextPosts,
    otherCount: shownProjects.length - nextPosts.length,
    isTruncated: boundProjects.length === 0 && isTruncated,
    isChosen,
  };
}

/** A manager is asked to choose the channel's project. Other people can't choose, so they see the projects they may see. */
function findProjectsWithoutBinding(
  { channel, may }: Call,
  listed: ProjectList,
): readonly Project[] | { instead: Message } {
  const resolution = resolveChannelProject(listed, undefined);
  if (resolution.kind === 'none') return { instead: renderNoProjects() };
  if (resolution.kind === 'one') return [resolution.project];
  if (may('manager')) return { instead: renderProjectChoice(resolution.projects, channel) };
  return resolution.projects.length > 0 ? resolution.projects : { instead: renderNoReadableProjects() };
}

async function fetchNextPost(call: Call, project: Project): Promise<NextPost> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { kind: 'trouble', project, trouble: outcome };
  const { post, shape } = outcome.data;
  if (shape === 'unreadable') return { kind: 'unreadable', project };
  if (!post) return { kind: 'nothing', project };
  const by = await fetchAuthorName(call, post);
  return { kind: 'post', project, post, ...(by !== undefined && { authorName: by }) };
}

/** The display name of the author of a post that was sent from here. A mention would notify the author each time. */
async function fetchAuthorName(call: Call, { id }: Post): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const { context, actor } = call;
  const user = await context.submissions.findAuthor({ workspace: actor.workspace, kind: 'post', result: id });
  return user === undefined ? undefined : fetchDisplayName(call, user);
}
