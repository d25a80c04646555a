import type { Kysely, Selectable } from 'kysely';
import { text } from '../contract/narrowing.ts';
import { DEFAULT_USER_ROLE, DEFAULT_USER_STATUS, USER_ROLES, USER_STATUSES } from '../decisions.ts';
import { recordId, rowOf } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';
import { requireAny, requireFields, requireOneOf } from './field-rules.ts';
import { answerDone, type Operation } from './operation.ts';

const EMAIL_TAKEN = {
  loc: ['body', 'Email'],
  msg: 'Somebody with this e-mail is already in the project',
  type: 'value_error',
};

export const addNonPlatformUserToProject: Operation = {
  scope: 'project',
  rules: ({ body }) => [
    ...requireFields(body, ['FirstName', 'LastName', 'Email']),
    ...requireOneOf(body, 'Role', USER_ROLES),
    ...requireOneOf(body, 'Status', USER_STATUSES),
  ],
  lookups: async ({ db, projectId, request: { body } }) =>
    (await isTaken(db, projectId, text(body, 'Email') ?? '')) ? [EMAIL_TAKEN] : [],
  run: async ({ db, projectId, request: { body }, now }) => {
    const email = text(body, 'Email') ?? '';
    const values = {
      project_id: projectId,
      first_name: text(body, 'FirstName') ?? '',
      last_name: text(body, 'LastName') ?? '',
      email,
      email_key: email.toLowerCase(),
      phone_number: text(body, 'PhoneNumber') ?? null,
      role: text(body, 'Role') ?? DEFAULT_USER_ROLE,
      status: text(body, 'Status') ?? DEFAULT_USER_STATUS,
      created_at: now,
      updated_at: now,
    };
    const row = await db.transaction().execute(async (transaction) => {
      const insert = transaction.insertInto('users').values(values);
      // Two simultaneous invitations may both pass the look-up.
      const created = await insert
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (created === undefined) return undefined;
      const message = `${recordId('user', created.id)} was invited as ${created.role}.`;
      await writeLog(transaction, now, { projectId, event: 'user.invited', message });
      return created;
    });
    return row === undefined ? { kind: 'invalid', problems: [EMAIL_TAKEN] } : answerDone(userRecord(row));
  },
};

export const updateProjectUser: Operation = {
  scope: 'project',
  rules: ({ body }) => [
    ...requireAny(body, ['Role', 'Status']),
    ...requireOneOf(body, 'Role', USER_ROLES),
    ...requireOneOf(body, 'Status', USER_STATUSES),
  ],
  run: async ({ db, projectId, request: { path, body }, now }) => {
    const id = rowOf('user', text(path, 'user_id'));
    if (id === undefined) return { kind: 'absent', what: 'user' };
    const [role, status] = [text(body, 'Role'), text(body, 'Status')];
    const row = await db.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('users')
        .set({ updated_at: now, ...(role && { role }), ...(status && { status }) })
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      if (changed === undefined) return undefined;
      const message = `${recordId('user', id)} is now ${changed.role} and ${changed.status}.`;
      await writeLog(transaction, now, { projectId, event: 'user.updated', message });
      return changed;
    });
    return row === undefined ? { kind: 'absent', what: 'user' } : answerDone(userRecord(row));
  },
};

async function isTaken(db: Kysely<ServiceSchema>, projectId: number, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('project_id', '=', projectId)
    .where('email_key', '=', email.toLowerCase())
    .executeTakeFirst();
  return found !== undefined;
}

function userRecord(row: Selectable<ServiceSchema['users']>) {
  return {
    Id: recordId('user', row.id),
    ProjectId: recordId('project', row.project_id),
    FirstName: row.first_name,
    LastName: row.last_name,
    Email: row.email,
    PhoneNumber: row.phone_number,
    Role: row.role,
    Status: row.status,
    CreatedAt: row.created_at.toISOString(),
    UpdatedAt: row.updated_at.toISOString(),
  };
}
