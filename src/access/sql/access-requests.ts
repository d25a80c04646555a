import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../durations.ts';
import { type MessageAddress, messageAddress } from '../../slack/notify-once.ts';
import { deleteBatch } from '../../store/delete-batch.ts';
import { lockUntilEnd } from '../../store/locks.ts';
import { includesRole, isRole, ROLES, type Role } from '../roles.ts';
import type { AccessTables } from '../tables.ts';

/** A request for a role. It starts as an offer: a button in a refusal. Pressing the button sends it. */
export interface AccessRequest {
  /** Random, so that nobody can guess it: the button's value is only this id. */
  id: string;
  workspace: string;
  person: string;
  role: string;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  /** When the offer was made or last renewed, or when the request was sent. */
  createdAt: Date;
  /** Undefined for an offer. */
  requestedAt?: Date;
  /** The messages that ask the owners. */
  messages?: readonly MessageAddress[];
  /** The owner's answer: the granted role, or `no`. */
  answer?: string;
  /** Slack's id of the owner. */
  answeredBy?: string;
}

/** How long an offer or request is valid. */
const VALIDITY_MS = 7 * DAY_MS;
/** The maximum number of expired rows that a new offer deletes. More than one, so that a backlog shrinks. */
const MAX_DELETED_REQUESTS = 100;
/** Maximum number of offers to one person: every role in ten projects. Further refusals have no button. */
const MAX_OFFERS = 50;
/**
 * Maximum number of requests per day. There are limits because each request sends a message to up to ten owners. A
 * person needs roles in only a few projects. In a large workspace, hundreds of members may request a role on one day.
 */
const MAX_REQUESTS_PER_DAY = { person: 10, workspace: 300 };

type RequestedRole = Pick<AccessRequest, 'workspace' | 'person' | 'role' | 'project'>;

/**
 * Offers the person a button to request a role, and returns the offer's id. A valid offer for the same role is renewed.
 * Returns undefined if the person already has MAX_OFFERS offers. Also deletes a few expired rows.
 */
export async function offerRequest(
  db: Kysely<AccessTables>,
  request: RequestedRole & Pick<AccessRequest, 'id' | 'createdAt'>,
): Promise<string | undefined> {
  const { createdAt, ...offer } = request;
  const renewedId = await renewOffer(db, request, createdAt);
  if (renewedId !== undefined) return renewedId;
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, request.workspace);
      // A concurrent call may have made the same offer before this call got the lock.
      const concurrentId = await renewOffer(transaction, request, createdAt);
      if (concurrentId !== undefined) return concurrentId;
      const condition = sql`created_at < ${computeOldestValidTime(createdAt)}`;
      const options = { key: 'id', condition, orderBy: 'created_at', limit: MAX_DELETED_REQUESTS };
      await deleteBatch(transaction, 'access_request', options);
      const { offers } = await transaction
        .selectFrom('access_request')
        .select((query) => query.fn.countAll<number>().as('offers'))
        .where(({ and }) => and({ workspace: request.workspace, person: request.person }))
        .where('requested_at', 'is', null)
        .where('created_at', '>=', computeOldestValidTime(createdAt))
        .executeTakeFirstOrThrow();
      if (Number(offers) >= MAX_OFFERS) return undefined;
      await transaction
        .insertInto('access_request')
        .values({ ...offer, created_at: createdAt })
        .execute();
      return request.id;
    });
}

/**
 * Locks the workspace's requests until the transaction ends. The transaction must be READ COMMITTED. At a stricter
 * level it would not see changes made while it waited for the lock.
 */
async function lockRequests(transaction: Transaction<AccessTables>, workspace: string): Promise<void> {
  await lockUntilEnd(transaction, `access_request/${workspace}`);
}

/** Extends the person's valid offer for this role by VALIDITY_MS. Returns its id; undefined if there is none. */
async function renewOffer(
  db: Kysely<AccessTables>,
  { workspace, person, role, project }: RequestedRole,
  now: Date,
): Promise<string | undefined> {
  const rows = await db
    .updateTable('access_request')
    .set({ created_at: now })
    .where(({ and }) => and({ workspace, person, role, project }))
    .where('requested_at', 'is', null)
    .where('created_at', '>=', computeOldestValidTime(now))
    .returning('id')
    .execute();
  return rows[0]?.id;
}

function computeOldestValidTime(now: Date): Date {
  return new Date(now.getTime() - VALIDITY_MS);
}

const messagesSchema = z.array(messageAddress);
/** The stored messages of a request that may have reached no owner, so the person can send it again. */
const NO_MESSAGES = '[]';

/** Stores the messages that ask the owners, so that the answer can replace each of them. */
export async function storeRequestMessages(
  db: Kysely<AccessTables>,
  {
    workspace,
    id,
    messages,
  }: Pick<AccessRequest, 'workspace' | 'id'> & { messages: readonly MessageAddress[] },
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
    .where('created_at', '>=', computeOldestValidTime(now))
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    role: row.role,
    project: row.project,
    createdAt: row.created_at,
    ...(row.requested_at && { requestedAt: row.requested_at }),
    ...(row.messages !== null && { messages: messagesSchema.parse(JSON.parse(row.messages)) }),
    ...(row.answer !== null && { answer: row.answer }),
    ...(row.answered_by !== null && { answeredBy: row.answered_by }),
  };
}

/**
 * Turns the person's offer into a request. The limits count the requests after `since` that have reached an owner.
 * `duplicate`: the person's request for the same role is waiting for an answer. `too-many`: MAX_REQUESTS_PER_DAY is
 * reached. `gone`: the offer belongs to another person, or was already sent.
 */
export async function sendRequest(
  db: Kysely<AccessTables>,
  request: RequestedRole & { id: string; since: Date; now: Date },
): Promise<'sent' | 'duplicate' | 'too-many' | 'gone'> {
  const { id, workspace, person, role, project, since, now } = request;
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, workspace);
      const requests = await transaction
        .selectFrom('access_request')
        .select(['person', 'role', 'project', 'answer'])
        .where('workspace', '=', workspace)
        .where('requested_at', '>', since)
        .where('messages', 'is distinct from', NO_MESSAGES)
        .limit(MAX_REQUESTS_PER_DAY.workspace)
        .execute();
      const personRequests = requests.filter((one) => one.person === person);
      const hasOpenRequest = personRequests.some(
        (one) => one.answer === null && one.role === role && one.project === project,
      );
      if (hasOpenRequest) return 'duplicate';
      if (personRequests.length >= MAX_REQUESTS_PER_DAY.person) return 'too-many';
      if (requests.length >= MAX_REQUESTS_PER_DAY.workspace) return 'too-many';
      const updatedRows = await transaction
        .updateTable('access_request')
        // A request is valid as long as an offer, from now on.
        .set({ requested_at: now, created_at: now })
        .where(({ and }) => and({ id, workspace, person }))
        .where('requested_at', 'is', null)
        .returning('id')
        .execute();
      return updatedRows.length > 0 ? 'sent' : 'gone';
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
