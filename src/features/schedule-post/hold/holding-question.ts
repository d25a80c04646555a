import { buildDoneEntry } from '../../../access/access.ts';
import { readCurrentForm } from '../../../forms/current-form.ts';
import { handleButtonPress, runInForm } from '../../../forms/live-form.ts';
import type { ActionCall, Handler } from '../../../handlers/call.ts';
import {
  createPolicy,
  DEFAULT_POLICY,
  describePolicyChanges,
  SUGGESTED_LEAD_MINUTES,
  selectPolicySummaries,
  toPolicySummaries,
} from '../../../preferences/project-policy.ts';
import { postForm } from '../post-form.ts';
import { HOLDING_ANSWERS } from './held-text.ts';

export const HOLDING_ACTIONS: Readonly<Record<string, Handler<ActionCall>>> = {
  [HOLDING_ANSWERS.keep]: {
    deed: 'change the policy of posts',
    run: (call) => runInForm(call, () => applyHoldingAnswer(call, SUGGESTED_LEAD_MINUTES)),
  },
  [HOLDING_ANSWERS.atOnce]: {
    deed: 'change the policy of posts',
    run: (call) => runInForm(call, () => applyHoldingAnswer(call, undefined)),
  },
};

/** Stores the answer, unless somebody has answered before, and renders the form again. */
async function applyHoldingAnswer(call: ActionCall, leadMinutes: number | undefined): Promise<void> {
  const { context, actor } = call;
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  const project = current?.state.values.project?.id;
  if (project === undefined) return;
  await call.permit('manager', project, 'policy set');
  const { workspace, user } = actor;
  const policy = { ...DEFAULT_POLICY, leadMinutes };
  const by = { changedBy: user, changedAt: call.now() };
  const isFirst = await context.db
    .transaction()
    .execute((transaction) => createPolicy(transaction, { workspace, project }, policy, by));
  if (isFirst)
    context.record.enqueue(
      buildDoneEntry(call, {
        project,
        action: 'policy set',
        target: describePolicyChanges(DEFAULT_POLICY, policy),
      }),
    );
  const summaries = toPolicySummaries(await selectPolicySummaries(context.db, workspace).execute());
  await handleButtonPress(postForm, call, (_value, { formContext }) => ({
    formContext: { ...formContext, ...summaries },
  }));
}
