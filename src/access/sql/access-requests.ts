import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** A request for a role. Before the person sends it, it is an offer: the button of a refusal. */
export interface AccessRequest {
  /** Random, because it is the button's only value. */
  id: string;
  workspace: string;
  person: string;
  role: string;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  madeAt: Date;
  askedAt?: Date;
  answer?: string;
  answeredBy?: string;
}

/** How long an offer or request is valid. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;
/** Offers of one person: every role in ten projects. Further refusals have no button. Our own choice. */
const MAX_OFFERS = 50;
/**
 * Requests in a day. A person asks for a role in a few projects; in a workspace of thousands, hundreds ask on the first
 * day. Each request is a message to ten owners. Our own choice.
 */
const MAX_REQUESTS_PER_DAY = { person: 10, workspace: 300 };

type RequestedRole = Pick<AccessRequest, 'workspace' | 'person' | 'role' | 'project'>;

/**
 * Offers to ask for a role. Renews the person's offer for the same role if there is one, and returns its id. Undefined
 * if the person has MAX_OFFERS already. Also deletes expired offers and requests.
 */
export async function offerRequest(
  db: Kysely<BotSchema>,
  request: RequestedRole & Pick<AccessRequest, 'id' | 'madeAt'>,
): Promise<string | undefined> {
  const { madeAt, ...rest } = request;
  const known = await renewOffer(db, request, madeAt);
  if (known !== undefined) return known;
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, request.workspace);
      const meanwhile = await renewOffer(transaction, request, madeAt);
      if (meanwhile !== undefined) return meanwhile;
      await transaction.deleteFrom('access_request').where('created_at', '<', oldestValid(madeAt)).execute();
      const { offers } = await transaction
        .selectFrom('access_request')
        .select((one) => one.fn.countAll<number>().as('offers'))
        .where('workspace', '=', request.workspace)
        .where('person', '=', request.person)
        .where('requested_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (Number(offers) >= MAX_OFFERS) return undefined;
      await transaction
        .insertInto('access_request')
        .values({ ...rest, created_at: madeAt })
        .execute();
      return request.id;
    });
}

/**
 * Locks until the transaction ends. A stricter level than READ COMMITTED would not see changes made during the wait.
 */
async function lockRequests(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  const key = `access_request/${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}

/** Extends the person's valid offer for this role by a week. Returns its id; undefined if there is none. */
async function renewOffer(
  db: Kysely<BotSchema>,
  requested: RequestedRole,
  at: Date,
): Promise<string | undefined> {
  const { workspace, person, role, project } = requested;
  const rows = await db
    .updateTable('access_request')
    .set({ created_at: at })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .where('role', '=', role)
    .where('project', '=', project)
    .where('requested_at', 'is', null)
    .where('created_at', '>=', oldestValid(at))
    .returning('id')
    .execute();
  return rows[0]?.id;
}

function oldestValid(now: Date): Date {
  return new Date(now.getTime() - VALID_MS);
}

/** Undefined if it doesn't exist or has expired. */
export async function accessRequest(
  db: Kysely<BotSchema>,
  at: { workspace: string; id: string; now: Date },
): Promise<AccessRequest | undefined> {
  const row = await db
    .selectFrom('access_request')
    .selectAll()
    .where('id', '=', at.id)
    .where('workspace', '=', at.workspace)
    .where('created_at', '>=', oldestValid(at.now))
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    role: row.role,
    project: row.project,
    madeAt: row.created_at,
    ...(row.requested_at && { askedAt: row.requested_at }),
    ...(row.answer !== null && { answer: row.answer }),
    ...(row.answered_by !== null && { answeredBy: row.answered_by }),
  };
}

/**
 * The outcome of sending a request. `already`: an equal one is waiting for an answer. `too-many`: MAX_REQUESTS_PER_DAY
 * is reached. `gone`: the offer belongs to somebody else, or was already used.
 */
type SendOutcome = 'asked' | 'already' | 'too-many' | 'gone';

/** Turns the person's offer into a request. Requests after `since` count for the limits. */
export async function sendRequest(
  db: Kysely<BotSchema>,
  { id, workspace, person, ...request }: RequestedRole & { id: string; since: Date; now: Date },
): Promise<SendOutcome> {
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, workspace);
      const asked = await transaction
        .selectFrom('access_request')
        .select(['person', 'role', 'project', 'answer'])
        .where('workspace', '=', workspace)
        .where('requested_at', '>', request.since)
        .limit(MAX_REQUESTS_PER_DAY.workspace)
        .execute();
      const own = asked.filter((one) => one.person === person);
      const isSame = (one: Omit<RequestedRole, 'workspace' | 'person'>) =>
        one.role === request.role && one.project === request.project;
      if (own.some((one) => one.answer === null && isSame(one))) return 'already';
      const { person: maxOwn, workspace: maxAll } = MAX_REQUESTS_PER_DAY;
      if (own.length >= maxOwn || asked.length >= maxAll) return 'too-many';
      const changed = await transaction
        .updateTable('access_request')
        .set({ requested_at: request.now })
        .where('id', '=', id)
        .where('workspace', '=', workspace)
        .where('person', '=', person)
        .where('requested_at', 'is', null)
        .returning('id')
        .execute();
      return changed.length > 0 ? 'asked' : 'gone';
    });
}

/** Stores the first answer. False for every later one. */
export async function answerRequest(
  db: Kysely<BotSchema>,
  at: { workspace: string; id: string; answer: string; by: string; now: Date },
): Promise<boolean> {
  const changed = await db
    .updateTable('access_request')
    .set({ answer: at.answer, answered_by: at.by, answered_at: at.now })
    .where('id', '=', at.id)
    .where('workspace', '=', at.workspace)
    .where('requested_at', 'is not', null)
    .where('answer', 'is', null)
    .returning('id')
    .execute();
  return changed.length > 0;
}
