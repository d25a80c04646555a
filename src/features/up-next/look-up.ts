import { getUpnextPost } from '../../api/dashboard.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { addMissingProjects, type ProjectList, resolveChannelProject } from '../../posts/project.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { fetchDisplayName } from '../../slack/fetch-display-name.ts';
import type { Message } from '../../slack/message.ts';
import { type Next, noAnswer, noneRead, noProjects, severalProjects } from './up-next-messages.ts';

/** Of so many projects what is next fits one message; it names how many others there are. */
const MAX_SHOWN = 10;

/**
 * What is next for each project of a channel, or what to say instead. `more`: there are more others than these.
 * `isChosen`: the channel is about these.
 */
type LookedUp =
  | { next: readonly Next[]; others: number; isTruncated: boolean; isChosen: boolean }
  | { instead: Message };

export async function lookUpNext(call: Call): Promise<LookedUp> {
  const { context, actor, reference, channel } = call;
  const [outcome, bound] = await Promise.all([
    context.reads.projectsNow(context.api),
    boundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  if (outcome.kind !== 'done') return { instead: noAnswer(outcome, reference) };
  const { items, shape, isTruncated } = addMissingProjects(outcome.data, bound, call);
  if (shape === 'unreadable') return { instead: noAnswer('unreadable', reference) };
  const chosen = bound.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const found = chosen.length > 0 ? chosen : unchosen(call, { items, isTruncated });
  if ('instead' in found) return found;
  const next = await Promise.all(found.slice(0, MAX_SHOWN).map((project) => nextOf(call, project)));
  const isChosen = chosen.length > 0 || (items.length === 1 && !isTruncated);
  return {
    next,
    others: found.length - next.length,
    isTruncated: chosen.length === 0 && isTruncated,
    isChosen,
  };
}

/** Who may not choose for the channel is not asked to: of several they see each one's next. */
function unchosen({ channel, may }: Call, listed: ProjectList): readonly Project[] | { instead: Message } {
  const found = resolveChannelProject(listed, undefined);
  if (found.kind === 'none') return { instead: noProjects() };
  if (found.kind === 'one') return [found.project];
  if (may('manager')) return { instead: severalProjects(found.projects, channel) };
  return found.projects.length > 0 ? found.projects : { instead: noneRead() };
}

async function nextOf(call: Call, project: Project): Promise<Next> {
  const outcome = await getUpnextPost(call.context.api, project.id);
  if (outcome.kind !== 'done') return { kind: 'trouble', project, trouble: outcome };
  const { post, shape } = outcome.data;
  if (shape === 'unreadable') return { kind: 'unreadable', project };
  if (!post) return { kind: 'nothing', project };
  const by = await authorName(call, post);
  return { kind: 'post', project, post, ...(by !== undefined && { by }) };
}

/** Who scheduled it from here, by name: nobody is mentioned for being looked at. */
async function authorName(call: Call, { id }: Post): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const { context, actor } = call;
  const user = await context.submissions.authorOf({ workspace: actor.workspace, kind: 'post', result: id });
  return user === undefined ? undefined : fetchDisplayName(call, user);
}
