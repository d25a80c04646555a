import type { CommandCall } from '../../app/call.ts';
import { applyDecision } from '../../submissions/press.ts';
import { listOutbox } from '../../submissions/sql/lists.ts';
import { getStateCopy, isState } from '../../submissions/state-copy.ts';
import type { CheckedSubmission } from './outbox-list.ts';

/**
 * Retries the actor's waiting submissions, and checks those with an unknown outcome. Stops at the first retry without a
 * result, because the service is probably still unavailable.
 */
export async function checkOwnSubmissions(
  call: CommandCall,
  onChecked: (submission: CheckedSubmission) => void,
): Promise<void> {
  const { context } = call.context.submissions;
  const actor = { ...call.actor, managesProject: () => false };
  for (const row of await listOutbox(context.db, { workspace: actor.workspace, author: actor.user })) {
    const decision = row.state === 'retryable' ? 'retry' : 'check';
    if (!isState(row.state) || !getStateCopy(row).buttons.includes(decision)) continue;
    const result = await applyDecision(context, actor, row.id, decision, 'now');
    if (result.kind !== 'current') return;
    // A waiting submission shows the time of the retry.
    onChecked({ row: result.row, note: decision === 'check' ? result.note : undefined });
    if (result.row.state === 'retryable') return;
  }
}
