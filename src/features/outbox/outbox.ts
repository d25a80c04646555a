import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { closeNotification } from '../../submissions/notify-author.ts';
import { applyDecision, findPressedRow } from '../../submissions/press.ts';
import { showRow } from '../../submissions/show-submission.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { ACTIONS } from '../../submissions/text/state-blocks.ts';
import { createManagerCheck, LIST_PREFIX, readOutbox, renderOutbox } from './outbox-list.ts';

/** `/upnext outbox`: submissions that aren't done yet, with buttons to retry, edit or discard them. */
export const outbox: Feature = {
  name: 'outbox',
  commands: [
    {
      name: 'outbox',
      aliases: ['pending', 'waiting', 'unsent'],
      summary: 'What you sent and is not done yet: on its way, waiting, uncertain, failed',
      usage: '',
      examples: ['/upnext outbox'],
      run: showOutbox,
    },
  ],
  // Everybody may handle their own submissions. Permission is checked again when one is sent.
  role: () => 'viewer',
  actions: {
    [ACTIONS.check]: (call) => onDecisionPress(call, 'check'),
    [ACTIONS.retry]: (call) => onDecisionPress(call, 'retry'),
    [ACTIONS.discard]: (call) => onDecisionPress(call, 'discard'),
    [ACTIONS.draft]: (call) => onDecisionPress(call, 'draft'),
    [ACTIONS.edit]: (call) => onEditPress(call, 'edit'),
    [ACTIONS['new-time']]: (call) => onEditPress(call, 'new-time'),
  },
};

async function showOutbox(call: CommandCall): Promise<void> {
  await call.reply(renderOutbox(await readOutbox(call)));
}

/** The reply if the submission isn't stored any more, or if the presser may not see it. */
const NOT_VISIBLE: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/** [Check again], [Send again], [Discard], [Save as draft]: applies the decision, then shows the submission. */
async function onDecisionPress(
  call: ActionCall,
  decision: 'check' | 'retry' | 'discard' | 'draft',
): Promise<void> {
  const { context: submissionContext } = call.context.submissions;
  const { id, isList } = parseButtonValue(call);
  const presser = { ...call.actor, managesProject: createManagerCheck(call) };
  const resultPromise = applyDecision(submissionContext, presser, id, decision);
  const earlyResult = await Promise.race([
    resultPromise,
    delay(submissionContext.pace.answerMs, undefined, { ref: false }),
  ]);
  if (!earlyResult) await showProgress(call, presser, decision);
  const result = earlyResult ?? (await resultPromise);
  if (result.kind === 'not-visible') return call.reply(NOT_VISIBLE);
  if (result.kind === 'not-checked') throw new NotAllowed(buildPermissionUnknownMessage(call.reference));
  await showInPlace(call, isList, result.row, result.note);
  await closeNotification(submissionContext, result.row);
}

/** [Edit], [Fix and send again], [New time]: opens the form with the content, unless it was sent in the meantime. */
async function onEditPress(call: ActionCall, button: 'edit' | 'new-time'): Promise<void> {
  const { context: submissionContext } = call.context.submissions;
  const { id, isList } = parseButtonValue(call);
  // Only the author edits a submission, so managers of the project are turned away.
  const pressed = await findPressedRow(
    submissionContext,
    { ...call.actor, managesProject: () => false },
    id,
    button,
  );
  if (!pressed) return call.reply(NOT_VISIBLE);
  const feature = submissionContext.findKind(pressed.row.kind)?.feature;
  if (!pressed.isApplicable || feature === undefined) {
    await showInPlace(call, isList, pressed.row);
    return closeNotification(submissionContext, pressed.row);
  }
  await call.openFeature(feature, { submission: pressed.row.id });
}

/** Shows the submission while the decision is still being applied. */
async function showProgress(
  call: ActionCall,
  presser: Parameters<typeof findPressedRow>[1],
  decision: Parameters<typeof applyDecision>[3],
): Promise<void> {
  const { id, isList } = parseButtonValue(call);
  const pressed = await findPressedRow(call.context.submissions.context, presser, id, decision);
  const note = decision === 'check' ? 'Looking… the service has not answered yet.' : undefined;
  if (pressed) await showInPlace(call, isList, pressed.row, note);
}

function parseButtonValue(call: ActionCall): { id: string; isList: boolean } {
  const { value = '' } = call.action;
  const isList = value.startsWith(LIST_PREFIX);
  return { id: isList ? value.slice(LIST_PREFIX.length) : value, isList };
}

/** Shows a submission where its button was pressed: in the list, or alone in a view or message. `note` is mrkdwn. */
async function showInPlace(
  call: ActionCall,
  isList: boolean,
  row: SubmissionRow,
  note?: string,
): Promise<void> {
  if (!isList) return showRow(call, row, note);
  await call.reply(renderOutbox(await readOutbox(call, { id: row.id, text: note })), { replace: true });
}
