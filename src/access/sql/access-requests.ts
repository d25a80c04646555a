import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../durations.ts';
import { messageAddress } from '../../slack/notify-once.ts';
import { deleteBatch } from '../../store/delete-batch.ts';
import { lockUntilEnd } from '../../store/locks.ts';
import { includesRole, isRole, ROLES, type Role } from '../roles.ts';
import type { AccessTables } from '../tables.ts';

/** A message that asks an owner. `owner`: their Slack id. */
const requestMessage = messageAddress.extend({ owner: z.string() });
type RequestMessage = z.infer<typeof requestMessage>;

/** A request for a role, which a person has sent to the owners. */
export interface AccessRequest {
  id: string;
  workspace: string;
  person: string;
  role: string;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  /** The messages that ask the owners. */
  messages?: readonly RequestMessage[];
  /** The owner's answer: the granted role, or `no`. */
  answer?: string;
  /** Slack's id of the owner. */
  answeredBy?: string;
}

/** How long a request is valid. */
const VALIDITY_MS = 7 * DAY_MS;
/** The maximum number of expired rows that a new request deletes. More than one, so that a backlog shrinks. */
const MAX_DELETED_REQUESTS = 100;
/**
 * Maximum number of requests per day. There are limits because each request sends a message to up to ten owners. A
 * person needs roles in only a few projects. In a large workspace, hundreds of members may request a role on one day.
 */
const MAX_REQUESTS_PER_DAY = { person: 10, workspace: 300 };

function computeOldestValidTime(now: Date): Date {
  return new Date(now.getTime() - VALIDITY_MS);
}

const messagesSchema = z.array(requestMessage);
/** The stored messages of a request that may have reached no owner, so the person can send it again. */
const NO_MESSAGES = '[]';

/** Stores the messages that ask the owners, so that the answer can replace each of them. */
export async function storeRequestMessages(
  db: Kysely<AccessTables>,
  {
    workspace,
    id,
    messages,
  }: Pick<AccessRequest, 'workspace' | 'id'> & { messages: readonly RequestMessage[] },
): Promise<void> {
  await db
    .updateTable('access_request')
    .set({ messages: JSON.stringify(messages) })
    .where(({ and }) => and({ id, workspace }))
    .execute();
}

/** Undefined if the request doesn't exist or has expired. */
export async function findAccessRequest(
  db: Kysely<AccessTables>,
  { workspace, id, now }: { workspace: string; id: string; now: Date },
): Promise<AccessRequest | undefined> {
  const row = await db
    .selectFrom('access_request')
    .selectAll()
    .where(({ and }) => and({ id, workspace }))
    .where('requested_at', 'is not', null)
    .where('created_at', '>=', computeOldestValidTime(now))
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    role: row.role,
    project: row.project,
    ...(row.messages !== null && { messages: messagesSchema.parse(JSON.parse(row.messages)) }),
    ...(row.answer !== null && { answer: row.answer }),
    ...(row.answered_by !== null && { answeredBy: row.answered_by }),
  };
}

/**
 * Stores a request. The limits count the requests after `since`. `duplicate`: the person's request for the same role has
 * reached an owner, and is waiting for an answer. `too-many`: MAX_REQUESTS_PER_DAY is reached.
 */
export async function sendRequest(
  db: Kysely<AccessTables>,
  request: Pick<AccessRequest, 'id' | 'workspace' | 'person' | 'role' | 'project'> & {
    since: Date;
    now: Date;
  },
): Promise<'sent' | 'duplicate' | 'too-many'> {
  const { id, workspace, person, role, project, since, now } = request;
  // At a stricter isolation level, the transaction wouldn't see changes made while it waited for the lock.
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockUntilEnd(transaction, `access_request/${workspace}`);
      const requests = await transaction
        .selectFrom('access_request')
        .select(['person', 'role', 'project', 'answer', 'messages'])
        .where('workspace', '=', workspace)
        .where('requested_at', '>', since)
        .limit(MAX_REQUESTS_PER_DAY.workspace)
        .execute();
      const personRequests = requests.filter((one) => one.person === person);
      const hasOpenRequest = personRequests.some(
        (one) =>
          one.answer === null && one.messages !== NO_MESSAGES && one.role === role && one.project === project,
      );
      if (hasOpenRequest) return 'duplicate';
      if (personRequests.length >= MAX_REQUESTS_PER_DAY.person) return 'too-many';
      if (requests.length >= MAX_REQUESTS_PER_DAY.workspace) return 'too-many';
      const condition = sql`created_at < ${computeOldestValidTime(now)}`;
      const options = { key: 'id', condition, orderBy: 'created_at', limit: MAX_DELETED_REQUESTS };
      await deleteBatch(transaction, 'access_request', options);
      await transaction
        .insertInto('access_request')
        .values({ id, workspace, person, role, project, requested_at: now, created_at: now })
        .execute();
      return 'sent';
    });
}

/** Stores the answer. Returns false and changes nothing if the request has an answer already. */
export async function answerRequest(
  db: Kysely<AccessTables>,
  request: { workspace: string; id: string; answer: string; by: string; now: Date },
): Promise<boolean> {
  const { workspace, id, answer, by: answeredBy, now } = request;
  const updatedRows = await db
    .updateTable('access_request')
    .set({ answer, answered_by: answeredBy, answered_at: now })
    .where(({ and }) => and({ id, workspace }))
    .where('requested_at', 'is not', null)
    .where('answer', 'is', null)
    .returning('id')
    .execute();
  return updatedRows.length > 0;
}

/** Answers the people's pending requests for roles that a given role includes. Returns the requests' ids. */
export async function answerCoveredRequests(
  db: Kysely<AccessTables>,
  given: {
    workspace: string;
    people: readonly string[];
    /** The id '' stands for the whole workspace, and so for every project. */
    projects: readonly string[];
    role: Role;
    by: string;
    now: Date;
  },
): Promise<string[]> {
  const { workspace, people, projects, role, by: answeredBy, now } = given;
  const rows = await db
    .updateTable('access_request')
    .set({ answer: role, answered_by: answeredBy, answered_at: now })
    .where('workspace', '=', workspace)
    .where('person', 'in', people)
    .where(
      'role',
      'in',
      ROLES.filter((one) => includesRole(role, one)),
    )
    .$if(!projects.includes(''), (query) => query.where('project', 'in', projects))
    .where('requested_at', 'is not', null)
    .where('answer', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export interface PendingRequest {
  role: Role;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  requestedAt: Date;
}

/** Lists a person's pending requests that have reached an owner, newest first. */
export async function listPendingRequests(
  db: Kysely<AccessTables>,
  { workspace, person, now }: { workspace: string; person: string; now: Date },
): Promise<PendingRequest[]> {
  const rows = await db
    .selectFrom('access_request')
    .select(['role', 'project', 'requested_at'])
    .where(({ and }) => and({ workspace, person }))
    .where('requested_at', 'is not', null)
    .where('answer', 'is', null)
    .where('messages', 'is distinct from', NO_MESSAGES)
    .where('created_at', '>=', computeOldestValidTime(now))
    .orderBy('requested_at', 'desc')
    .execute();
  return rows.flatMap(({ role, project, requested_at: requestedAt }) =>
    isRole(role) && requestedAt ? [{ role, project, requestedAt }] : [],
  );
}
