import type { ModalView } from '@slack/types';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { buildDoneEntry } from '../../access/access.ts';
import { findSendingStop } from '../../engine/sending-stop.ts';
import { findMembershipFault, readConversation, renderChannelFault } from '../../forms/conversation.ts';
import { namedRecord } from '../../forms/field.ts';
import type { FormAnswer } from '../../forms/form.ts';
import { deleteSealedValue, readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import { findGuests } from '../../handlers/guests.ts';
import type { FormTables } from '../../handlers/schema.ts';
import type { HeldPostTables } from '../../held-posts/held-post.ts';
import {
  countWaitingPosts,
  findPostsOnNewDays,
  makeChecksDue,
  makeHandOversDue,
  rescheduleHandOver,
} from '../../held-posts/policy-change.ts';
import { makeSeriesDue } from '../../held-posts/series/change-series.ts';
import {
  changeAffects,
  changePolicy,
  describePolicyChanges,
  holdsPosts,
  keepsGuestsOut,
  type ProjectPolicy,
  projectPolicySchema,
} from '../../preferences/project-policy.ts';
import { renderGuestFault, renderOutsiderNames } from '../../slack/audience.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { repeatAfterDeadlock } from '../../store/locks.ts';
import { wakeWaitingRows } from '../../submissions/pause.ts';
import { type ApproverErrors, findApproverErrors } from './find-approver-errors.ts';
import type { PolicyContent, PolicyContext, PolicyFields } from './policy-fields.ts';
import {
  buildNotSavedView,
  buildSavedView,
  CHOICE_BLOCK,
  CONFLICT,
  DECIDED_OR_OLD,
  needsOtherApprovals,
  renderBlackoutNotes,
  renderChangeNotes,
  renderHeldPostsQuestion,
  renderHeldPostsResult,
} from './policy-text.ts';

type Errors = Partial<Record<keyof PolicyFields, string>>;

/** A change of a policy that waits for a decision about the posts that Upnext keeps. */
const changeSchema = z.object({
  project: namedRecord,
  /** The policy when the form was opened. */
  expected: projectPolicySchema,
  policy: projectPolicySchema,
});
type PolicyChange = z.infer<typeof changeSchema>;
const STORED_KIND = 'policy-change.1';

/** Saves the policy from the form. If the project has posts that wait, the manager first decides what becomes of them. */
export async function savePolicyFromForm(
  call: SubmissionCall,
  { policy: chosenPolicy, isOverridden }: PolicyContent,
  { formContext: { project, storedPolicy: expected } }: { formContext: PolicyContext },
): Promise<FormAnswer<PolicyFields, PolicyContext>> {
  await call.permit('manager', project.id, 'policy set');
  if (isOverridden) await call.permit('owner', undefined, 'policy override');
  const [approverErrors, channelFault] = await Promise.all([
    chosenPolicy.review === 'off' ? undefined : findApproverErrors(call, project.id, chosenPolicy),
    findChannelFault(call, expected, chosenPolicy),
  ]);
  const channelError = channelFault ?? approverErrors?.channel;
  // An owner's override stays while the approvers stay the same.
  const keptOverride = changeAffects('approvals', expected, chosenPolicy)
    ? undefined
    : expected.ownerOverride;
  const ownerOverride = isOverridden ? call.actor.user : keptOverride;
  const isShort = chosenPolicy.review === 'required' && approverErrors?.shortages.some(Boolean);
  const errors: Errors = {
    ...(approverErrors && {
      ...(isShort && ownerOverride === undefined && listStepErrors(approverErrors.shortages)),
      ...listStepErrors(approverErrors.deadEnds),
      ...listStepErrors(approverErrors.steps),
      ...(approverErrors.standIns !== undefined && { standIns: approverErrors.standIns }),
    }),
    ...(channelError !== undefined && { channel: channelError }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const policy = { ...chosenPolicy, ownerOverride: isShort ? ownerOverride : undefined };
  const change: PolicyChange = { project, expected, policy };
  const waiting = await countWaitingPosts(call.context.db, toKey(call, change), call.now());
  if (changeAffects('waiting-posts', expected, policy) && waiting.held + waiting.inReview > 0) {
    const id = await storeSealedValue(call, STORED_KIND, change);
    return { push: renderHeldPostsQuestion({ id, ...change, waiting }) };
  }
  if (!(await applyChange(call, change, 'keep'))) return { errors: { holding: CONFLICT } };
  return { view: await createSavedView(call, change, renderChangeNotes(change, waiting)) };
}

/** Lists the errors of steps by the fields of their people. */
function listStepErrors(errors: ApproverErrors['steps']): Errors {
  return Object.fromEntries(
    errors.flatMap((error, index) => (error === undefined ? [] : [[`people${index + 1}`, error]])),
  );
}

const CHANNEL_NOT_CHECKED = 'I couldn’t check this channel. Nothing was saved: try again in a minute.';

/** Finds why requests can't go to the channel (plain text). Requests show posts, so outsiders may not read them. */
async function findChannelFault(
  call: Call,
  expected: ProjectPolicy,
  policy: ProjectPolicy,
): Promise<string | undefined> {
  const { channel } = policy;
  if (channel === undefined) return undefined;
  const isChecked = channel === expected.channel && keepsGuestsOut(expected) === keepsGuestsOut(policy);
  if (isChecked) return undefined;
  const guestFault = keepsGuestsOut(policy) ? renderGuestFault(await findGuests(call, channel)) : undefined;
  if (guestFault !== undefined) return `${guestFault}. Choose another, or none.`;
  if (channel === expected.channel) return undefined;
  const conversation = await readConversation(call, channel);
  const fault = renderChannelFault(conversation);
  if (fault !== undefined) return fault;
  const { audience } = conversation;
  if (conversation.state !== 'fine' || !audience) return CHANNEL_NOT_CHECKED;
  if (audience.isShared)
    return `This channel is shared with ${renderOutsiderNames(audience)}. Choose one that only this workspace reads.`;
  return findMembershipFault(call, conversation, 'have requests sent there');
}

export async function saveAfterDecision(call: SubmissionCall): Promise<void> {
  const change = await readSealedValue(call, STORED_KIND, changeSchema, call.view.metadata);
  const decision = getChosenOption(call.view.values, CHOICE_BLOCK)?.value;
  const refuse = async (reason?: string) => {
    call.recordOutcome?.('unchanged', change?.project.id);
    await call.answer({ view: buildNotSavedView(reason) });
  };
  if (!change || decision === undefined) return refuse(DECIDED_OR_OLD);
  const { project, policy, expected } = change;
  await call.permit('manager', project.id, 'policy set');
  if (policy.ownerOverride === call.actor.user && policy.ownerOverride !== expected.ownerOverride)
    await call.permit('owner', undefined, 'policy override');
  const waiting = await countWaitingPosts(call.context.db, toKey(call, change), call.now());
  const result = await applyChange(call, change, decision === 'hand-over' ? 'hand-over' : 'keep', (trx) =>
    deleteSealedValue({ ...call, context: { db: trx } }, STORED_KIND, call.view.metadata),
  );
  if (!result) return refuse();
  const { handedOver = 0 } = result === 'same' ? {} : result;
  const isStopped = handedOver > 0 && Boolean(await findSendingStop(call.context.db, toKey(call, change)));
  const notes =
    result === 'same'
      ? []
      : [renderHeldPostsResult({ handedOver, isStopped }, change), ...renderChangeNotes(change, waiting)];
  const view = await createSavedView(call, change, notes);
  // The form stays open below, and closes with this view.
  await call.answer({ view: { ...view, clear_on_close: true } });
}

/**
 * Stores the policy, and keeps the waiting posts or makes them due. Changes nothing if the project has this policy
 * already. `endChange` runs in the same transaction, unless there is a conflict: a late copy of the decision must not
 * repeat a change that somebody has undone since. Resolves with undefined after a conflict.
 */
async function applyChange(
  call: Call,
  change: PolicyChange,
  decision: 'keep' | 'hand-over',
  endChange?: (trx: Transaction<HeldPostTables & FormTables>) => Promise<void>,
): Promise<{ handedOver: number } | 'same' | undefined> {
  const { context } = call;
  const { expected, policy, project } = change;
  const key = toKey(call, change);
  const heldPosts = context.heldPosts;
  let handedOver = 0;
  const changeAll = async (trx: Transaction<HeldPostTables & FormTables>) => {
    const changed = await changePolicy(trx, key, { expected, policy });
    if (changed !== 'conflict') await endChange?.(trx);
    if (changed !== 'changed') return changed;
    if (policy.leadMinutes !== undefined && policy.leadMinutes !== expected.leadMinutes)
      await rescheduleHandOver(heldPosts, trx, key, policy.leadMinutes);
    if (decision === 'hand-over') handedOver = await makeHandOversDue(heldPosts, trx, key);
    await makeChecksDue(heldPosts, trx, key);
    const isChanged = changeAffects('series-dates', expected, policy);
    const arePaused = !holdsPosts(policy) && holdsPosts(expected);
    // An approval may count for other posts of a series now.
    const isReviewedOtherwise = policy.seriesReview !== expected.seriesReview;
    if (isChanged || arePaused || isReviewedOtherwise)
      await makeSeriesDue({ ...heldPosts, db: trx }, { ...key, isChanged });
    if (needsOtherApprovals(change))
      await wakeWaitingRows(trx, { ...key, now: context.submissions.context.clock.readShared() });
    return changed;
  };
  const result = await repeatAfterDeadlock(() => context.db.transaction().execute(changeAll));
  if (result === 'conflict') return undefined;
  if (result === 'same') return 'same';
  heldPosts.verbs.wake();
  heldPosts.seriesVerbs.wake();
  context.submissions.context.verbs.wake();
  const { id } = project;
  const target = describePolicyChanges(expected, policy);
  context.record.enqueue(buildDoneEntry(call, { project: id, action: 'policy set', target }));
  if (policy.ownerOverride !== undefined && policy.ownerOverride !== expected.ownerOverride)
    context.record.enqueue(buildDoneEntry(call, { project: id, action: 'policy override' }));
  return { handedOver };
}

/** Says that the policy is saved, and which posts are on its new blackout days, because these stay there. */
async function createSavedView(
  call: SubmissionCall,
  change: PolicyChange,
  notes: readonly string[],
): Promise<ModalView> {
  const { project, policy, expected } = change;
  const known = new Set(expected.blackouts.map(({ from, to }) => `${from} ${to}`));
  const added = policy.blackouts.filter(({ from, to }) => !known.has(`${from} ${to}`));
  const days = { added, earlier: expected.blackouts };
  // The policy is saved, so that a failure here must not say otherwise.
  const finding = findPostsOnNewDays(call.context.heldPosts, toKey(call, change), days).catch((err) => {
    call.log.warn({ reference: call.reference, err }, 'could not count the posts on new blackout days');
    return undefined;
  });
  const found = await call.inTime(finding);
  return buildSavedView(project, policy, [...notes, ...renderBlackoutNotes(project, added, found)]);
}

function toKey({ actor }: Call, { project }: PolicyChange) {
  return { workspace: actor.workspace, project: project.id };
}
