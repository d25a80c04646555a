import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';

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

/** Makes a refusal's offer to ask; also removes those that are out of date. */
export async function offerRequest(
  db: Kysely<BotSchema>,
  request: Pick<AccessRequest, 'id' | 'workspace' | 'person' | 'role' | 'project' | 'madeAt'>,
): Promise<void> {
  const { madeAt, ...rest } = request;
  await db
    .insertInto('access_request')
    .values({ ...rest, made_at: madeAt })
    .execute();
  await db.deleteFrom('access_request').where('made_at', '<', oldestKept(madeAt)).execute();
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

/** The same was asked already and nobody has answered since `since`. */
export async function isAskedAlready(
  db: Kysely<BotSchema>,
  request: Pick<AccessRequest, 'workspace' | 'person' | 'role' | 'project'> & { since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('access_request')
    .select('id')
    .where('workspace', '=', request.workspace)
    .where('person', '=', request.person)
    .where('role', '=', request.role)
    .where('project', '=', request.project)
    .where('asked_at', '>', request.since)
    .where('answer', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Only once, and only by the person themselves. */
export async function askRequest(
  db: Kysely<BotSchema>,
  at: { workspace: string; id: string; person: string; now: Date },
): Promise<boolean> {
  const changed = await db
    .updateTable('access_request')
    .set({ asked_at: at.now })
    .where('id', '=', at.id)
    .where('workspace', '=', at.workspace)
    .where('person', '=', at.person)
    .where('asked_at', 'is', null)
    .returning('id')
    .execute();
  return changed.length > 0;
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
