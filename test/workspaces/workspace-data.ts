import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { addOccurrences, insertDigest } from '../../src/digests/sql/digests.ts';
import { saveSealedValue } from '../../src/forms/sealed-store.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';

// Inserts the data of a workspace, and reads the data that remains after the app was uninstalled.

type Db = Kysely<BotSchema>;

export const SECRET = 'a secret that must be deleted';

/** Inserts a digest, a credential, an open form, two active submissions and a confirmed submission. */
export async function insertWorkspaceData(db: Db, workspace: string): Promise<void> {
  await insertDigestData(db, workspace, new Date());
  const { encrypt } = createEncryption([{ id: 'any', key: Buffer.alloc(32, 1) }]);
  const now = new Date();
  const encrypted = encrypt(SECRET, workspace);
  const connectedColumns = { connected_by: 'U1', connected_at: now };
  await saveCredential(db, {
    id: `c-${workspace}`,
    workspace,
    project: '',
    connection: encrypted,
    ...connectedColumns,
  });
  await saveSealedValue(db, {
    id: `f-${workspace}`,
    workspace,
    author: 'U1',
    kind: 'k',
    content: encrypted,
    storedAt: now,
  });
  for (const [item, state] of (['retryable', 'unsure', 'confirmed'] as const).entries()) {
    await db
      .insertInto('submission')
      .values({
        id: `s-${workspace}-${item}`,
        workspace,
        author: 'U1',
        kind: 'post',
        origin: `f-${workspace}`,
        item,
        revision: 1,
        state,
        channel: null,
        content: encrypted,
        reason: null,
        next_at: new Date(now.getTime() + 3_600_000),
        notify_at: null,
        created_at: now,
        changed_at: now,
      })
      .execute();
  }
}

/** Inserts an active digest with a due, an uncertain and a missed occurrence. */
async function insertDigestData(db: Db, workspace: string, now: Date): Promise<void> {
  const digest = `d-${workspace}`;
  const inAnHour = new Date(now.getTime() + 3_600_000);
  const sharedColumns = { workspace, channel: 'C1', owner: 'U1', created_at: now, changed_at: now };
  await insertDigest(db, {
    ...sharedColumns,
    id: digest,
    kind: 'daily',
    projects: null,
    days: '1',
    minute: 540,
    zone: 'UTC',
    sections: 'null',
    silent_when_empty: false,
    state: 'on',
    next_at: inAnHour,
    next_date: '2030-01-01',
  });
  await addOccurrences(
    db,
    (['due', 'uncertain', 'missed'] as const).map((state, index) => ({
      ...sharedColumns,
      id: `${digest}-${index}`,
      digest,
      slot: `2026-01-0${index + 1}`,
      due_at: now,
      state,
      next_at: state === 'due' ? inAnHour : null,
      notify_at: state === 'due' ? null : inAnHour,
      follow_ups: null,
    })),
  );
}

export async function readDigests(db: Db, workspace: string) {
  const digests = await db
    .selectFrom('digest')
    .select(['state', 'pause_reason', 'next_at', 'notify_at'])
    .where('workspace', '=', workspace)
    .execute();
  const occurrences = await db
    .selectFrom('digest_occurrence')
    .select(['state', 'next_at', 'notify_at', 'follow_ups'])
    .where('workspace', '=', workspace)
    .orderBy('slot')
    .execute();
  return { digests, occurrences };
}

export async function readWorkspaceData(db: Db, workspace: string) {
  const countRows = async (table: 'credential' | 'open_form') =>
    (await db.selectFrom(table).select('id').where('workspace', '=', workspace).execute()).length;
  const submissions = await db
    .selectFrom('submission')
    .select(['state', 'content', 'next_at'])
    .where('workspace', '=', workspace)
    .orderBy('item')
    .execute();
  return { credentials: await countRows('credential'), forms: await countRows('open_form'), submissions };
}

export const DELETED_DATA = {
  credentials: 0,
  forms: 0,
  submissions: [
    { state: 'discarded', content: null, next_at: null },
    { state: 'discarded', content: null, next_at: null },
    { state: 'confirmed', content: null, next_at: expect.anything() },
  ],
};
