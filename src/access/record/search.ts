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

/** Maximum number of rows that one statement reads whole. */
const MAX_ROWS_PER_READ = 1_000;

/**
 * Reads one page of the matching rows, newest first, and counts all of them. With `isMerged`, only the newest attempt to
 * send a submission counts. `searchedSince` is set if there may be older rows, which weren't searched.
 */
export async function searchRecord(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  page: { skip: number; limit: number; isMerged: boolean },
): Promise<{ rows: RecordRow[]; count: number; searchedSince?: Date | undefined }> {
  const { count, searchedCount, searchedSince, seqs } = await findRows(db, search, page);
  const rows: RecordRow[] = [];
  for (let read = 0; read < seqs.length; read += MAX_ROWS_PER_READ)
    rows.push(
      ...(await db
        .selectFrom('audit_entry')
        .selectAll()
        .where('workspace', '=', search.workspace)
        .where('seq', 'in', seqs.slice(read, read + MAX_ROWS_PER_READ))
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .execute()),
    );
  const isPart = Number(searchedCount) === search.maxRows;
  return { rows, count: Number(count), ...(isPart && { searchedSince: searchedSince ?? undefined }) };
}

/** Finds the numbers of the page's rows and counts the matching and the searched rows, with one pass through the latter. */
function findRows(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  { skip, limit, isMerged }: { skip: number; limit: number; isMerged: boolean },
) {
  return selectNewest(db, search)
    .with('matching', (query) => {
      let matching = query.selectFrom('searched');
      for (const term of search.terms)
        matching = matching.where((row) =>
          row.or([
            row('text', 'like', `%${escapeLike(term.text)}%`),
            ...(['action', 'project', 'decision'] as const).flatMap((column) => {
              const values = term[`${column}s`];
              return values.length === 0 ? [] : [row(column, 'in', values)];
            }),
          ]),
        );
      return isMerged
        ? matching
            .select((row) => [row.fn.max('seq').as('seq'), row.fn.max('at').as('at')])
            .groupBy(SUBMISSION_OR_ROW)
        : matching.select(['seq', 'at']);
    })
    .selectNoFrom((row) => [
      row
        .selectFrom('matching')
        .select((found) => found.fn.countAll<number>().as('rows'))
        .as('count'),
      row
        .selectFrom('searched')
        .select((found) => found.fn.countAll<number>().as('rows'))
        .as('searchedCount'),
      row
        .selectFrom('searched')
        .select((found) => found.fn.min('at').as('at'))
        .as('searchedSince'),
      sql<
        number[]
      >`array(select seq from matching order by at desc, seq desc offset ${skip} limit ${limit})`.as('seqs'),
    ])
    .executeTakeFirstOrThrow();
}

/** A query with the searched rows as `searched`. */
function selectNewest(
  db: Kysely<BotSchema>,
  { workspace, from, to, maxRows, terms = [] }: SearchedPart & Partial<RecordSearch>,
) {
  return db.with('searched', (query) => {
    let rows = query
      .selectFrom('audit_entry')
      .select(['seq', 'at', 'project', 'action', 'target', 'decision'])
      .select((terms.length > 0 ? TEXT : sql<string>`''`).as('text'))
      .where('workspace', '=', workspace);
    if (from) rows = rows.where('at', '>=', from);
    if (to) rows = rows.where('at', '<=', to);
    return rows.orderBy('at', 'desc').orderBy('seq', 'desc').limit(maxRows);
  });
}

/** The searched text, in lower case. Computed once for each row, however many words a search has. */
const TEXT = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;

/** Lists the different actions in the searched part of a record. */
export async function listRecordedActions(db: Kysely<BotSchema>, part: SearchedPart): Promise<string[]> {
  const rows = await selectNewest(db, part).selectFrom('searched').select('action').distinct().execute();
  return rows.map(({ action }) => action);
}

/** Escapes LIKE's wildcards. */
function escapeLike(term: string): string {
  return term.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
}
