import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Attempt, Group, NotifyResult } from '../engine/notifier.ts';
import { notifyOnce, waitForAccess } from '../slack/notify-once.ts';
import { isTransient, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { clearPendingNotification } from './deliveries.ts';
import { loadShown, loadShownRow, recordNewMessage, type Shown, updateShownMessage } from './shown.ts';
import { listFormSubmissions } from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderManySubmissions, renderStateView } from './text/state-blocks.ts';

/** Maximum number of messages about submissions that need their author for the same reason. More are one message. */
const MAX_SINGLE_MESSAGES = 3;

/**
 * Notifies the author of the state of rows: updates the open views, or sends direct messages. If the author can't be
 * reached and it wasn't sent, somebody who manages the project is told.
 */
export async function notifyAuthor(
  context: SubmissionContext,
  rows: Group<SubmissionRow>,
  attempt: Attempt,
): Promise<NotifyResult> {
  const [{ workspace, author, project, state }] = rows;
  const untoldRows: SubmissionRow[] = [];
  for (const row of rows) {
    const taken = await context.takeOutcome(row);
    if (taken === false) untoldRows.push(row);
    else if (taken !== true) return rows.length > 1 ? 'each' : taken;
  }
  if (untoldRows.length === 0) return 'notified';
  const client = await context.findSlackClient(workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const closedRows: SubmissionRow[] = [];
  for (const [first, ...others] of Map.groupBy(untoldRows, ({ view_id, id }) => view_id ?? id).values()) {
    if (!first) continue;
    // Many views take longer than a claim.
    if (first.view_id !== null && rows.length > 1 && !(await attempt.begin())) return 'later';
    const ofView = [first, ...others];
    if (!(await showInOpenView(context, client, first))) closedRows.push(...ofView);
    else for (const row of ofView) await updateShownMessage(context, client, row);
  }
  const isShared = closedRows.length > MAX_SINGLE_MESSAGES;
  closedRows.sort((one, other) => Number(one.publish_at) - Number(other.publish_at));
  for (const ofMessage of isShared ? [closedRows] : closedRows.map((row) => [row])) {
    const result = await notifyOnce({ client, log: context.log }, attempt, {
      ...{ to: author, rows: ofMessage },
      onCrashPoint: (point) => context.pace.onCrashPoint?.(point),
      render: async (remaining) =>
        renderManySubmissions(await Promise.all(remaining.map((row) => loadShownRow(context, row)))),
      // A message to somebody else is never updated, because its buttons would act for the author.
      record: async (message, told) => {
        const [row, ...others] = told;
        if (row && others.length === 0 && !message.isShared)
          await recordNewMessage(context, client, row, message);
        else if (isShared) for (const each of told) await updateShownMessage(context, client, each);
      },
      ...(state !== 'confirmed' && {
        listStandIns: () => context.findManagers(workspace, project ?? undefined),
      }),
    });
    if (result === 'later') return result;
  }
  context.onAuthorNotified({ workspace, user: author });
  return 'notified';
}

/** Shows a form's submissions in the open view. Resolves with false if the view is closed. */
async function showInOpenView(
  context: SubmissionContext,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await listFormSubmissions(context.db, row);
  const shown = await loadShown(context, rows);
  // The notification of another row has already updated the view. A second update would erase the author's changes.
  if (shown.refusal && rows.some(({ id, notify_at }) => id === row.id && !notify_at)) return true;
  await context.pace.onCrashPoint?.('before-view');
  try {
    const form = await rebuildRefusedForm(context, shown);
    const view = form ?? renderStateView(shown.submissions);
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const formRow of rows) await clearPendingNotification(context, formRow);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewChangedOrClosed(error))
      context.log.warn({ view: row.view_id, err: error }, 'could not update a view');
    return false;
  }
}

/** Rebuilds the form of refused submissions, in any instance. Undefined if there is no form. */
async function rebuildRefusedForm(
  context: SubmissionContext,
  { rows, refusal }: Shown,
): Promise<ModalView | undefined> {
  const [firstRow] = rows;
  const kind = firstRow && context.findKind(firstRow.kind);
  if (!firstRow || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, log } = context;
  try {
    return await kind.rebuildForm({ db, encryption, now: context.clock.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: firstRow.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
