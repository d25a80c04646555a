import type { WebClient } from '@slack/web-api';
import { findSendingStop } from '../engine/sending-stop.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import type { MessageAddress } from '../slack/notify-once.ts';
import { createReaderCheck, type ReaderCheck, renderNoLongerShown } from '../slack/readers.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { Queryable } from '../store/database.ts';
import { isDatabaseFailure } from '../store/database-unavailable.ts';
import { decryptRefusal, readContent, type ServiceRefusal } from './content.ts';
import { listFormSubmissions } from './sql/lists.ts';
import { findLatestReplacement, findSubmission, type PostKey } from './sql/submissions.ts';
import { STATES_WAITING_FOR_PERSON, type SubmissionRow, type SubmissionTables } from './submission.ts';
import type { KnownOfPost, ShownPost, SubmissionContext } from './submission-context.ts';
import { type RenderedSubmission, type RenderOptions, renderSubmission } from './text/render-submission.ts';
import { renderFormMessage, renderOutdatedMessage, renderStateMessage } from './text/state-blocks.ts';

export interface Shown {
  rows: readonly SubmissionRow[];
  submissions: readonly RenderedSubmission[];
  /** Why the service refused the submissions. Undefined unless it refused all of them. */
  refusal: ServiceRefusal | undefined;
}

interface ShownOptions {
  /** The posts that this request has stored, by the ids of their submissions. Others are read. */
  posts?: ReadonlyMap<string, PostKey>;
  /** Whether what a row doesn't say is left out if the database fails. Defaults to false. */
  isRowEnough?: boolean;
}

/** Loads what people see of submissions. */
export async function loadShown(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
  { posts, isRowEnough = false }: ShownOptions = {},
): Promise<Shown> {
  const [firstRow] = rows;
  const isRefused = rows.every(({ state }) => state === 'refused');
  const load = (row: SubmissionRow) =>
    loadShownRow(context, row, { known: posts?.get(row.id) }).catch((error: unknown) => {
      if (!isRowEnough || !isDatabaseFailure(error)) throw error;
      return renderSubmission(context, row);
    });
  return {
    rows,
    submissions: await Promise.all(rows.map(load)),
    refusal: firstRow && isRefused ? decryptRefusal(context, firstRow) : undefined,
  };
}

/** Loads what people see of a submission: also what became of a confirmed post, or who has stopped sending. */
export async function loadShownRow(
  context: SubmissionContext,
  row: SubmissionRow,
  { known, ...options }: Pick<RenderOptions, 'reader'> & { known?: PostKey | undefined } = {},
): Promise<RenderedSubmission> {
  const isOver = row.publish_at !== null && row.publish_at <= context.clock.now();
  const isStopped = row.state === 'retryable' && row.reason === 'sending-stopped';
  const publication = row.state === 'confirmed' && isOver ? await context.findPublication(row) : undefined;
  const stop = isStopped ? await findSendingStop(context.db, row) : undefined;
  const submission = renderSubmission(context, row, { ...options, publication, stop });
  if (!isShownAsPost(row)) return submission;
  return { ...submission, post: await findShownPost(context, row, { ...options, known, publication }) };
}

/** Whether people see the post of a submission: Upnext isn't about to change the submission by itself, and it wasn't dropped. */
function isShownAsPost({ state }: SubmissionRow): boolean {
  return state === 'retryable' || state === 'confirmed' || STATES_WAITING_FOR_PERSON.includes(state);
}

/** Reads the post of a submission. `reader`: defaults to the author. */
async function findShownPost(
  context: SubmissionContext,
  row: SubmissionRow,
  { reader, ...known }: Pick<RenderOptions, 'reader'> & KnownOfPost,
): Promise<ShownPost | undefined> {
  const kind = context.findKind(row.kind);
  const content = kind?.post && readContent(context, kind, row)?.content;
  if (!kind?.post || content === undefined) return undefined;
  return context.showPost(row, reader ?? kind.post.getAuthor(content), known);
}

/** Creates the check who may read of the posts of a workspace, for one change of a row. */
export function createReaders(
  {
    checkPermission,
    findExcludedGuests,
    log,
  }: Pick<SubmissionContext, 'checkPermission' | 'findExcludedGuests' | 'log'>,
  client: WebClient,
  { id: reference, workspace }: Pick<SubmissionRow, 'id' | 'workspace'>,
): ReaderCheck {
  return createReaderCheck(
    { client, log, reference, actor: { workspace } },
    {
      checkViewer: (user, project) =>
        checkPermission({ workspace, user }, 'viewer', { project, kind: '', isRecorded: false }),
      findExcludedGuests: (channel, project) => findExcludedGuests(client, { workspace, channel, project }),
    },
  );
}

/**
 * Whether a person may read of submissions now: of what they wrote themselves, and of what their role in its project lets
 * them read. Throws `ReadersUnknown` if that couldn't be found out.
 */
export async function mayReadSubmissions(
  context: SubmissionContext,
  client: WebClient,
  user: string,
  rows: readonly SubmissionRow[],
): Promise<boolean> {
  const [first] = rows;
  const readers = first && createReaders(context, client, first);
  for (const { author, project } of rows)
    if (author !== user && !(await readers?.mayRead({ channel: user }, project ?? undefined))) return false;
  return true;
}

/**
 * Updates the message that shows a submission, together with the other submissions in that message. Does nothing if no
 * message is known. Throws on temporary failures of Slack.
 */
export async function updateShownMessage(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  const address = getMessageAddress(row);
  if (!address) return;
  const { reader, rows: shownRows } = await findRowsInMessage(context, row);
  // Another message shows it meanwhile, which says in this one where it is.
  if (shownRows.length === 0) return;
  const { submissions } = await loadShown(context, shownRows);
  const [submission] = submissions;
  const message =
    submission && submissions.length === 1 ? renderStateMessage(submission) : renderFormMessage(submissions);
  await updateMessage(context, client, { address, message, reader, rows: shownRows });
}

/**
 * Updates the message that shows a submission, as `updateShownMessage` does. Resolves with false instead of rejecting if
 * Slack fails, because what has changed the submission is done.
 */
export async function refreshShownMessage(context: SubmissionContext, row: SubmissionRow): Promise<boolean> {
  try {
    const client = await context.findSlackClient(row.workspace);
    if (!client || client === 'unknown') return false;
    await updateShownMessage(context, client, row);
    return true;
  } catch (error) {
    context.log.warn({ submission: row.id, err: error }, 'could not update the message of a submission');
    return false;
  }
}

/**
 * Records that a new message shows a submission. The earlier message loses its buttons and refers to the new one,
 * because only the new one changes from now on. A failure is logged, because the author has the new message already.
 */
export async function recordNewMessage(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
  address: MessageAddress,
): Promise<void> {
  try {
    await replaceMessage(context, client, row, address);
  } catch (error) {
    context.log.warn({ submission: row.id, err: error }, 'could not record the message of a submission');
  }
}

async function replaceMessage(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
  address: MessageAddress,
): Promise<void> {
  const earlierAddress = getMessageAddress(row);
  const earlier = earlierAddress ? await findRowsInMessage(context, row) : { reader: row.author, rows: [] };
  const currentRow = await saveMessage(context.db, row.id, address);
  if (earlierAddress && earlierAddress.ts !== address.ts) {
    const remaining = await loadShown(
      context,
      earlier.rows.filter(({ id }) => id !== row.id),
    );
    const message = renderOutdatedMessage(await loadShownRow(context, row), remaining.submissions);
    const shown = { reader: earlier.reader, rows: [row, ...remaining.rows] };
    await updateMessage(context, client, { address: earlierAddress, message, ...shown });
  }
  // The author may have pressed a button elsewhere while the message was sent.
  if (currentRow && (currentRow.fence !== row.fence || currentRow.state !== row.state))
    await updateShownMessage(context, client, currentRow);
}

/** Records which message shows a submission. Resolves with the current row, or undefined if the row was deleted. */
function saveMessage(
  db: Queryable<SubmissionTables>,
  id: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submission')
    .set({ message_channel: channel, message_ts: ts })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

function getMessageAddress({
  message_channel: channel,
  message_ts: ts,
}: Pick<SubmissionRow, 'message_channel' | 'message_ts'>): MessageAddress | undefined {
  return channel === null || ts === null ? undefined : { channel, ts };
}

/**
 * Finds the current rows of a row's message: those of its form, or of the form that it was edited from. `reader`: the
 * Slack id of the person who got the message.
 */
export async function findRowsInMessage(
  context: SubmissionContext,
  row: SubmissionRow,
): Promise<{ reader: string; rows: SubmissionRow[] }> {
  const isInMessage = ({ message_channel, message_ts }: SubmissionRow) =>
    message_channel === row.message_channel && message_ts === row.message_ts;
  let firstRow = row;
  for (;;) {
    const editedRow = await findSubmission(context.db, { id: firstRow.origin, workspace: row.workspace });
    if (!editedRow || !isInMessage(editedRow)) break;
    firstRow = editedRow;
  }
  const formRows = (await listFormSubmissions(context.db, firstRow)).filter(isInMessage);
  const rows = await Promise.all(formRows.map((formRow) => findLatestReplacement(context, formRow)));
  return { reader: firstRow.author, rows };
}

async function updateMessage(
  context: SubmissionContext,
  client: WebClient,
  {
    address,
    message,
    reader,
    rows,
  }: { address: MessageAddress; message: Message; reader: string; rows: readonly SubmissionRow[] },
): Promise<void> {
  const { log } = context;
  try {
    const mayRead = await mayReadSubmissions(context, client, reader, rows);
    const shown = mayRead ? message : renderNoLongerShown({ channel: reader });
    await client.chat.update({ ...address, ...disableParsing(shown) });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The message may have been deleted, or the workspace may limit edits.
    log.warn({ channel: address.channel, err: error }, 'could not update a message');
  }
}
