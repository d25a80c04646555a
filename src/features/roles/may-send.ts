import type { AccessControl, AccessRecord, Permission } from '../../access/access.ts';
import type { MachineOptions, PermissionSubject } from '../../submissions/machine.ts';

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/** What is asked before the submission is claimed is recorded when it is sent; a check that keeps failing once. */
function isRecorded({ submission, isRecheck }: PermissionSubject, answer: Permission): boolean {
  return answer === 'unknown' ? !isRecheck : submission !== undefined;
}

/** Asked again when something is sent, which may be hours after it was allowed; and recorded. */
export function maySend(
  access: Pick<AccessControl, 'mayStill'>,
  record: Pick<AccessRecord, 'enqueue'>,
): MachineOptions['checkPermission'] {
  return async (actor, role, subject) => {
    const answer = await access.mayStill(actor, role, subject?.project);
    if (subject && isRecorded(subject, answer)) {
      const { kind, submission: target, project } = subject;
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
