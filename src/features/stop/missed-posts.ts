import type { Button } from '@slack/types';
import type { SendingStop } from '../../engine/sending-stop.ts';
import type { Call } from '../../handlers/call.ts';
import type { HeldSelection } from '../../held-posts/bulk.ts';
import { cancelHeldPost } from '../../held-posts/change.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readHeldContent } from '../../held-posts/held-post-context.ts';
import { listHeldPosts } from '../../held-posts/sql/held-posts.ts';
import {
  buildHeldPostAction,
  buildHeldPostValue,
  getHashPrefix,
  HELD_LIST_PREFIX,
} from '../../held-posts/text/held-post-buttons.ts';
import { button } from '../../slack/blocks.ts';
import { discardSubmission } from '../../submissions/deliveries.ts';
import { listMissed, listUnsent } from '../../submissions/project-stop.ts';
import { updateShownMessage } from '../../submissions/shown.ts';
import { findSubmission } from '../../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { createTextContext, renderSubmission } from '../../submissions/text/render-submission.ts';
import { ACTIONS, LIST_PREFIX } from '../../submissions/text/state-blocks.ts';

const NEW_TIME = 'New time';

/** A post that a stop or a resumption changes something for. */
export interface AffectedPost {
  /** Plain text. */
  title: string;
  text: string;
  /** The author's Slack id. */
  author: string;
}

/** A post that a stop has kept from being sent in time. */
export interface MissedPost extends AffectedPost {
  /** Identifies the post and its version. */
  key: string;
  /** The held post, whose author hears of a press on [Discard] anyway. Absent for a submission. */
  held?: HeldSelection['posts'][number];
  /** The button with which the person can choose a new time for the post. */
  newTime?: Button;
  /** Discards the post. Resolves with false if it has changed meanwhile. */
  discard(): Promise<boolean>;
}

/** Lists the posts of a project that weren't sent because of a stop. None of them is sent when the stop ends. */
export async function listMissedPosts(
  call: Call,
  project: string,
  stop: Pick<SendingStop, 'since'>,
): Promise<MissedPost[]> {
  const key = { workspace: call.actor.workspace, project };
  const [submissions, heldPosts] = await Promise.all([
    listMissed(call.context.submissions.context, key, stop),
    listMissedHeldPosts(call, project, stop),
  ]);
  return [
    ...submissions.map((row) => describeSubmission(call, row)),
    ...heldPosts.map((row) => describeHeldPost(call, row)),
  ];
}

/** Lists the posts of a project that would go out without a stop, up to the maximum of each list. Reviewed posts wait anyway. */
export async function listWaitingPosts(call: Call, project: string): Promise<AffectedPost[]> {
  const { context, actor, now } = call;
  const { workspace } = actor;
  const [submissions, heldPosts] = await Promise.all([
    listUnsent(context.submissions.context, { workspace, project }),
    listHeldPosts(context.db, { workspace, project, states: ['held'], from: now() }),
  ]);
  return [
    ...submissions.map((row) => describeSubmission(call, row)),
    ...heldPosts.map((row) => describeHeldPost(call, row)),
  ];
}

async function listMissedHeldPosts(
  { context, actor, now }: Call,
  project: string,
  { since }: Pick<SendingStop, 'since'>,
): Promise<HeldPostRow[]> {
  const rows = await listHeldPosts(context.db, {
    workspace: actor.workspace,
    project,
    states: ['held', 'awaiting-review', 'needs-person'],
    from: since,
    to: now(),
  });
  return rows.filter(({ state, reason }) => state !== 'needs-person' || reason === 'overdue');
}

function describeSubmission(
  { context, actor, client, log, reference }: Call,
  row: SubmissionRow,
): MissedPost {
  const { context: submissionContext } = context.submissions;
  const { title, text, stateCopy } = renderSubmission(
    submissionContext,
    row,
    createTextContext(submissionContext),
  );
  const canMove = row.author === actor.user && stateCopy.buttons.includes('new-time');
  return {
    ...{ key: `${row.id} ${row.state}`, title, text, author: row.author },
    ...(canMove && { newTime: button(NEW_TIME, ACTIONS['new-time'], `${LIST_PREFIX}${row.id}`) }),
    async discard() {
      if (!(await discardSubmission(context.db, row, submissionContext.clock.readShared(), null)))
        return false;
      const discardedRow = await findSubmission(context.db, row);
      // The post is discarded, even if Slack doesn't accept the update of its message.
      if (discardedRow)
        await updateShownMessage(submissionContext, client, discardedRow).catch((error: unknown) =>
          log.warn({ reference, err: error }, 'could not update the message of a submission'),
        );
      return true;
    },
  };
}

function describeHeldPost({ context, actor }: Call, row: HeldPostRow): MissedPost {
  const { context: heldContext } = context.heldPosts;
  const content = readHeldContent(heldContext, row)?.content;
  const { copy } = heldContext.kind;
  const { id, workspace, version, author, state } = row;
  const move = button(NEW_TIME, buildHeldPostAction('move'), buildHeldPostValue(row, HELD_LIST_PREFIX));
  return {
    ...{ key: `${id} ${version}`, author, held: { id, version, hash: getHashPrefix(row) } },
    // A post whose hand-over is still due is about to ask its author.
    ...(state === 'needs-person' && { newTime: move }),
    title:
      content === undefined
        ? 'A post'
        : copy.renderTitle(content, createTextContext(context.submissions.context)),
    text: content === undefined ? '' : copy.getText(content),
    discard: async () => {
      const result = await cancelHeldPost(heldContext, { id, workspace, version, actor: actor.user });
      return result.kind === 'changed';
    },
  };
}
