import type { Kysely, Selectable } from 'kysely';
import { getText } from '../contract/narrowing.ts';
import { DEFAULT_USER_ROLE, DEFAULT_USER_STATUS, USER_ROLES, USER_STATUSES } from '../decisions.ts';
import { formatRecordId, parseRecordId } from '../record-id.ts';
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
    (await isTaken(db, projectId, getText(body, 'Email') ?? '')) ? [EMAIL_TAKEN] : [],
  run: async ({ db, projectId, request: { body }, now }) => {
    const email = getText(body, 'Email') ?? '';
    const values = {
      project_id: projectId,
      first_name: getText(body, 'FirstName') ?? '',
      last_name: getText(body, 'LastName') ?? '',
      email,
      email_key: email.toLowerCase(),
      phone_number: getText(body, 'PhoneNumber') ?? null,
      role: getText(body, 'Role') ?? DEFAULT_USER_ROLE,
      status: getText(body, 'Status') ?? DEFAULT_USER_STATUS,
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
      const message = `${formatRecordId('user', created.id)} was invited as ${created.role}.`;
      await writeLog(transaction, now, { projectId, event: 'user.invited', message });
      return created;
    });
    return row === undefined ? { kind: 'invalid', problems: [EMAIL_TAKEN] } : answerDone(toUserRecord(row));
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
    const id = parseRecordId('user', getText(path, 'user_id'));
    if (id === undefined) return { kind: 'absent', what: 'user' };
    const [role, status] = [getText(body, 'Role'), getText(body, 'Status')];
    const row = await db.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('users')
        .set({ updated_at: now, ...(role && { role }), ...(status && { status }) })
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      if (changed === undefined) return undefined;
      const message = `${formatRecordId('user', id)} is now ${changed.role} and ${changed.status}.`;
      await writeLog(transaction, now, { projectId, event: 'user.updated', message });
      return changed;
    });
    return row === undefined ? { kind: 'absent', what: 'user' } : answerDone(toUserRecord(row));
  },
};

async function isTaken(db: Kysely<ServiceSchema>, projectId: number, email: string): Promise<boolean> {
  // Postgres refuses NUL also in a question, and no stored text has it.
  if (email.includes('\0')) return false;
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('project_id', '=', projectId)
    .where('email_key', '=', email.toLowerCase())
    .executeTakeFirst();
  return found !== undefined;
}

function toUserRecord(row: Selectable<ServiceSchema['users']>) {
  return {
    Id: formatRecordId('user', row.id),
    ProjectId: formatRecordId('project', row.project_id),
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
