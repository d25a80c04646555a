import type { Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { dropOlderHead } from './chain-key.ts';
import { deleteRows } from './rows.ts';

/**
 * Deletes a workspace's whole chain; the other chains stay whole. Can be repeated. Rejects if the database account
 * doesn't own the table, or if the chains' key was replaced meanwhile.
 */
export async function deleteAuditRecord(
  { db, encryption }: { db: Transaction<BotSchema>; encryption: Encryption },
  workspace: string,
): Promise<void> {
  await deleteRows(db, workspace);
  await dropOlderHead({ db, encryption }, workspace);
}
