import type { Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { removeOlderHead } from './chain-key.ts';
import { deleteChain } from './rows.ts';

/**
 * Deletes a workspace's entire chain; the other chains stay intact. Can be repeated. Rejects if the database account
 * doesn't own the table, or if the chains' key was replaced by another instance in the meantime.
 */
export async function deleteAuditRecord(
  { db, encryption }: { db: Transaction<BotSchema>; encryption: Encryption },
  workspace: string,
): Promise<void> {
  await deleteChain(db, workspace);
  await removeOlderHead({ db, encryption }, workspace);
}
