import type { KnownBlock } from '@slack/types';
import { buildDoneEntry } from '../../../access/access.ts';
import { claimOnce, releaseClaim } from '../../../engine/once-claim.ts';
import { buildActionId } from '../../../forms/field.ts';
import type { ReceiptOffer } from '../../../forms/form.ts';
import type { ActionCall, SubmissionCall } from '../../../handlers/call.ts';
import { createPolicy, DEFAULT_POLICY, describePolicyChanges } from '../../../preferences/project-policy.ts';
import { actions, button, section } from '../../../slack/blocks.ts';
import { FORM_NAME, type PostState } from '../form/fields.ts';
import type { PostContent } from '../sent/post-content.ts';
import { asksAboutHolding, KEEP_ANSWER } from '../when/when-text.ts';

/** The action ids of the answers to the question whether a project's posts stay editable. */
export const HOLDING_ANSWERS = {
  keep: buildActionId(FORM_NAME, 'keep-editable'),
  atOnce: buildActionId(FORM_NAME, 'at-once'),
};

/** Asks whether a project's posts stay editable, until a manager has answered with its policy (`/upnext policy`). */
export function renderHoldingQuestion(state: PostState): KnownBlock[] {
  if (!asksAboutHolding(state)) return [];
  return [
    section('*Should posts of this project stay editable?* You decide this once, for everybody.'),
    actions(button(KEEP_ANSWER, HOLDING_ANSWERS.keep), button('Send them at once', HOLDING_ANSWERS.atOnce)),
  ];
}

/** Stores the answer as the project's first policy. Resolves with false if somebody has answered before. */
export async function answerHolding(
  call: ActionCall,
  project: string,
  leadMinutes: number | undefined,
): Promise<boolean> {
  const { context, actor } = call;
  await call.permit('manager', project, 'policy set');
  const { workspace } = actor;
  const policy = { ...DEFAULT_POLICY, leadMinutes };
  const isFirst = await context.db
    .transaction()
    .execute((transaction) => createPolicy(transaction, { workspace, project }, policy));
  const target = describePolicyChanges(DEFAULT_POLICY, policy);
  if (isFirst) context.record.enqueue(buildDoneEntry(call, { project, action: 'policy set', target }));
  else call.recordOutcome?.('unchanged', project);
  return isFirst;
}

/** The action id of the offer, whose value is the submission's id. */
export const KEEP_LATER_ACTION = buildActionId(FORM_NAME, 'keep-later');

/**
 * Offers to keep later posts editable, because the one just scheduled is final. It is offered once for each project and
 * not to each person: the answer is the project's and holds for everybody, and until then the form asks as well.
 */
export async function offerHolding(
  { context, actor }: SubmissionCall,
  { id, content }: { id: string; content: PostContent },
  state: PostState,
): Promise<ReceiptOffer | undefined> {
  if (content.values.status !== 'SCHEDULED' || !asksAboutHolding(state)) return undefined;
  const claim = { workspace: actor.workspace, name: `holding-offer.${content.project.id}` };
  if (!(await claimOnce(context.db, claim))) return undefined;
  return {
    blocks: [actions(button('Keep later posts editable', KEEP_LATER_ACTION, id))],
    withdraw: () => releaseClaim(context.db, claim),
  };
}
