import type { Transaction } from 'kysely';
import { z } from 'zod';
import { findMembershipFault, readConversation, renderChannelFault } from '../../forms/conversation.ts';
import { namedRecord } from '../../forms/field.ts';
import type { FormAnswer } from '../../forms/form.ts';
import { deleteSealedValue, readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import type { FormTables } from '../../handlers/schema.ts';
import type { HeldPostTables } from '../../held-posts/held-post.ts';
import {
  countWaitingPosts,
  handOverAll,
  makeChecksDue,
  rescheduleHandOver,
} from '../../held-posts/policy-change.ts';
import {
  changeAffects,
  changePolicy,
  describePolicyChanges,
  projectPolicySchema,
} from '../../preferences/project-policy.ts';
import { renderOutsiderNames } from '../../slack/audience.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { repeatAfterDeadlock } from '../../store/locks.ts';
import { wakeWaitingRows } from '../../submissions/pause.ts';
import { type ApproverErrors, findApproverErrors } from './check-approvers.ts';
import {
  CHOICE_BLOCK,
  needsOtherApprovals,
  renderHeldPostsQuestion,
  renderHeldPostsResult,
  renderOutboxNotes,
} from './held-posts-question.ts';
import type { PolicyContent, PolicyContext } from './policy-context.ts';
import type { PolicyFields } from './policy-fields.ts';
import { buildNotSavedView, buildSavedView, CONFLICT, DECIDED_OR_OLD } from './policy-text.ts';

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
    chosenPolicy.channel === expected.channel ? undefined : findChannelFault(call, chosenPolicy.channel),
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
      ...listStepErrors(approverErrors.shortages, isShort === true && ownerOverride === undefined),
      ...listStepErrors(approverErrors.steps, true),
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
  return { view: buildSavedView(project, policy, renderOutboxNotes(change, waiting)) };
}

function listStepErrors(errors: ApproverErrors['steps'], areShown: boolean): Errors {
  const [people1, people2, people3] = areShown ? errors : [];
  return {
    ...(people1 !== undefined && { people1 }),
    ...(people2 !== undefined && { people2 }),
    ...(people3 !== undefined && { people3 }),
  };
}

const CHANNEL_NOT_CHECKED = 'I couldn’t check this channel. Nothing was saved: try again in a minute.';

/** Finds why requests can't go to the channel (plain text). Requests show posts, so outsiders may not read them. */
async function findChannelFault(call: Call, channel: string | undefined): Promise<string | undefined> {
  if (channel === undefined) return undefined;
  const conversation = await readConversation(call, channel);
  const fault = renderChannelFault(conversation);
  if (fault !== undefined) return fault;
  const { audience } = conversation;
  if (conversation.state !== 'fine' || !audience) return CHANNEL_NOT_CHECKED;
  if (audience.isShared)
    return `This channel is shared with ${renderOutsiderNames(audience)}. Choose one that only this workspace reads.`;
  return findMembershipFault(call, conversation, 'have requests sent there');
}

/** Handles the decision about the posts that Upnext keeps. */
export async function saveAfterDecision(call: SubmissionCall): Promise<void> {
  const change = await readSealedValue(call, STORED_KIND, changeSchema, call.view.metadata);
  const decision = getChosenOption(call.view.values, CHOICE_BLOCK)?.value;
  if (!change || decision === undefined)
    return void (await call.answer({ view: buildNotSavedView(DECIDED_OR_OLD) }));
  const { project, policy, expected } = change;
  await call.permit('manager', project.id, 'policy set');
  if (policy.ownerOverride === call.actor.user && policy.ownerOverride !== expected.ownerOverride)
    await call.permit('owner', undefined, 'policy override');
  const waiting = await countWaitingPosts(call.context.db, toKey(call, change), call.now());
  const result = await applyChange(call, change, decision === 'hand-over' ? 'hand-over' : 'keep', (trx) =>
    deleteSealedValue({ ...call, context: { db: trx } }, STORED_KIND, call.view.metadata),
  );
  if (!result) return void (await call.answer({ view: buildNotSavedView() }));
  const notes =
    result === 'same' ? [] : [renderHeldPostsResult(result, change), ...renderOutboxNotes(change, waiting)];
  const view = buildSavedView(project, policy, notes);
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
  const { context, actor, now, reference } = call;
  const { expected, policy, project } = change;
  const key = toKey(call, change);
  const heldPosts = context.heldPosts.context;
  let handedOver = 0;
  const changeAll = async (trx: Transaction<HeldPostTables & FormTables>) => {
    const by = { changedBy: actor.user, changedAt: now() };
    const changed = await changePolicy(trx, key, { expected, policy }, by);
    if (changed !== 'conflict') await endChange?.(trx);
    if (changed !== 'changed') return changed;
    if (policy.leadMinutes !== undefined && policy.leadMinutes !== expected.leadMinutes)
      await rescheduleHandOver(heldPosts, trx, key, policy.leadMinutes);
    if (decision === 'hand-over') handedOver = await handOverAll(heldPosts, trx, key);
    await makeChecksDue(heldPosts, trx, key);
    if (needsOtherApprovals(change))
      await wakeWaitingRows(trx, { ...key, now: context.submissions.context.clock.readShared() });
    return changed;
  };
  const result = await repeatAfterDeadlock(() => context.db.transaction().execute(changeAll));
  if (result === 'conflict') return undefined;
  if (result === 'same') return 'same';
  heldPosts.verbs.wake();
  context.submissions.context.verbs.wake();
  const isOverride = policy.ownerOverride !== undefined && policy.ownerOverride !== expected.ownerOverride;
  for (const action of ['policy set', ...(isOverride ? ['policy override' as const] : [])] as const)
    context.record.enqueue({
      workspace: actor.workspace,
      actor: actor.user,
      project: project.id,
      action,
      ...(action === 'policy set' && { target: describePolicyChanges(expected, policy) }),
      decision: 'done',
      reference,
    });
  return { handedOver };
}

function toKey({ actor }: Call, { project }: PolicyChange) {
  return { workspace: actor.workspace, project: project.id };
}
