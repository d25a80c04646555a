import type { Kysely } from 'kysely';
import { dropRecord } from '../../store/record.ts';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { dropOlderHead } from './chain-key.ts';

/**
 * Deletes a workspace's whole chain, and nothing of any other: what remains is whole. It can be repeated. Rejects, with
 * nothing deleted, where the database's account doesn't own the table.
 */
export async function forgetRecord(
  { db, encryption }: { db: Kysely<BotSchema>; encryption: Encryption },
  workspace: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await dropRecord(transaction, workspace);
    await dropOlderHead({ db: transaction, encryption }, workspace);
  });
}
