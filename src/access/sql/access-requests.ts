import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** Somebody may ask, or has asked, for a role. */
export interface AccessRequest {
  /** Random: it is all that a button holds. */
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

/** A refusal's button is good for so long. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Of one person: every role in ten projects. What they are refused beyond has no button. Our own decision. */
const MAX_OFFERS = 50;
/**
 * In a day. A person asks for a role in a few projects; in a workspace of thousands, hundreds ask on the first day. Each
 * request is a message to ten owners. Our own decision.
 */
const MAX_ASKED = { person: 10, workspace: 300 };

type Wish = Pick<AccessRequest, 'workspace' | 'person' | 'role' | 'project'>;

/**
 * A refusal's offer to ask: the one that there is already for the same, or another; its id. Undefined where somebody
 * has MAX_OFFERS. Also removes what is out of date.
 */
export async function offerRequest(
  db: Kysely<BotSchema>,
  request: Wish & Pick<AccessRequest, 'id' | 'madeAt'>,
): Promise<string | undefined> {
  const { madeAt, ...rest } = request;
  const known = await renewed(db, request, madeAt);
  if (known !== undefined) return known;
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, request.workspace);
      const meanwhile = await renewed(transaction, request, madeAt);
      if (meanwhile !== undefined) return meanwhile;
      await transaction.deleteFrom('access_request').where('made_at', '<', oldestKept(madeAt)).execute();
      const { offers } = await transaction
        .selectFrom('access_request')
        .select((one) => one.fn.countAll<number>().as('offers'))
        .where('workspace', '=', request.workspace)
        .where('person', '=', request.person)
        .where('asked_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (Number(offers) >= MAX_OFFERS) return undefined;
      await transaction
        .insertInto('access_request')
        .values({ ...rest, made_at: madeAt })
        .execute();
      return request.id;
    });
}

/** Held until the transaction ends; a stricter level than READ COMMITTED would read what there was before the wait. */
async function lockRequests(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  const key = `access_request/${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}

/** The offer that somebody has for this, good for another week. */
async function renewed(db: Kysely<BotSchema>, wish: Wish, at: Date): Promise<string | undefined> {
  const { workspace, person, role, project } = wish;
  const rows = await db
    .updateTable('access_request')
    .set({ made_at: at })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .where('role', '=', role)
    .where('project', '=', project)
    .where('asked_at', 'is', null)
    .where('made_at', '>=', oldestKept(at))
    .returning('id')
    .execute();
  return rows[0]?.id;
}

function oldestKept(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/** Undefined where it is out of date at `now`, too. */
export async function accessRequest(
  db: Kysely<BotSchema>,
  at: { workspace: string; id: string; now: Date },
): Promise<AccessRequest | undefined> {
  const row = await db
    .selectFrom('access_request')
    .selectAll()
    .where('id', '=', at.id)
    .where('workspace', '=', at.workspace)
    .where('made_at', '>=', oldestKept(at.now))
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    role: row.role,
    project: row.project,
    madeAt: row.made_at,
    ...(row.asked_at && { askedAt: row.asked_at }),
    ...(row.answer !== null && { answer: row.answer }),
    ...(row.answered_by !== null && { answeredBy: row.answered_by }),
  };
}

/**
 * The outcome of a request. `already`: the same one is waiting for an answer. `too-many`: MAX_ASKED is reached. `gone`:
 * it belongs to somebody else, or was sent before.
 */
type Asked = 'asked' | 'already' | 'too-many' | 'gone';

/** Only once, and only by the person themselves; and within `since` not the same again, or more than anybody needs. */
export async function askRequest(
  db: Kysely<BotSchema>,
  { id, workspace, person, ...request }: Wish & { id: string; since: Date; now: Date },
): Promise<Asked> {
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockRequests(transaction, workspace);
      const asked = await transaction
        .selectFrom('access_request')
        .select(['person', 'role', 'project', 'answer'])
        .where('workspace', '=', workspace)
        .where('asked_at', '>', request.since)
        .limit(MAX_ASKED.workspace)
        .execute();
      const own = asked.filter((one) => one.person === person);
      const isSame = (one: Omit<Wish, 'workspace' | 'person'>) =>
        one.role === request.role && one.project === request.project;
      if (own.some((one) => one.answer === null && isSame(one))) return 'already';
      if (own.length >= MAX_ASKED.person || asked.length >= MAX_ASKED.workspace) return 'too-many';
      const changed = await transaction
        .updateTable('access_request')
        .set({ asked_at: request.now })
        .where('id', '=', id)
        .where('workspace', '=', workspace)
        .where('person', '=', person)
        .where('asked_at', 'is', null)
        .returning('id')
        .execute();
      return changed.length > 0 ? 'asked' : 'gone';
    });
}

/** The first answer holds: false for every later one. */
export async function answerRequest(
  db: Kysely<BotSchema>,
  at: { workspace: string; id: string; answer: string; by: string; now: Date },
): Promise<boolean> {
  const changed = await db
    .updateTable('access_request')
    .set({ answer: at.answer, answered_by: at.by, answered_at: at.now })
    .where('id', '=', at.id)
    .where('workspace', '=', at.workspace)
    .where('asked_at', 'is not', null)
    .where('answer', 'is', null)
    .returning('id')
    .execute();
  return changed.length > 0;
}
