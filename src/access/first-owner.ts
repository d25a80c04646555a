import type { Kysely } from 'kysely';
import { claimOnce } from '../engine/once-claim.ts';
import { changeGrants } from './sql/grants.ts';
import type { AccessTables } from './tables.ts';

/**
 * Makes the person who installed the app an owner of the workspace, unless the workspace has had a first owner before.
 * Returns whether the person became an owner.
 */
export async function saveFirstOwner(
  db: Kysely<AccessTables>,
  { workspace, user, now }: { workspace: string; user: string; now: Date },
): Promise<boolean> {
  return changeGrants(db, workspace, async (grants, transaction) => {
    if (!(await claimOnce(transaction, { workspace, name: 'first-owner' }))) return false;
    await grants.save({
      subjectKind: 'person',
      subject: user,
      project: '',
      role: 'owner',
      reason: 'installed',
      grantedBy: user,
      grantedAt: now,
    });
    return true;
  });
}
