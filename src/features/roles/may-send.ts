import type { AccessControl, AuditRecord, Permission } from '../../access/access.ts';
import type { MachineOptions, Sending } from '../../submissions/machine.ts';

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/** What is asked before the submission is claimed is recorded when it is sent; a check that keeps failing once. */
function isRecorded({ submission, isRecheck }: Sending, answer: Permission): boolean {
  return answer === 'unknown' ? !isRecheck : submission !== undefined;
}

/** Asked again when something is sent, which may be hours after it was allowed; and recorded. */
export function maySend(
  access: Pick<AccessControl, 'recheckPermission'>,
  record: Pick<AuditRecord, 'enqueue'>,
): MachineOptions['may'] {
  return async (actor, role, what) => {
    const answer = await access.recheckPermission(actor, role, what?.project);
    if (what && isRecorded(what, answer)) {
      const { kind, submission: target, project } = what;
      const decision = DECISIONS[answer];
      record.enqueue({
        workspace: actor.workspace,
        actor: actor.user,
        project,
        action: `send ${kind}`,
        target,
        decision,
      });
    }
    return answer;
  };
}
