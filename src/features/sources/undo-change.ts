import type { KnownBlock } from '@slack/types';
import type { ActionCall, Call } from '../../app/call.ts';
import { actions, button, context, escapeText, plain, plainSection, section } from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { Message } from '../../slack/message.ts';
import { decryptSubmission, readContent } from '../../submissions/content.ts';
import { respondToAction } from '../../submissions/respond.ts';
import { showSubmission } from '../../submissions/show-submission.ts';
import { listConfirmedSince } from '../../submissions/sql/lists.ts';
import { findNewestSubmission, findOwnSubmissionOfKind } from '../../submissions/sql/submissions.ts';
import { getVisibleValue, isSameText, type ListedSource, MASK } from './listed-source.ts';
import { EDIT_ACTION } from './source-messages.ts';
import { findOldValues, type SourceContent, sourceSubmission, UNDO_PERIOD_MS } from './source-submission.ts';
import { readCurrentSource } from './submit-source.ts';

export const UNDO_ANYWAY_ACTION = 'sources.put-back-anyway';

const NOT_AVAILABLE: Message = {
  text: 'This button isn’t yours, or it’s too old.',
};

/**
 * Handles [Undo a source change]. If the source was changed again after the update, shows the later change instead,
 * unless `mayOverwrite` is true. It is true for [Undo anyway].
 */
export async function undoChange(
  call: ActionCall,
  { mayOverwrite }: { mayOverwrite: boolean },
): Promise<void> {
  const { context, actor } = call;
  const id = call.action.value ?? '';
  const { workspace, user: author } = actor;
  const row = await findOwnSubmissionOfKind(context.db, {
    id,
    workspace,
    author,
    kind: sourceSubmission.name,
  });
  if (!row || row.content === null || row.state !== 'confirmed') return call.reply(NOT_AVAILABLE);
  const { content, channel } = decryptSubmission(context, sourceSubmission, row);
  const { project, source } = content;
  await call.permit('manager', project.id, 'sources put back');
  const showNote = (note: string) => showSubmission(call, sourceSubmission, id, note);
  const ageMs = context.submissions.context.clock.readShared().getTime() - row.changed_at.getTime();
  if (ageMs > UNDO_PERIOD_MS)
    return showNote('You can undo a change only for 24 hours. Edit it with `/update-source`.');
  const origin = `${row.id}.undo`;
  const earlierUndo = await findNewestSubmission(context.db, { workspace, origin, item: 0 });
  if (earlierUndo?.state === 'confirmed')
    return showNote('You’ve already undone this. Edit it with `/update-source`.');
  const oldValues = findOldValues(content);
  if (!oldValues) return showNote('I don’t know the old values.');
  const timeoutMs = context.pace.slowNoticeDelayMs;
  const result = await readCurrentSource(call, { project: project.id, source: source.id, timeoutMs });
  if (result.kind === 'failed')
    return showNote(`:warning: Not undone. ${result.failureText} Press again to retry.`);
  if (result.kind === 'not-found') return showNote('Not undone. This source no longer exists.');
  const currentSource = result.source;
  if (hasValues(currentSource, oldValues)) return showNote('It already has the old values.');
  if (!mayOverwrite && !hasValues(currentSource, content.to))
    return showLaterChange(call, content, currentSource);
  const value = getVisibleValue(currentSource);
  const { description } = currentSource;
  const before = { ...(description !== undefined && { description }), ...(value !== undefined && { value }) };
  const contents = [{ ...content, to: oldValues, before, isUndo: true }];
  await respondToAction(call, sourceSubmission, {
    origin,
    contents,
    ...(channel !== undefined && { channel }),
  });
  context.reads.drop(context.api, project.id);
}

/** Whether the source has these values. A value that the service doesn't show is assumed to be equal. */
function hasValues(source: ListedSource, values: SourceContent['to']): boolean {
  const value = getVisibleValue(source);
  const hasSameValue = values.value === undefined || value === undefined || isSameText(value, values.value);
  return (
    hasSameValue && (values.description === undefined || isSameText(source.description, values.description))
  );
}

/** Shows the later change of a source, and asks whether to overwrite it. Only the form shows the value itself. */
async function showLaterChange(
  call: ActionCall,
  content: SourceContent,
  currentSource: ListedSource,
): Promise<void> {
  const { project, source, to } = content;
  const line = `“${source.name}” has changed again since. Nothing was undone yet.`;
  const editState = encodeButtonState({ project: project.id, source: source.id });
  const hasSentValue = isSameText(getVisibleValue(currentSource), to.value);
  const blocks: KnownBlock[] = [
    plainSection(line),
    context(plain(`Project: ${project.name}`)),
    plainSection(`Description now: ${currentSource.description ?? '(none)'}`),
    context(plain(`Value now: ${hasSentValue ? 'as you sent it' : 'another one'} (${MASK})`)),
    section('Undoing replaces the current values.'),
    actions(
      button('Undo anyway', UNDO_ANYWAY_ACTION, call.action.value, 'danger'),
      ...(editState === undefined ? [] : [button('Open in form', EDIT_ACTION, editState)]),
    ),
  ];
  if (!call.view)
    return call.reply({ text: escapeText(`${line} Project: ${project.name}`), blocks }, { replace: true });
  const title = plain('Changed again', LIMITS.viewTitle);
  const view = { type: 'modal' as const, title, close: plain('Close', LIMITS.viewTitle), blocks };
  await call.client.views.update({ view_id: call.view.id, view });
}

/** Finds the changes that the actor can still undo: the id of the newest submission, by source id. */
export async function findUndoableChanges(
  { context, actor }: Call,
  project: string,
): Promise<ReadonlyMap<string, string>> {
  const { context: submissionContext } = context.submissions;
  const rows = await listConfirmedSince(submissionContext.db, {
    workspace: actor.workspace,
    author: actor.user,
    kind: sourceSubmission.name,
    project,
    since: new Date(submissionContext.clock.readShared().getTime() - UNDO_PERIOD_MS),
  });
  const submissionIds = new Map<string, string>();
  const checkedSourceIds = new Set<string>();
  for (const row of rows) {
    const submission = readContent(submissionContext, sourceSubmission, row);
    if (!submission || checkedSourceIds.has(submission.content.source.id)) continue;
    checkedSourceIds.add(submission.content.source.id);
    if (findOldValues(submission.content)) submissionIds.set(submission.content.source.id, row.id);
  }
  return submissionIds;
}
