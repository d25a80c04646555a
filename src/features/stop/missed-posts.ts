import type { Button } from '@slack/types';
import type { Transaction } from 'kysely';
import { commitWithEntry } from '../../access/access.ts';
import type { SendingStop } from '../../engine/sending-stop.ts';
import type { Call } from '../../handlers/call.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import { changeAll, type HeldSelection } from '../../held-posts/bulk.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readHeldContent } from '../../held-posts/held-post-context.ts';
import { type HeldPostFilter, listHeldPosts } from '../../held-posts/sql/held-posts.ts';
import {
  buildHeldPostAction,
  buildHeldPostValue,
  getHashPrefix,
  HELD_LIST_PREFIX,
} from '../../held-posts/text/held-post-buttons.ts';
import { button } from '../../slack/blocks.ts';
import { listMissed, listUnsent } from '../../submissions/project-stop.ts';
import { refreshShownMessage } from '../../submissions/shown.ts';
import { discardSubmission, readCurrentRow } from '../../submissions/sql/submissions.ts';
import type { SubmissionRow, SubmissionTables } from '../../submissions/submission.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { ACTIONS, LIST_PREFIX } from '../../submissions/text/state-blocks.ts';

const NEW_TIME = 'New time';

/** A post that a stop or a resumption changes something for. */
export interface AffectedPost {
  /** The kind of the submission: "invitation". */
  kind: string;
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
  /** Discards a submission. Resolves with false if it has changed meanwhile. */
  discard?(): Promise<boolean>;
}

/** Lists the posts of a project that weren't sent because of a stop. None of them is sent when the stop ends. */
export async function listMissedPosts(
  call: Call,
  project: string,
  { since }: Pick<SendingStop, 'since'>,
): Promise<MissedPost[]> {
  const { context, now } = call;
  const key = { workspace: call.actor.workspace, project };
  const states = ['held', 'awaiting-review', 'needs-person'] as const;
  const [submissions, heldPosts] = await Promise.all([
    readAll(
      (page) => listMissed(context.submissions.context, key, { since }, page),
      (row) => describeSubmission(call, row),
    ),
    readAllHeld(call, { ...key, states, from: since, to: now() }, (row) => {
      const isMissed = row.state !== 'needs-person' || row.reason === 'overdue';
      return isMissed ? describeHeldPost(call, row) : [];
    }),
  ]);
  return [...submissions, ...heldPosts];
}

/** Reads the lists of a project's posts that would go out without a stop. Posts that are reviewed wait anyway. */
export function listWaitingPosts(call: Call, project: string): Promise<AffectedPost[]>[] {
  const { context, now } = call;
  const key = { workspace: call.actor.workspace, project };
  return [
    readAll(
      (page) => listUnsent(context.submissions.context, key, page),
      (row) => describeSubmission(call, row),
    ),
    readAllHeld(call, { ...key, states: ['held'], from: now() }, (row) => describeHeldPost(call, row)),
  ];
}

const PAGE_SIZE = 100;

/** Reads a list page by page, because the contents of all rows at once may need much memory. */
export async function readAll<Row, Entry>(
  readPage: (page: { offset: number; limit: number }) => Promise<Row[]>,
  describe: (row: Row) => Entry | Entry[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const rows = await readPage({ offset, limit: PAGE_SIZE });
    entries.push(...rows.flatMap(describe));
    if (rows.length < PAGE_SIZE) return entries;
  }
}

/** Reads held posts page by page, each after the last post of the page before: there may be 100,000. */
async function readAllHeld<Entry>(
  { context }: Call,
  filter: HeldPostFilter,
  describe: (row: HeldPostRow) => Entry | Entry[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: HeldPostRow | undefined; ; ) {
    const rows = await listHeldPosts(context.db, filter, { after, limit: PAGE_SIZE });
    entries.push(...rows.flatMap(describe));
    after = rows.at(-1);
    if (rows.length < PAGE_SIZE) return entries;
  }
}

function describeSubmission(call: Call, row: SubmissionRow): MissedPost {
  const { context, actor } = call;
  const { context: submissionContext } = context.submissions;
  const prepareEntry = createEntryPreparer(call);
  const { title, text, stateCopy } = renderSubmission(submissionContext, row, { reader: {} });
  const canMove = row.author === actor.user && stateCopy.buttons.includes('new-time');
  return {
    ...{ key: `${row.id} ${row.state}`, kind: row.kind, title, text, author: row.author },
    ...(canMove && { newTime: button(NEW_TIME, ACTIONS['new-time'], `${LIST_PREFIX}${row.id}`) }),
    async discard() {
      const now = submissionContext.clock.readShared();
      const entry = prepareEntry('outbox discard', row);
      const discard = async (transaction: Transaction<SubmissionTables>) =>
        (await discardSubmission(transaction, row, now, null)) || undefined;
      if (!(await commitWithEntry<SubmissionTables, true>(context.db, entry, discard))) return false;
      await refreshShownMessage(submissionContext, await readCurrentRow(context.db, row));
      return true;
    },
  };
}

function describeHeldPost({ context, now }: Call, row: HeldPostRow): MissedPost {
  const heldContext = context.heldPosts;
  const content = readHeldContent(heldContext, row)?.content;
  const { copy } = heldContext.kind;
  const { id, version, author, state } = row;
  const move = button(NEW_TIME, buildHeldPostAction('move'), buildHeldPostValue(row, HELD_LIST_PREFIX));
  return {
    ...{ key: `${id} ${version}`, kind: 'post', author, held: { id, version, hash: getHashPrefix(row) } },
    // A post whose hand-over is still due is about to ask its author.
    ...(state === 'needs-person' && { newTime: move }),
    title: content === undefined ? 'A post' : copy.renderTitle(content, { now: now(), reader: {} }),
    text: content === undefined ? '' : copy.getText(content),
  };
}

/**
 * Discards posts, and resolves with those that nobody has changed meanwhile. The manager's role is checked before each.
 * Authors of several hear of them at once.
 */
export async function discardPosts(
  call: Call,
  project: string,
  posts: readonly MissedPost[],
): Promise<MissedPost[]> {
  const { context, actor } = call;
  const { recheckPermission } = context.access;
  const selection = {
    workspace: actor.workspace,
    actor: actor.user,
    prepareEntry: createEntryPreparer(call),
    posts: posts.flatMap(({ held }) => held ?? []),
  };
  const { done } = await changeAll(
    context.heldPosts,
    selection,
    { kind: 'cancel' },
    { getRole: () => 'manager', mayAtPress: () => true },
  );
  const discarded = posts.filter(({ held }) => done.some(({ id }) => id === held?.id));
  for (const post of posts) {
    const isAllowed =
      post.discard && (await recheckPermission(actor, 'manager', project, { isInRequest: true })) === 'yes';
    if (isAllowed && (await post.discard?.())) discarded.push(post);
  }
  return discarded;
}
