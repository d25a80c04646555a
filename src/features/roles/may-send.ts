import type { Accesses } from '../../access/access.ts';
import type { AccessRecord } from '../../access/record/record.ts';
import type { MachineOptions } from '../../submissions/machine.ts';

/** Asked again when something is sent, which may be hours after it was allowed; and recorded. */
export function maySend(access: Accesses, record: AccessRecord): MachineOptions['may'] {
  return async (who, role, what) => {
    const isAllowed = await access.mayStill(who, role, what?.project);
    if (what) {
      const { kind, submission: target, project } = what;
      const decision = isAllowed ? 'allowed' : 'refused';
      record.note({
        workspace: who.workspace,
        who: who.user,
        project,
        action: `send ${kind}`,
        target,
        decision,
      });
    }
    return isAllowed;
  };
}
