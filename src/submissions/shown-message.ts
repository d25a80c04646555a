import type { WebClient } from '@slack/web-api';
import { disableParsing, type Message } from '../slack/message.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { MessageAddress } from '../slack/tell-once.ts';
import { findLatestReplacement } from './press.ts';
import { saveMessage } from './sql/save-message.ts';
import { findSubmission, listFormSubmissions } from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderOutdatedMessage } from './text/outdated-messages.ts';
import { renderFormMessage, renderStateMessage } from './text/state-blocks.ts';
import { renderSubmissionWithStop } from './text/stop-text.ts';

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
  const shownRows = await findRowsInMessage(context, row);
  const submissions = await Promise.all(
    shownRows.map((shownRow) => renderSubmissionWithStop(context, shownRow)),
  );
  const [submission] = submissions;
  const message =
    submission && submissions.length === 1 ? renderStateMessage(submission) : renderFormMessage(submissions);
  await updateMessage(context, client, { address, message });
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
  const earlierRows = earlierAddress ? await findRowsInMessage(context, row) : [];
  const currentRow = await saveMessage(context.db, row.id, address);
  if (earlierAddress && earlierAddress.ts !== address.ts) {
    const remainingRows = earlierRows.filter(({ id }) => id !== row.id);
    const message = renderOutdatedMessage(
      await renderSubmissionWithStop(context, row),
      await Promise.all(remainingRows.map((remainingRow) => renderSubmissionWithStop(context, remainingRow))),
    );
    await updateMessage(context, client, { address: earlierAddress, message });
  }
  // The author may have pressed a button elsewhere while the message was sent.
  if (currentRow && (currentRow.fence !== row.fence || currentRow.state !== row.state))
    await updateShownMessage(context, client, currentRow);
}

function getMessageAddress({
  message_channel: channel,
  message_ts: ts,
}: Pick<SubmissionRow, 'message_channel' | 'message_ts'>): MessageAddress | undefined {
  return channel === null || ts === null ? undefined : { channel, ts };
}

/** Finds the current rows of a row's message: those of its form, or of the form that it was edited from. */
async function findRowsInMessage(context: SubmissionContext, row: SubmissionRow): Promise<SubmissionRow[]> {
  const isInMessage = ({ message_channel, message_ts }: SubmissionRow) =>
    message_channel === row.message_channel && message_ts === row.message_ts;
  let firstRow = row;
  for (;;) {
    const editedRow = await findSubmission(context.db, { id: firstRow.origin, workspace: row.workspace });
    if (!editedRow || !isInMessage(editedRow)) break;
    firstRow = editedRow;
  }
  const formRows = (await listFormSubmissions(context.db, firstRow)).filter(isInMessage);
  return Promise.all(formRows.map((formRow) => findLatestReplacement(context, formRow)));
}

async function updateMessage(
  { log }: Pick<SubmissionContext, 'log'>,
  client: WebClient,
  { address, message }: { address: MessageAddress; message: Message },
): Promise<void> {
  try {
    await client.chat.update({ ...address, ...disableParsing(message) });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The message may have been deleted, or the workspace may limit edits.
    log.warn({ channel: address.channel, err: error }, 'could not update a message');
  }
}
