import { isAccessRefusal } from '../../api/outcome.ts';
import { findSendingStop } from '../../engine/sending-stop.ts';
import type { Call } from '../../handlers/call.ts';
import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { isPaused } from '../../submissions/pause.ts';
import { within } from '../../within.ts';

/** What keeps posts from going out although nobody has stopped their project. */
export type Obstacle = 'all-stopped' | 'refused';

export const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  'all-stopped': 'An operator has stopped all sending too, so nothing goes out until that ends.',
  refused:
    'The scheduling service refuses my access, so posts wait until an Owner replaces the token with `/upnext connect`.',
};

/** A slow service doesn't delay a resumption: it says no more than what is known without it. */
const MAX_SERVICE_WAIT_MS = 2000;

/** Finds out whether an operator has stopped all sending, or the service refuses the token for such submissions. */
export async function findObstacle(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  project: string,
  kinds: readonly string[],
): Promise<Obstacle | undefined> {
  const submissions = { workspace: actor.workspace, project, kinds: ['post', ...kinds] };
  const [allStop, isRefused, projects] = await Promise.all([
    findSendingStop(context.db),
    isPaused(context.submissions.context, submissions),
    // Nothing was sent while the project was stopped, so only another request shows that the token is refused.
    within(MAX_SERVICE_WAIT_MS, context.reads.fetchProjects(context.api)),
  ]);
  if (allStop) return 'all-stopped';
  const isReadRefused = projects?.kind === 'refused' && isAccessRefusal(projects.status);
  return isRefused || isReadRefused ? 'refused' : undefined;
}

/** Adds that all sending is stopped, because people read of their posts only that sending is stopped. */
export async function addAllStopped({ context: { db } }: Call, { text, blocks }: Message): Promise<Message> {
  if (!(await findSendingStop(db))) return { text, ...(blocks && { blocks }) };
  const note = 'But an operator has stopped all sending, and only an operator can resume that.';
  return { text: `${text} ${note}`, blocks: [...(blocks ?? [section(text)]), section(note)] };
}
