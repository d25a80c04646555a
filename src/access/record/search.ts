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

/** The part of a workspace's record that is searched: the newest rows of a period. */
export interface SearchedPart {
  workspace: string;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The number of rows. A search reads all of them, so it bounds how long the search takes. */
  maxRows: number;
}

export interface RecordSearch extends SearchedPart {
  /** Rows must match all of these terms. */
  terms: readonly SearchTerm[];
}

/** Every attempt to send a submission is recorded. The attempts of one submission have the same value. */
const SUBMISSION_OR_ROW = sql`case when action like 'send %' and decision = 'allowed' and target <> '' then target else seq::text end`;

/**
 * Reads one page of the matching rows, newest first, and counts all of them. With `isMerged`, only the newest attempt to
 * send a submission counts. `searchedSince` is set if there may be older rows, which weren't searched.
 */
export async function searchRecord(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  page: { skip: number; limit: number; isMerged: boolean },
): Promise<{ rows: RecordRow[]; count: number; searchedSince?: Date | undefined }> {
  const text = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;
  let matching = selectNewest(db, search).selectFrom('searched');
  for (const term of search.terms)
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
  const { count, searchedCount, searchedSince } = await selectNewest(db, search)
    .selectFrom(newest.as('newest'))
    .select((row) => [
      row.fn.countAll<number>().as('count'),
      row
        .selectFrom('searched')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .as('searchedCount'),
      row
        .selectFrom('searched')
        .select(({ fn }) => fn.min('at').as('at'))
        .as('searchedSince'),
    ])
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace', '=', search.workspace)
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
  const isPart = Number(searchedCount) === search.maxRows;
  return { rows, count: Number(count), ...(isPart && { searchedSince: searchedSince ?? undefined }) };
}

/** A query with the searched rows as `searched`. */
function selectNewest(db: Kysely<BotSchema>, { workspace, from, to, maxRows }: SearchedPart) {
  return db.with('searched', (query) => {
    let rows = query
      .selectFrom('audit_entry')
      .select(['seq', 'at', 'actor', 'project', 'action', 'target', 'decision', 'reference'])
      .where('workspace', '=', workspace);
    if (from) rows = rows.where('at', '>=', from);
    if (to) rows = rows.where('at', '<=', to);
    return rows.orderBy('at', 'desc').orderBy('seq', 'desc').limit(maxRows);
  });
}

/** Lists the different actions in the searched part of a record. */
export async function listRecordedActions(db: Kysely<BotSchema>, part: SearchedPart): Promise<string[]> {
  const rows = await selectNewest(db, part).selectFrom('searched').select('action').distinct().execute();
  return rows.map(({ action }) => action);
}

/** Escapes LIKE's wildcards. */
function escapeLike(term: string): string {
  return term.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
}
