import type { Button } from '@slack/types';
import type { SendingStop } from '../../engine/sending-stop.ts';
import type { Call } from '../../handlers/call.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import { changeAll, type HeldSelection } from '../../held-posts/bulk.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readHeldContent } from '../../held-posts/held-post-context.ts';
import {
  type HeldPostFilter,
  listHeldPosts,
  listPostsOfSubmissions,
} from '../../held-posts/sql/held-posts.ts';
import {
  buildHeldPostAction,
  buildHeldPostValue,
  getHashPrefix,
  HELD_LIST_PREFIX,
} from '../../held-posts/text/held-post-buttons.ts';
import { button } from '../../slack/blocks.ts';
import { listMissed, listUnsent } from '../../submissions/project-stop.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';

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
  held: HeldSelection['posts'][number];
  /** The button with which the person can choose a new time for the post. */
  newTime?: Button;
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
      async (page) => {
        const rows = await listMissed(context.submissions.context, key, { since }, page);
        const posts = await listPostsOfSubmissions(context.db, rows);
        return rows.map((row) => ({ row, post: posts.get(row.id) }));
      },
      ({ row, post }) => (post ? describeSent(call, row, post) : []),
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

function describeSubmission({ context }: Call, row: SubmissionRow): AffectedPost {
  const { title, text } = renderSubmission(context.submissions.context, row, { reader: {} });
  return { kind: row.kind, title, text, author: row.author };
}

/** Describes a post that was sent at once, or handed over, and missed its time on the way. */
function describeSent(
  call: Call,
  row: SubmissionRow,
  post: Pick<HeldPostRow, 'id' | 'version' | 'content_hash'>,
): MissedPost {
  const { id, version } = post;
  return {
    ...describeSubmission(call, row),
    ...{ key: `${id} ${version}`, held: { id, version, hash: getHashPrefix(post) } },
    ...(row.state === 'blocked' && { newTime: renderNewTime(post) }),
  };
}

const renderNewTime = (post: Pick<HeldPostRow, 'id' | 'version'>): Button =>
  button(NEW_TIME, buildHeldPostAction('move'), buildHeldPostValue(post, HELD_LIST_PREFIX));

function describeHeldPost({ context, now }: Call, row: HeldPostRow): MissedPost {
  const heldContext = context.heldPosts;
  const content = readHeldContent(heldContext, row)?.content;
  const { copy } = heldContext.kind;
  const { id, version, author, state } = row;
  return {
    ...{ key: `${id} ${version}`, kind: 'post', author, held: { id, version, hash: getHashPrefix(row) } },
    // A post whose hand-over is still due is about to ask its author.
    ...(state === 'needs-person' && { newTime: renderNewTime(row) }),
    title: content === undefined ? 'A post' : copy.renderTitle(content, { now: now(), reader: {} }),
    text: content === undefined ? '' : copy.getText(content),
  };
}

/**
 * Cancels posts, and resolves with those that nobody has changed meanwhile. The manager's role is checked before each.
 * Authors of several hear of them at once.
 */
export async function discardPosts(call: Call, posts: readonly MissedPost[]): Promise<MissedPost[]> {
  const { context, actor } = call;
  const selection = {
    workspace: actor.workspace,
    actor: actor.user,
    prepareEntry: createEntryPreparer(call),
    posts: posts.map(({ held }) => held),
  };
  const { done } = await changeAll(
    context.heldPosts,
    selection,
    { kind: 'cancel' },
    { getRole: () => 'manager', mayAtPress: () => true },
  );
  return posts.filter(({ held }) => done.some(({ id }) => id === held.id));
}
