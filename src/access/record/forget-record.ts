import type { Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { dropOlderHead } from './chain-key.ts';
import { dropRecord } from './rows.ts';

/**
 * Deletes a workspace's whole chain, and nothing of any other: what remains is whole. It can be repeated. Rejects where
 * the database's account doesn't own the table, or where the chains' key was replaced meanwhile.
 */
export async function forgetRecord(
  { db, encryption }: { db: Transaction<BotSchema>; encryption: Encryption },
  workspace: string,
): Promise<void> {
  await dropRecord(db, workspace);
  await dropOlderHead({ db, encryption }, workspace);
}
