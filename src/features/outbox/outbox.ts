import { z } from 'zod';
import { buildDoneEntry } from '../../access/access.ts';
import { createTimeLimit } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, CommandCall, Handler, Prefill } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import { showRow } from '../../handlers/show-submission.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import type { SentButton } from '../../posts/state-copy.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { BUTTON_UNAVAILABLE } from '../../slack/message.ts';
import { PermissionUnknown } from '../../slack/not-allowed.ts';
import { clearPendingNotification } from '../../submissions/deliveries.ts';
import {
  applyDecision,
  type Decision,
  decide,
  findPressedRow,
  NOTHING_DONE_TEXTS,
  OUTDATED_BUTTON_TEXT,
} from '../../submissions/press.ts';
import { loadShownRow, refreshShownMessage } from '../../submissions/shown.ts';
import { listOutbox } from '../../submissions/sql/lists.ts';
import { findSubmission } from '../../submissions/sql/submissions.ts';
import { hasButton, isState, type SubmissionRow } from '../../submissions/submission.ts';
import { ACTIONS, LIST_PREFIX, OUTBOX_ACTION } from '../../submissions/text/state-blocks.ts';
import {
  type CheckedSubmission,
  createManagerCheck,
  findResend,
  parseShownRows,
  readOutbox,
  renderOutbox,
  SEND_ALL_ACTION,
} from './outbox-list.ts';

/** `/upnext outbox` lists the actor's unfinished submissions, with buttons to retry, edit or discard them. */
export const outbox: Feature = {
  name: 'outbox',
  commands: [
    {
      name: 'outbox',
      aliases: ['pending', 'waiting', 'unsent'],
      summary: 'Posts that are pending, uncertain or failed',
      examples: { '/upnext outbox': 'See your pending posts, and retry or edit them.' },
      deed: 'open their pending submissions',
      run: (call) => showOutbox(call),
    },
  ],
  // Everybody may handle their own submissions. Permission is checked again when one is sent.
  role: 'viewer',
  open: { deed: 'open their pending submissions', run: showPressedPost },
  actions: {
    [ACTIONS.check]: { deed: 'check a pending submission', run: createDecisionHandler('check') },
    [ACTIONS.retry]: { deed: 'send a pending submission again', run: createDecisionHandler('retry') },
    [ACTIONS['send-again']]: {
      deed: 'send a pending submission again',
      run: createDecisionHandler('send-again'),
    },
    [ACTIONS.discard]: { deed: 'discard a pending submission', run: createDecisionHandler('discard') },
    [ACTIONS.edit]: { deed: 'open the form of a pending submission', run: openForm },
    [SEND_ALL_ACTION]: { deed: 'send a pending submission again', run: sendAllAgain },
    [OUTBOX_ACTION]: {
      deed: 'open their pending submissions',
      run: (call) => showOutbox(call, readFrom(call)),
    },
    ...Object.fromEntries(
      ['outbox.previous', 'outbox.next'].map((id) => [
        id,
        { deed: 'open their pending submissions', run: showPage } as const,
      ]),
    ),
  },
};

const fromState = z.object({ from: z.number().int().nonnegative() });

/** Reads from which entry on a button shows the outbox: from the first, unless it says otherwise. */
const readFrom = ({ action }: ActionCall) => decodeButtonState(fromState, action.value)?.from ?? 0;

/** Shows the outbox again after a press on one of its posts, with the result. `from`: see `readOutbox`. */
async function showPressedPost(call: Call, { from, post: id = '', note }: Prefill): Promise<void> {
  const post = await findHeldPost(call.context.db, { id, workspace: call.actor.workspace });
  const outbox = await readOutbox(call, [], Number(from), post && { row: post, note });
  await call.reply(renderOutbox(outbox), { replace: true });
}

/** Handles [Next page] and [Previous page]. */
async function showPage(call: ActionCall): Promise<void> {
  const outbox = await readOutbox(call, [], readFrom(call));
  await call.reply(renderOutbox(outbox), { replace: true });
}

/**
 * Lists the outbox. Checks the actor's submissions first, so that the list shows their current states. `from`: replaces
 * the list by its entries from there on.
 */
async function showOutbox(call: CommandCall | ActionCall, from?: number): Promise<void> {
  const checked: CheckedSubmission[] = [];
  const checkPromise = checkOwnSubmissions(call, (submission) => checked.push(submission)).catch(
    (error: unknown) => {
      call.log.warn({ reference: call.reference, err: error }, 'could not check pending submissions');
      return 'failed';
    },
  );
  if (!(await createTimeLimit(call).inTime(checkPromise))) await call.acknowledge();
  // After the timeout, the check continues and may add more submissions.
  const shownSubmissions = [...checked];
  const outbox = await readOutbox(call, shownSubmissions, from);
  await call.reply(renderOutbox(outbox), { replace: from !== undefined });
  for (const { row } of shownSubmissions) await markAsSeen(call, row);
}

/** Creates the handler of a button that decides about a submission: applies the decision and shows the submission. */
function createDecisionHandler(decision: Decision): Handler<ActionCall>['run'] {
  return async (call) => {
    const { context: submissionContext } = call.context.submissions;
    const { id, isInList } = parseButtonValue(call);
    const actor = { ...call.actor, managesProject: createManagerCheck(call) };
    if (await showPostInstead(call, actor, decision)) return;
    const prepare = createEntryPreparer(call);
    const prepareEntry = (row: SubmissionRow) => prepare(AUDIT_ACTIONS.discard, row);
    const resultPromise = applyDecision(submissionContext, actor, id, decision, prepareEntry);
    const earlyResult = await createTimeLimit(call).inTime(resultPromise);
    if (!earlyResult) await showProgress(call, actor, decision);
    const result = earlyResult ?? (await resultPromise);
    if (result.kind === 'not-visible') return call.reply(BUTTON_UNAVAILABLE);
    if (result.kind === 'not-checked') throw new PermissionUnknown(call.reference);
    recordDecision(call, decision, result);
    await showInPlace(call, { row: result.row, isInList, note: result.note });
    await markAsSeen(call, result.row);
  };
}

/** The actions of decisions in the audit log. A check changes nothing. */
const AUDIT_ACTIONS = {
  retry: 'outbox retry',
  'send-again': 'outbox retry',
  discard: 'outbox discard',
} as const;

function buildEntry(
  call: Call,
  { id: target, project }: SubmissionRow,
  decision: Exclude<Decision, 'check'>,
) {
  return buildDoneEntry(call, { action: AUDIT_ACTIONS[decision], project: project ?? undefined, target });
}

/** Adds what came of a decision to the audit log. A discard has stored its entry already. */
function recordDecision(
  call: Call,
  decision: Decision,
  { row, note = '' }: { row: SubmissionRow; note?: string },
): void {
  if (decision === 'check') return;
  if (NOTHING_DONE_TEXTS.includes(note)) call.recordOutcome?.('unchanged', row.project ?? undefined);
  else if (decision !== 'discard') call.context.record.enqueue(buildEntry(call, row, decision));
}

/** Handles [Edit] or [Fix and send again]. Opens the form with the content, unless the submission was sent meanwhile. */
async function openForm(call: ActionCall): Promise<void> {
  const { context: submissionContext } = call.context.submissions;
  const { id, isInList } = parseButtonValue(call);
  // Only the author may edit a submission, so nobody counts as a manager here.
  const actor = { ...call.actor, managesProject: () => false };
  const pressedSubmission = await findPressedRow(submissionContext, actor, id, 'edit');
  if (!pressedSubmission) return call.reply(BUTTON_UNAVAILABLE);
  const { row, hasButton } = pressedSubmission;
  if (await showPostInstead(call, actor, 'edit')) return;
  const feature = submissionContext.findKind(row.kind)?.feature;
  if (!hasButton || feature === undefined) {
    await showInPlace(call, { row, isInList, note: OUTDATED_BUTTON_TEXT });
    return clearPendingNotification(submissionContext, row);
  }
  await call.openFeature(feature, { submission: row.id, message: call.message?.ts });
}

/**
 * Shows the post of a submission with its own buttons, after a press on a message that an earlier version has sent. Resolves
 * with false for anything else than a post.
 */
async function showPostInstead(
  call: ActionCall,
  actor: Parameters<typeof findPressedRow>[1],
  button: SentButton,
): Promise<boolean> {
  const { context } = call.context.submissions;
  const { id, isInList } = parseButtonValue(call);
  const pressed = await findPressedRow(context, actor, id, button);
  if (!pressed || !context.findKind(pressed.row.kind)?.post) return false;
  if (!(await loadShownRow(context, pressed.row)).post) return false;
  call.recordOutcome?.('unchanged', pressed.row.project ?? undefined);
  await showInPlace(call, { row: pressed.row, isInList });
  return true;
}

/** Shows the submission while the decision is still being applied. */
async function showProgress(
  call: ActionCall,
  actor: Parameters<typeof findPressedRow>[1],
  decision: Decision,
): Promise<void> {
  const { id, isInList } = parseButtonValue(call);
  const pressedSubmission = await findPressedRow(call.context.submissions.context, actor, id, decision);
  const note = decision === 'check' ? 'Checking… The service hasn’t answered yet.' : undefined;
  if (pressedSubmission) await showInPlace(call, { row: pressedSubmission.row, isInList, note });
}

/**
 * Updates the message that shows the submission, unless the pressed button is in that message. Its author isn't notified
 * of the state again, after seeing it here.
 */
async function markAsSeen(call: CallFromMessage, row: SubmissionRow): Promise<void> {
  const { context } = call.context.submissions;
  const isCurrent = row.message_ts === call.message?.ts || (await refreshShownMessage(context, row));
  if (isCurrent && row.author === call.actor.user) await clearPendingNotification(context, row);
}

type CallFromMessage = Call & Pick<Partial<ActionCall>, 'message'>;

/** `from`: the first entry of the list with the button, see `readOutbox`. */
function parseButtonValue(call: ActionCall): { id: string; isInList: boolean; from: number } {
  const { value = '' } = call.action;
  if (!value.startsWith(LIST_PREFIX)) return { id: value, isInList: false, from: 0 };
  // "ID", or "FROM:ID".
  const [id = '', from = 0] = value.slice(LIST_PREFIX.length).split(':').toReversed();
  return { id, isInList: true, from: Number(from) };
}

/** Shows a submission where the button was pressed: in the list, or in a separate view or message. `note` is mrkdwn. */
async function showInPlace(
  call: ActionCall,
  { row, isInList, note }: { row: SubmissionRow; isInList: boolean; note?: string | undefined },
): Promise<void> {
  if (!isInList) return showRow(call, row, note);
  const outbox = await readOutbox(call, [{ row, note }], parseButtonValue(call).from);
  await call.reply(renderOutbox(outbox), { replace: true });
}

/** Retries the actor's waiting submissions, and checks those with an unknown outcome. */
async function checkOwnSubmissions(call: Call, onChecked: (submission: CheckedSubmission) => void) {
  const { workspace, user: author } = call.actor;
  const rows = await listOutbox(call.context.db, { workspace, author });
  return decideOwnSubmissions(call, rows, {
    findDecision: ({ state }) => (state === 'retryable' ? 'retry' : 'check'),
    onChecked,
    notifyAfterMs: call.context.submissions.context.pace.notificationDelayMs,
    isRecorded: false,
  });
}

const IN_PROGRESS_TEXT = 'I’ve begun to send them again. See the progress with `/upnext outbox`.';
const ENDED_EARLY_TEXT = ':warning: One of them isn’t confirmed, so I stopped there.';

/** Sends the submissions again that the list showed, if the service doesn't have them, or probably not. */
async function sendAllAgain(call: ActionCall): Promise<void> {
  await call.acknowledge();
  // Takes the button away.
  await call.reply({ text: IN_PROGRESS_TEXT }, { replace: true });
  const shownRows = parseShownRows(call.action.value);
  const checked: CheckedSubmission[] = [];
  const end = await decideOwnSubmissions(call, shownRows, {
    findDecision: findResend,
    onChecked: (submission) => checked.push(submission),
    // One list shows all results, after the last one.
    notifyAfterMs: call.context.submissions.context.pace.notificationDelayMs * shownRows.length,
    isRecorded: true,
  });
  const outbox = await readOutbox(call, checked);
  if (checked.length === 0) call.recordOutcome?.('unchanged');
  const note = end === 'ended-early' && { note: ENDED_EARLY_TEXT };
  await call.reply(renderOutbox({ ...outbox, ...note }), { replace: true });
  for (const { row } of checked) await markAsSeen(call, row);
  if (end === 'not-checked') throw new PermissionUnknown(call.reference);
}

/**
 * Decides about the actor's submissions, unless they have changed since they were listed. Ends early at the first without
 * a result, because the service is probably still unavailable, and the next one could have an unknown outcome too.
 */
async function decideOwnSubmissions(
  call: Call,
  listed: readonly Pick<SubmissionRow, 'id' | 'fence'>[],
  options: {
    findDecision(row: SubmissionRow): 'check' | 'retry' | 'send-again' | undefined;
    onChecked(submission: CheckedSubmission): void;
    notifyAfterMs: number;
    /** Whether the audit log gets each decision, because the person has pressed a button for it. */
    isRecorded: boolean;
  },
): Promise<'done' | 'ended-early' | 'not-checked'> {
  const { context } = call.context.submissions;
  const { workspace, user } = call.actor;
  for (const [index, { id, fence }] of listed.entries()) {
    const row = await findSubmission(context.db, { id, workspace });
    if (!row || row.author !== user || row.fence !== fence || !isState(row.state)) continue;
    const decision = options.findDecision(row);
    if (!decision || !hasButton(row, decision)) continue;
    const result = await decide(context, call.actor, row, decision, {
      probe: 'now',
      notifyAfterMs: options.notifyAfterMs,
    });
    if (result.kind === 'not-checked') return result.kind;
    if (options.isRecorded) recordDecision(call, decision, result);
    const { state, reason } = result.row;
    // A waiting submission shows the time of the retry.
    options.onChecked({ row: result.row, note: decision === 'check' ? result.note : undefined });
    // Other projects may not be stopped, and may have their own access.
    const isWaiting = state === 'retryable' && reason !== 'sending-stopped' && reason !== 'paused';
    if (isWaiting || state === 'unknown') return index < listed.length - 1 ? 'ended-early' : 'done';
  }
  return 'done';
}
