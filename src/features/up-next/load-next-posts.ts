import { isInconclusive } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { findLastProjects } from '../../forms/find-last-projects.ts';
import {
  addMissingProjects,
  type ProjectList,
  renderChannelNameNote,
  resolveChannelProject,
} from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { fetchNextPosts } from './fetch-next-posts.ts';
import { renderNoProjects, renderNoReadableProjects, renderProjectChoice } from './no-projects.ts';
import { type NextPost, renderLoadFailure } from './up-next-messages.ts';

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

/** Fetches the next posts of the projects that the channel is about. */
export async function loadNextPosts(call: Call): Promise<NextPostsResult> {
  const { context, actor, reference, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  // With known projects, the cards say that the service isn't answering.
  const knownProjects = isInconclusive(outcome) ? await findLastProjects(call) : undefined;
  const projects = outcome.kind === 'done' ? outcome.data : knownProjects;
  if (!projects)
    return { message: renderLoadFailure(outcome.kind === 'done' ? 'unreadable' : outcome, reference) };
  const { items, isReadable, isTruncated } = addMissingProjects(projects, boundIds, call);
  if (!isReadable) return { message: renderLoadFailure('unreadable', reference) };
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const resolution =
    boundProjects.length > 0
      ? { shownProjects: boundProjects, note: undefined }
      : resolveUnboundChannel(call, { items, isTruncated });
  if ('message' in resolution) return resolution;
  const { shownProjects, note } = resolution;
  const nextPosts = await fetchNextPosts(call, shownProjects.slice(0, MAX_SHOWN_PROJECTS));
  if (outcome.kind !== 'done' && !nextPosts.some(({ kind }) => kind === 'post'))
    return { message: renderLoadFailure(outcome, reference) };
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
