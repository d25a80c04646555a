import { type Kysely, sql } from 'kysely';
import type { AccessTables } from '../tables.ts';
import type { RecordRow } from './record.ts';

/** One word of a search. A row matches if it contains the text, or has one of these values. */
export interface SearchTerm {
  /** Case is ignored. */
  text: string;
  actions: readonly string[];
  /** The projects' ids in the service. */
  projects: readonly string[];
  decisions: readonly string[];
}

/** A row's position in a search. Rows are ordered by time, then by number. */
export type RecordCursor = Pick<RecordRow, 'at' | 'seq'>;

/** The part of a workspace's record that is searched: the newest MAX_SEARCHED_RECORDS rows of a period. */
export interface SearchedPart {
  workspace: string;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Only rows older than this one, in the order of the search. */
  before?: RecordCursor | undefined;
}

export interface RecordSearch extends SearchedPart {
  /** Rows must match all of these terms. */
  terms: readonly SearchTerm[];
}

/** A submission can have several rows: one for each decision to send it. They have the same value. */
const SUBMISSION_OR_ROW = sql`case when action like 'send %' and decision = 'allowed' and target <> '' then target else seq::text end`;

/** A row that says what came of a request. The request has a row with the same reference. */
const HAS_OUTCOME = sql<boolean>`reference <> '' and (decision <> 'allowed' or action like 'send %')`;

/** Outcomes that say less than others of the same request: what was done before it failed, or that it was refused. */
const VAGUE = ['unchanged', 'unknown'];

/**
 * How many rows one statement may search. Searching more of them in one workspace would take longer than 20 ms: of a million
 * rows, 5,000 took 15 to 22 ms and 10,000 about 30 ms on a busy machine with 2 cores.
 */
export const MAX_SEARCHED_RECORDS = 4_000;

/** Maximum number of rows that one statement reads whole. */
const MAX_ROWS_PER_READ = 1_000;

/** One page of the matching rows, newest first. */
export interface RecordSearchResult {
  rows: RecordRow[];
  /** The number of all matching rows in the searched part. */
  count: number;
  /** The oldest searched row, if there may be older ones, which weren't searched. */
  oldest?: RecordCursor | undefined;
}

interface RecordPage {
  skip: number;
  limit: number;
  /**
   * Set for a list of deeds. Each deed is then one row: the newest decision to send a submission, and the outcome of a
   * request instead of the request. Allowed requests with these actions are left out.
   */
  readingActions?: readonly string[];
}

export async function searchRecord(
  db: Kysely<AccessTables>,
  search: RecordSearch,
  page: RecordPage,
): Promise<RecordSearchResult> {
  const { count, searchedCount, oldestAt, oldestSeq, seqs } = await findRows(db, search, page);
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
  const isPart = Number(searchedCount) === MAX_SEARCHED_RECORDS;
  const oldest =
    isPart && oldestAt !== null && oldestSeq !== null ? { at: oldestAt, seq: oldestSeq } : undefined;
  return { rows, count: Number(count), oldest };
}

/** Finds the numbers of the page's rows and counts the matching and the searched rows, with one pass through the latter. */
function findRows(
  db: Kysely<AccessTables>,
  search: RecordSearch,
  { skip, limit, readingActions }: RecordPage,
) {
  return selectNewest(db, search)
    .with('matching', (query) => {
      let matching = query.selectFrom('searched');
      for (const term of search.terms) {
        const pattern = term.text.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
        matching = matching.where((row) =>
          row.or([
            row('text', 'like', `%${pattern}%`),
            ...(['action', 'project', 'decision'] as const).flatMap((column) => {
              const values = term[`${column}s`];
              return values.length === 0 ? [] : [row(column, 'in', values)];
            }),
          ]),
        );
      }
      if (!readingActions) return matching.select(['seq', 'at']);
      const outcomes = query.selectFrom('searched').select('reference').where(HAS_OUTCOME);
      const clear = outcomes.where('decision', 'not in', VAGUE);
      return matching
        .where((row) =>
          row.or([
            row('decision', 'not in', ['allowed', ...VAGUE]),
            row('action', 'like', 'send %'),
            row.and([row('action', 'not in', ['', ...readingActions]), row('reference', 'not in', outcomes)]),
            row.and([row('decision', 'in', VAGUE), row('reference', 'not in', clear)]),
          ]),
        )
        .select((row) => [row.fn.max('seq').as('seq'), row.fn.max('at').as('at')])
        .groupBy(SUBMISSION_OR_ROW);
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
        .as('oldestAt'),
      row.selectFrom('searched').select('seq').orderBy('at').orderBy('seq').limit(1).as('oldestSeq'),
      sql<
        string[]
      >`array(select seq from matching order by at desc, seq desc offset ${skip} limit ${limit})`.as('seqs'),
    ])
    .executeTakeFirstOrThrow();
}

/** A query with the searched rows as `searched`. */
function selectNewest(
  db: Kysely<AccessTables>,
  { workspace, from, to, before, terms = [] }: SearchedPart & Partial<RecordSearch>,
) {
  return db.with('searched', (query) => {
    let rows = query
      .selectFrom('audit_entry')
      .select(['seq', 'at', 'project', 'action', 'target', 'decision', 'reference'])
      .select((terms.length > 0 ? TEXT : sql<string>`''`).as('text'))
      .where('workspace', '=', workspace);
    if (from) rows = rows.where('at', '>=', from);
    if (to) rows = rows.where('at', '<=', to);
    if (before)
      rows = rows.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'seq'), '<', tuple(before.at, before.seq)),
      );
    return rows.orderBy('at', 'desc').orderBy('seq', 'desc').limit(MAX_SEARCHED_RECORDS);
  });
}

/** The searched text, in lower case. Computed once for each row, however many words a search has. */
const TEXT = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;

export async function listRecordedActions(db: Kysely<AccessTables>, part: SearchedPart): Promise<string[]> {
  const rows = await selectNewest(db, part).selectFrom('searched').select('action').distinct().execute();
  return rows.map(({ action }) => action);
}
