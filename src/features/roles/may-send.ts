import type { AccessControl, AccessRecord, Permission } from '../../access/access.ts';
import type { MachineOptions, Sending } from '../../submissions/machine.ts';

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/**
 * Before the submission is claimed, a check is recorded only if it failed (`unknown`), because a decision is recorded
 * when the submission is sent. A check that keeps failing is recorded once.
 */
function isRecorded({ submission, isRecheck }: Sending, answer: Permission): boolean {
  return answer === 'unknown' ? !isRecheck : submission !== undefined;
}

/** Checks the author's permission again at sending, which may be hours after the request, and records the decision. */
export function maySend(
  access: Pick<AccessControl, 'mayStill'>,
  record: Pick<AccessRecord, 'enqueue'>,
): MachineOptions['may'] {
  return async (actor, role, what) => {
    const answer = await access.mayStill(actor, role, what?.project);
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
