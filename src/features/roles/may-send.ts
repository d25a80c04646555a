import type { Accesses } from '../../access/access.ts';
import type { AccessRecord } from '../../access/record/record.ts';
import type { MachineOptions } from '../../submissions/machine.ts';

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/** Asked again when something is sent, which may be hours after it was allowed; and recorded. */
export function maySend(access: Accesses, record: AccessRecord): MachineOptions['may'] {
  return async (who, role, what) => {
    const answer = await access.mayStill(who, role, what?.project);
    // What was asked for before the submission is claimed is recorded when it is sent.
    if (what && (what.submission !== undefined || answer === 'unknown')) {
      const { kind, submission: target, project } = what;
      const decision = DECISIONS[answer];
      void record.add({
        workspace: who.workspace,
        who: who.user,
        project,
        action: `send ${kind}`,
        target,
        decision,
      });
    }
    return answer;
  };
}
