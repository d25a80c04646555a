import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { insertDigest } from '../../src/digests/sql/digests.ts';
import { addOccurrences } from '../../src/digests/sql/occurrences.ts';
import { saveOpenForm } from '../../src/forms/sealed-store.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { saveCredential } from '../../src/workspaces/sql/credentials.ts';

/** What a workspace has in the database when it leaves, and what of that is still there. */

type Db = Kysely<BotSchema>;

export const SECRET = 'a secret that must go';

/** What a workspace has kept: a credential, an open form, something on its way and something done. */
export async function keepThings(db: Db, workspace: string): Promise<void> {
  await keepDigest(db, workspace, new Date());
  const { seal } = createEncryption([{ id: 'any', key: Buffer.alloc(32, 1) }]);
  const at = new Date();
  const sealed = seal(SECRET, workspace);
  const connected = { connected_by: 'U1', connected_at: at };
  await saveCredential(db, {
    id: `c-${workspace}`,
    workspace,
    project: '',
    connection: sealed,
    ...connected,
  });
  await saveOpenForm(db, {
    id: `f-${workspace}`,
    workspace,
    asker: 'U1',
    kind: 'k',
    content: sealed,
    openedAt: at,
  });
  for (const [item, state] of (['retryable', 'needs-person', 'confirmed'] as const).entries()) {
    await db
      .insertInto('submission')
      .values({
        id: `s-${workspace}-${item}`,
        workspace,
        asker: 'U1',
        kind: 'post',
        origin: `f-${workspace}`,
        item,
        revision: 1,
        state,
        channel: null,
        content: sealed,
        reason: null,
        next_at: new Date(at.getTime() + 3_600_000),
        tell_at: null,
        created_at: at,
        changed_at: at,
      })
      .execute();
  }
}

/** A digest that is on: one of its posts is due, one uncertain and one missed. */
async function keepDigest(db: Db, workspace: string, at: Date): Promise<void> {
  const digest = `d-${workspace}`;
  const hence = new Date(at.getTime() + 3_600_000);
  const same = { workspace, channel: 'C1', owner: 'U1', made_at: at, changed_at: at };
  await insertDigest(db, {
    ...same,
    ...{ id: digest, kind: 'daily', projects: null, days: '1', minute: 540, zone: 'UTC', shows: 'null' },
    ...{
      silent_when_empty: false,
      state: 'on',
      next_at: hence,
      next_date: '2030-01-01',
    },
  });
  await addOccurrences(
    db,
    (['due', 'uncertain', 'missed'] as const).map((state, index) => ({
      ...{ ...same, id: `${digest}-${index}`, digest, slot: `2026-01-0${index + 1}`, due_at: at, state },
      ...{
        next_at: state === 'due' ? hence : null,
        tell_at: state === 'due' ? null : hence,
        afterwards: null,
      },
    })),
  );
}

export async function digestsOf(db: Db, workspace: string) {
  const digests = await db
    .selectFrom('digest')
    .select(['state', 'paused_why', 'next_at', 'tell_at'])
    .where('workspace', '=', workspace)
    .execute();
  const occurrences = await db
    .selectFrom('digest_occurrence')
    .select(['state', 'next_at', 'tell_at', 'afterwards'])
    .where('workspace', '=', workspace)
    .orderBy('slot')
    .execute();
  return { digests, occurrences };
}

export async function keptOf(db: Db, workspace: string) {
  const count = async (table: 'credential' | 'open_form') =>
    (await db.selectFrom(table).select('id').where('workspace', '=', workspace).execute()).length;
  const submissions = await db
    .selectFrom('submission')
    .select(['state', 'content', 'next_at'])
    .where('workspace', '=', workspace)
    .orderBy('item')
    .execute();
  return { credentials: await count('credential'), forms: await count('open_form'), submissions };
}

export const GONE = {
  credentials: 0,
  forms: 0,
  submissions: [
    { state: 'discarded', content: null, next_at: null },
    { state: 'discarded', content: null, next_at: null },
    { state: 'confirmed', content: null, next_at: expect.anything() },
  ],
};
