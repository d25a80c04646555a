import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listGrants, saveGrant } from '../../../src/access/access.ts';
import type { ActionCall, SubmissionCall } from '../../../src/app/call.ts';
import { giveForm } from '../../../src/features/roles/give-form.ts';
import { roles } from '../../../src/features/roles/roles.ts';
import { TAKE } from '../../../src/features/roles/roles-list.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { createOnPostgres, onEveryDatabase, onPostgres, type TestDatabase } from '../../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/** The part of a call that the handlers use, without people and permissions. */
function createCall(db: Kysely<BotSchema>, user: string, action?: { value: string }) {
  const member = { kind: 'member', isAdmin: true, roles: [], isIncomplete: false };
  return {
    context: {
      db,
      access: {
        defaultRoles: { owners: 'installer' },
        onGrantsChanged: () => undefined,
        findAccess: async () => member,
      },
      record: { add: async () => undefined },
    },
    actor: { workspace: 'T1', user },
    client: { chat: { postMessage: async () => undefined } },
    reference: 'r',
    now: () => NOW,
    reply: async () => undefined,
    answer: async () => true,
    action,
  } as unknown as ActionCall & SubmissionCall;
}

type Change = (db: Kysely<BotSchema>, by: string, id: string) => Promise<void>;

const takeBack: Change = async (db, by, id) => {
  const value = JSON.stringify({ kind: 'person', id, project: '' });
  await roles.actions?.[TAKE]?.(createCall(db, by, { value }));
};

const lowerRole: Change = async (db, by, id) => {
  if (!('answer' in giveForm.destination)) throw new Error('the form has no answer function');
  const subjects = [{ subject: { kind: 'person', id }, field: 'people' }] as const;
  const again = async () => undefined;
  const assignment = { subjects, role: 'viewer', projects: [] } as const;
  const { answer } = giveForm.destination as { answer(...args: readonly unknown[]): Promise<void> };
  await answer(createCall(db, by), assignment, undefined, { showErrors: again });
};

const PAIRS: [string, Change, Change][] = [
  ['take each other’s role back', takeBack, takeBack],
  ['give each other a lower role', lowerRole, lowerRole],
  ['do one of these each', takeBack, lowerRole],
];

let db: Kysely<BotSchema>;
function withTwoOwners(create: () => Promise<TestDatabase>): void {
  let close: () => Promise<void> = async () => {};
  beforeAll(async () => {
    const database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    close = async () => {
      await db.destroy();
      await database.close();
    };
  });
  afterAll(() => close());
  beforeEach(async () => {
    await db.deleteFrom('access_grant').execute();
    for (const subject of ['U1', 'U2']) {
      const owner = { workspace: 'T1', subjectKind: 'person', subject, project: '', role: 'owner' } as const;
      await saveGrant(db, { ...owner, reason: 'given', grantedBy: 'U1', grantedAt: NOW });
    }
  });
}

const owners = async () => (await listGrants(db, 'T1')).filter(({ role }) => role === 'owner').length;

onEveryDatabase((create) => {
  withTwoOwners(create);
  describe('if two owners at the same time', () => {
    test.each(PAIRS)('%s, one stays an owner', async (_what, one, other) => {
      await Promise.all([one(db, 'U1', 'U2'), other(db, 'U2', 'U1')]);
      expect(await owners()).toBe(1);
    });
  });
});

onPostgres((url) => {
  withTwoOwners(() => createOnPostgres(url));
  describe('if two owners, both before either has changed anything,', () => {
    test.each(PAIRS)('%s, one stays an owner', async (_what, one, other) => {
      const waitingSessions = sql`select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      let changes: Promise<unknown> = Promise.resolve();
      await db.transaction().execute(async (blocking) => {
        // Reads go on. A change of one of the two rows waits for the end of this transaction.
        await blocking.selectFrom('access_grant').select('subject').forUpdate().execute();
        changes = Promise.all([one(db, 'U1', 'U2'), other(db, 'U2', 'U1')]);
        await expect.poll(async () => (await waitingSessions.execute(db)).rows).toHaveLength(2);
      });
      await changes;
      expect(await owners()).toBe(1);
    });
  });
});
