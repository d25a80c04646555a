import type { Kysely } from 'kysely';
import { claimOnce } from '../delivery/done-once.ts';
import type { BotSchema } from '../store/schema.ts';
import { changeGrants } from './sql/grants.ts';

/** Who installs the app owns it in the workspace; who installs it there again does not. True for the first. */
export async function recordFirstOwner(
  db: Kysely<BotSchema>,
  { workspace, user, now }: { workspace: string; user: string; now: Date },
): Promise<boolean> {
  return changeGrants(db, workspace, async (grants, transaction) => {
    if (!(await claimOnce(transaction, { workspace, name: 'first-owner', now }))) return false;
    await grants.save({
      subjectKind: 'person',
      subject: user,
      project: '',
      role: 'owner',
      why: 'installed',
      grantedBy: user,
      grantedAt: now,
    });
    return true;
  });
}
