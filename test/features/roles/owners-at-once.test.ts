import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Grant, listGrants, saveGrant } from '../../../src/access/access.ts';
import { giveForm } from '../../../src/features/roles/give-form.ts';
import { roles } from '../../../src/features/roles/roles.ts';
import { TAKE_BACK_ACTION } from '../../../src/features/roles/roles-list.ts';
import type { ActionCall, SubmissionCall } from '../../../src/handlers/call.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import {
  createOnPostgres,
  onEveryDatabase,
  onPostgres,
  openWithTables,
  type TestDatabase,
} from '../../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/** Creates the part of a call that these handlers use. People and permissions are stubs. */
function createCall(db: Kysely<BotSchema>, user: string, action?: { value: string }) {
  const member = { kind: 'member', isAdmin: true, roles: [], isIncomplete: false };
  return {
    context: {
      db,
      access: {
        defaultRoles: { owners: 'installer' },
        onGrantsChanged: () => undefined,
        findUsableGrant: async (_workspace: string, [grant]: readonly Grant[]) => grant ?? 'none',
        findAccess: async () => member,
      },
      record: { enqueue: () => undefined },
      applyRoles: async () => undefined,
    },
    actor: { workspace: 'T1', user },
    client: { chat: { postMessage: async () => ({}) } },
    reference: 'r',
    now: () => NOW,
    reply: async () => undefined,
    answer: async () => true,
    inTime: (work: Promise<unknown>) => work,
    action,
  } as unknown as ActionCall & SubmissionCall;
}

type Change = (db: Kysely<BotSchema>, actorId: string, subjectId: string) => Promise<void>;

const takeBack: Change = async (db, actorId, subjectId) => {
  const value = JSON.stringify({ kind: 'person', id: subjectId, project: '' });
  await roles.actions?.[TAKE_BACK_ACTION]?.run(createCall(db, actorId, { value }));
};

async function give(call: SubmissionCall, people: readonly string[], projects: readonly string[]) {
  if (!('respond' in giveForm.onSubmit)) throw new Error('the form has no function that responds');
  const { respond } = giveForm.onSubmit as { respond(...args: readonly unknown[]): Promise<unknown> };
  await respond(call, {
    subjects: people.map((id) => ({ subject: { kind: 'person', id }, field: 'people' })),
    role: 'viewer',
    projects: projects.map((id) => ({ id, name: id })),
  });
}

const lowerRole: Change = (db, actorId, subjectId) => give(createCall(db, actorId), [subjectId], []);

const CHANGE_PAIRS: [string, Change, Change][] = [
  ['take each other’s role back', takeBack, takeBack],
  ['give each other a lower role', lowerRole, lowerRole],
  ['change each other’s role, one by taking it back and one by giving a lower role', takeBack, lowerRole],
];

let db: Kysely<BotSchema>;
function setUpTwoOwners(create: () => Promise<TestDatabase>): void {
  beforeAll(async () => {
    const opened = await openWithTables(create);
    db = opened.db;
    return opened.close;
  });
  beforeEach(async () => {
    await db.deleteFrom('access_grant').execute();
    for (const subject of ['U1', 'U2']) {
      const grant = { workspace: 'T1', subjectKind: 'person', subject, project: '', role: 'owner' } as const;
      await saveGrant(db, { ...grant, reason: 'given', grantedBy: 'U1', grantedAt: NOW });
    }
  });
}

const countOwners = async () => (await listGrants(db, 'T1')).filter(({ role }) => role === 'owner').length;

onEveryDatabase((create) => {
  setUpTwoOwners(create);
  test('a role is given to many people in many projects at once', async () => {
    const name = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    for (const _ of [1, 2]) await give(createCall(db, 'U1'), name('U', 50), name('p', 25));
    expect(await listGrants(db, 'T1')).toHaveLength(1_252);
  });

  test.each(CHANGE_PAIRS)(
    'if two owners simultaneously %s, one stays an owner',
    async (_changes, firstChange, secondChange) => {
      await Promise.all([firstChange(db, 'U1', 'U2'), secondChange(db, 'U2', 'U1')]);
      expect(await countOwners()).toBe(1);
    },
  );
});

onPostgres((url) => {
  setUpTwoOwners(() => createOnPostgres(url));
  test.each(CHANGE_PAIRS)(
    'if two owners %s before either change is saved, one stays an owner',
    async (_changes, firstChange, secondChange) => {
      const waitingSessions = sql`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
      let changes: Promise<unknown> = Promise.resolve();
      await db.transaction().execute(async (blocking) => {
        // Reads aren't blocked. A change to either row waits until this transaction ends.
        await blocking.selectFrom('access_grant').select('subject').forUpdate().execute();
        changes = Promise.all([firstChange(db, 'U1', 'U2'), secondChange(db, 'U2', 'U1')]);
        await expect.poll(async () => (await waitingSessions.execute(db)).rows).toHaveLength(2);
      });
      await changes;
      expect(await countOwners()).toBe(1);
    },
  );
});
