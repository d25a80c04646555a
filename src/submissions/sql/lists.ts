import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { FINAL, PERSONS } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/** As many as a person looks through. */
const MOST_SHOWN = 20;
const MOST_REMEMBERED = 100;
/** Of others' things so many are read, before those of projects that somebody does not run are left out. */
const MOST_OF_OTHERS = 200;

/** What of a person's own has not ended well yet, newest first. */
export function outboxOf(
  db: Kysely<BotSchema>,
  who: Pick<SubmissionRow, 'workspace' | 'asker'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', who.workspace)
    .where('asker', '=', who.asker)
    .where('state', 'not in', FINAL)
    .orderBy('created_at', 'desc')
    .limit(MOST_SHOWN + 1)
    .execute();
}

/** What of one kind a person has changed in a project since `since`, and is so, newest first; at most 100. */
export function changedSince(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; asker: string; kind: string; project: string; since: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('asker', '=', wanted.asker)
    .where('kind', '=', wanted.kind)
    .where('project', '=', wanted.project)
    .where('state', '=', 'confirmed')
    .where('changed_at', '>', wanted.since)
    .orderBy('created_at', 'desc')
    .limit(MOST_REMEMBERED)
    .execute();
}

/** What of others has waited for its person since `since`, or is due before `dueBefore`; soonest due first. */
export function waitingTooLong(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; asker: string; since: Date; dueBefore: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('asker', '!=', wanted.asker)
    .where((row) =>
      row.or([
        row.and([row('state', 'in', PERSONS), row('changed_at', '<=', wanted.since)]),
        row.and([row('state', 'not in', FINAL), row('due_at', '<=', wanted.dueBefore)]),
      ]),
    )
    .orderBy('due_at')
    .orderBy('created_at')
    .limit(MOST_OF_OTHERS)
    .execute();
}

/** The person who sent what the service calls so, or what is equal to it. */
export async function authorOf(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; kind: string; result: string | undefined; fingerprint: string | undefined },
): Promise<string | undefined> {
  const { result, fingerprint } = wanted;
  if (result === undefined && fingerprint === undefined) return undefined;
  const found = await db
    .selectFrom('submission')
    .select(['asker', 'result'])
    .where('workspace', '=', wanted.workspace)
    .where('kind', '=', wanted.kind)
    .where('state', '=', 'confirmed')
    .where((row) =>
      row.or([
        ...(result === undefined ? [] : [row('result', '=', result)]),
        ...(fingerprint === undefined ? [] : [row('fingerprint', '=', fingerprint)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  const named = found.find((row) => result !== undefined && row.result === result);
  const people = new Set(found.map(({ asker }) => asker));
  // Of several equal ones by several people nobody can say whose this is.
  return named?.asker ?? (people.size === 1 ? found[0]?.asker : undefined);
}

export function rememberedResults(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; project: string; kind: string },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('project', '=', wanted.project)
    .where('kind', '=', wanted.kind)
    .where('state', '=', 'confirmed')
    .where('result', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(MOST_REMEMBERED)
    .execute();
}
