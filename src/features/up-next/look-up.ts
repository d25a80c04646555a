import { getUpnextPost } from '../../api/dashboard.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { addMissingProjects, type ProjectList, resolveChannelProject } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { fetchDisplayName } from '../../slack/fetch-display-name.ts';
import type { Message } from '../../slack/message.ts';
import {
  chooseProjectMessage,
  lookUpFailedMessage,
  type Next,
  noProjectsMessage,
  noReadableProjectsMessage,
} from './up-next-messages.ts';

/** The next posts of this many projects fit in one message, which also says how many other projects there are. */
const MAX_SHOWN_PROJECTS = 10;

/**
 * The next post of each project of a channel, or the message to show instead. `others` counts the projects that aren't
 * shown; if `isTruncated`, there are more than that. `isChosen`: the channel is about these projects.
 */
type LookUpResult =
  | { next: readonly Next[]; others: number; isTruncated: boolean; isChosen: boolean }
  | { instead: Message };

export async function lookUpNext(call: Call): Promise<LookUpResult> {
  const { context, actor, reference, channel } = call;
  const [outcome, bound] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  if (outcome.kind !== 'done') return { instead: lookUpFailedMessage(outcome, reference) };
  const { items, shape, isTruncated } = addMissingProjects(outcome.data, bound, call);
  if (shape === 'unreadable') return { instead: lookUpFailedMessage('unreadable', reference) };
  const chosen = bound.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const found = chosen.length > 0 ? chosen : projectsWithoutBinding(call, { items, isTruncated });
  if ('instead' in found) return found;
  const next = await Promise.all(
    found.slice(0, MAX_SHOWN_PROJECTS).map((project) => fetchNext(call, project)),
  );
  const isChosen = chosen.length > 0 || (items.length === 1 && !isTruncated);
  return {
    next,
    others: found.length - next.length,
    isTruncated: chosen.length === 0 && isTruncated,
    isChosen,
  };
}

/** A manager is asked to choose the channel's project. Other people can't choose, so they see the projects they may see. */
function projectsWithoutBinding(
  { channel, may }: Call,
  listed: ProjectList,
): readonly Project[] | { instead: Message } {
  const found = resolveChannelProject(listed, undefined);
  if (found.kind === 'none') return { instead: noProjectsMessage() };
  if (found.kind === 'one') return [found.project];
  if (may('manager')) return { instead: chooseProjectMessage(found.projects, channel) };
  return found.projects.length > 0 ? found.projects : { instead: noReadableProjectsMessage() };
}

async function fetchNext(call: Call, project: Project): Promise<Next> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { kind: 'trouble', project, trouble: outcome };
  const { post, shape } = outcome.data;
  if (shape === 'unreadable') return { kind: 'unreadable', project };
  if (!post) return { kind: 'nothing', project };
  const by = await authorName(call, post);
  return { kind: 'post', project, post, ...(by !== undefined && { by }) };
}

/** The display name of the author of a post that was sent from here. A mention would notify the author each time. */
async function authorName(call: Call, { id }: Post): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const { context, actor } = call;
  const user = await context.submissions.findAuthor({ workspace: actor.workspace, kind: 'post', result: id });
  return user === undefined ? undefined : fetchDisplayName(call, user);
}
