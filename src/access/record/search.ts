import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { RecordRow } from './rows.ts';

/** One word of a search. A row matches if it contains the text, or has one of these values. */
export interface SearchTerm {
  /** Case is ignored. */
  text: string;
  actions: readonly string[];
  /** The projects' ids in the service. */
  projects: readonly string[];
  decisions: readonly string[];
}

export interface RecordSearch {
  workspace: string;
  /** Rows must match all of these terms. */
  terms: readonly SearchTerm[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Every attempt to send a submission is recorded. The attempts of one submission have the same value. */
const SUBMISSION_OR_ROW = sql`case when action like 'send %' and decision = 'allowed' and target <> '' then target else seq::text end`;

/**
 * Reads one page of the matching rows, newest first, and counts all of them. With `isMerged`, only the newest attempt to
 * send a submission counts.
 */
export async function searchRecord(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  page: { skip: number; limit: number; isMerged: boolean },
): Promise<{ rows: RecordRow[]; count: number }> {
  const { workspace, terms, from, to } = search;
  let matching = db.selectFrom('audit_entry').where('workspace', '=', workspace);
  if (from) matching = matching.where('at', '>=', from);
  if (to) matching = matching.where('at', '<=', to);
  const text = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;
  for (const term of terms)
    matching = matching.where((row) =>
      row.or([
        row(text, 'like', `%${escapeLike(term.text)}%`),
        ...(['action', 'project', 'decision'] as const).flatMap((column) => {
          const values = term[`${column}s`];
          return values.length === 0 ? [] : [row(column, 'in', values)];
        }),
      ]),
    );
  const newest = matching
    .select((row) => [row.fn.max('seq').as('seq'), row.fn.max('at').as('at')])
    .groupBy(page.isMerged ? SUBMISSION_OR_ROW : 'seq');
  const { count } = await db
    .selectFrom(newest.as('newest'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('seq', 'in', (row) =>
      row
        .selectFrom(newest.as('newest'))
        .select('newest.seq')
        .orderBy('newest.at', 'desc')
        .orderBy('newest.seq', 'desc')
        .offset(page.skip)
        .limit(page.limit),
    )
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  return { rows, count: Number(count) };
}

/** Lists the different actions in a workspace's record. */
export async function listRecordedActions(db: Kysely<BotSchema>, workspace: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('action')
    .distinct()
    .where('workspace', '=', workspace)
    .execute();
  return rows.map(({ action }) => action);
}

/** Escapes LIKE's wildcards. */
function escapeLike(term: string): string {
  return term.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
}
