import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../durations.ts';
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
  /** See `findPersonLimits`. Absent for a file, which has everybody's rows. */
  limits?: readonly PersonLimit[];
}

/** The oldest searched row of a person with very many. `actor`: Slack's id. `count`: the number of their searched rows. */
export type PersonLimit = RecordCursor & { actor: string; count: number };

export interface RecordSearch extends SearchedPart {
  /** Rows must match all of these terms. */
  terms: readonly SearchTerm[];
}

/**
 * A deed can have several rows: one for each decision to send a submission, and one for each post that a press has changed.
 * They have the same value.
 */
const DEED = sql`case when action like 'send %' and decision = 'allowed' and target <> '' then target
  when decision = 'done' and reference <> '' then concat_ws(' ', reference, action, project) else seq::text end`;

/** Deeds of a person with the same value read the same. Submissions are named by their texts, so each has its own. */
const LOOKS = sql`concat_ws(' ', action, project, decision,
  case when action like 'held-posts %' or action like 'outbox %' then '' else target end)`;

/** The day of a row, in UTC. */
const DAY = sql`(at at time zone 'UTC')::date`;

/** A row that says what came of a request. The request has a row with the same reference. */
const HAS_OUTCOME = sql<boolean>`reference <> '' and (decision <> 'allowed' or action like 'send %')`;

/** Outcomes that say less than others of the same request: what was done before it failed, or that it was refused. */
const VAGUE = ['unchanged', 'unknown'];

/**
 * How many rows one statement may search. Searching more of them in one workspace would take longer than 20 ms: of a million
 * rows, 5,000 took 15 to 22 ms and 10,000 about 30 ms on a busy machine with 2 cores.
 */
export const MAX_SEARCHED_RECORDS = 4_000;

/**
 * Maximum rows of one person that are searched, the newest ones. Otherwise a flood of one person's rows would hide those of
 * others. A search for the person has no such limit.
 */
export const MAX_SEARCHED_OF_PERSON = 1_000;
/** What is left of it if many people together have filled the searched part in less than a day. Our own limit. */
const MIN_SEARCHED_OF_PERSON = 25;
/** Maximum number of statements that look for them, each as long as that of one search. */
const MAX_LIMIT_PASSES = 20;
/** In a list, deeds of a person's day that read the same are one row if there are more than this. */
const MAX_SAME_DEEDS = 3;
/** Maximum rows of a list for one person's day: two pages. Further deeds of that day share one row. */
const MAX_DEEDS_OF_DAY = 20;

/** Maximum number of rows that one statement reads whole. */
const MAX_ROWS_PER_READ = 1_000;

/** A row, or several that a list shows as one. `times`: their number. `isRest`: they are different deeds of one day. */
export type FoundRow = RecordRow & { times?: number; isRest?: boolean };

/** One page of the matching rows, newest first. */
export interface RecordSearchResult {
  rows: FoundRow[];
  /** The number of all matching rows in the searched part. */
  count: number;
  /** The oldest searched row, if there may be older ones, which weren't searched. */
  oldest?: RecordCursor | undefined;
}

interface RecordPage {
  skip: number;
  limit: number;
  /** Set for a list of deeds, in which nobody's rows hide those of others. A file has all rows. */
  list?: ListOptions;
}

/**
 * Each deed of a list is one row: the newest decision to send a submission, and the outcome of a request instead of the
 * request.
 */
interface ListOptions {
  /** Allowed requests with these actions are left out. */
  readingActions: readonly string[];
  /** Slack's ids of the people whom the search names. Their deeds are all listed. */
  people: readonly string[];
}

export async function searchRecord(
  db: Kysely<AccessTables>,
  search: RecordSearch,
  page: RecordPage,
): Promise<RecordSearchResult> {
  const { count, oldest, rows: listed } = await findRows(db, search, page);
  const rows: FoundRow[] = [];
  for (let read = 0; read < listed.length; read += MAX_ROWS_PER_READ) {
    const part = listed.slice(read, read + MAX_ROWS_PER_READ);
    const stored = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('workspace', '=', search.workspace)
      .where(
        'seq',
        'in',
        part.map(({ seq }) => seq),
      )
      .execute();
    const bySeq = new Map(stored.map((row) => [String(row.seq), row]));
    rows.push(
      ...part.flatMap(({ seq, ...facts }) =>
        [bySeq.get(seq)].flatMap((row) => (row ? { ...row, ...facts } : [])),
      ),
    );
  }
  return { rows, count, oldest };
}

/**
 * Finds the people who have filled the searched part, until it has room for the others. Not those whom a search names. If
 * several have filled it in less than a day, each gets a smaller part of it, until others have room.
 */
export async function findPersonLimits(
  db: Kysely<AccessTables>,
  search: SearchedPart,
  people: readonly string[],
): Promise<PersonLimit[]> {
  const limits = new Map<string, PersonLimit>();
  let count = MAX_SEARCHED_OF_PERSON;
  for (let pass = 0; pass < MAX_LIMIT_PASSES; pass += 1) {
    const part = { ...search, limits: [...limits.values()] };
    const { isFull, isWithinDay, rows } = await findRowsAtPlace(db, part, count);
    if (!isFull) break;
    const isNew = ({ actor }: Pick<PersonLimit, 'actor'>) =>
      actor !== '' && !people.includes(actor) && limits.get(actor)?.count !== count;
    const found = rows.filter(isNew);
    for (const { actor, at, seq } of found) limits.set(actor, { actor, at: new Date(at), seq, count });
    if (found.length > 0) continue;
    if (!isWithinDay || count <= MIN_SEARCHED_OF_PERSON) break;
    count = Math.max(MIN_SEARCHED_OF_PERSON, Math.floor(count / 2));
  }
  return [...limits.values()];
}

/** Finds the row of each person that is at this place among their searched rows, from the newest. */
async function findRowsAtPlace(db: Kysely<AccessTables>, search: SearchedPart, place: number) {
  const { searchedCount, oldestAt, newestAt, rows } = await selectNewest(db, search)
    .with('numbered', (query) =>
      query
        .selectFrom('searched')
        .select(['actor', 'at', 'seq'])
        .select(sql<string>`row_number() over (partition by actor order by at desc, seq desc)`.as('place')),
    )
    .selectNoFrom((row) => [
      row
        .selectFrom('searched')
        .select((found) => found.fn.countAll<string>().as('rows'))
        .as('searchedCount'),
      row
        .selectFrom('searched')
        .select((found) => found.fn.min('at').as('at'))
        .as('oldestAt'),
      row
        .selectFrom('searched')
        .select((found) => found.fn.max('at').as('at'))
        .as('newestAt'),
      sql<{ actor: string; at: string; seq: string }[]>`coalesce((select json_agg(json_build_object(
          'actor', actor, 'at', at, 'seq', seq::text)) from numbered where place = ${place}), '[]'::json)`.as(
        'rows',
      ),
    ])
    .executeTakeFirstOrThrow();
  return {
    rows,
    isFull: Number(searchedCount) === MAX_SEARCHED_RECORDS,
    isWithinDay: oldestAt !== null && newestAt !== null && newestAt.getTime() - oldestAt.getTime() < DAY_MS,
  };
}

interface ListedRow {
  seq: string;
  at: Date;
  times: number;
  isRest: boolean;
}

/** Finds the numbers of the page's rows and counts the matching and the searched rows, with one pass through the latter. */
async function findRows(
  db: Kysely<AccessTables>,
  search: RecordSearch,
  { skip, limit, list }: RecordPage,
): Promise<{ rows: Omit<ListedRow, 'at'>[]; count: number; oldest: RecordCursor | undefined }> {
  const { count, searchedCount, oldestAt, oldestSeq, rows } = await selectNewest(db, search)
    .with('matching', (query) => {
      let matching = query.selectFrom('searched').selectAll();
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
      if (!list) return matching;
      const outcomes = query.selectFrom('searched').select('reference').where(HAS_OUTCOME);
      const clear = outcomes.where('decision', 'not in', VAGUE);
      return matching.where((row) =>
        row.or([
          row('decision', 'not in', ['allowed', ...VAGUE]),
          row('action', 'like', 'send %'),
          row.and([
            row('action', 'not in', ['', ...list.readingActions]),
            row('reference', 'not in', outcomes),
          ]),
          row.and([row('decision', 'in', VAGUE), row('reference', 'not in', clear)]),
        ]),
      );
    })
    .with('listed', () => sql<ListedRow>`(${selectListed(list)})`)
    .selectNoFrom((row) => [
      row
        .selectFrom('listed')
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
      sql<Omit<ListedRow, 'at'>[]>`coalesce((select json_agg(page) from (
          select seq::text as seq, times, "isRest" from listed
          order by listed.at desc, listed.seq desc offset ${skip} limit ${limit}) as page), '[]'::json)`.as(
        'rows',
      ),
    ])
    .executeTakeFirstOrThrow();
  const isPart = Number(searchedCount) === MAX_SEARCHED_RECORDS;
  const oldest =
    isPart && oldestAt !== null && oldestSeq !== null ? { at: oldestAt, seq: oldestSeq } : undefined;
  return { rows, count: Number(count), oldest };
}

/** Selects the rows of a list or of a file from the matching ones. */
function selectListed(list: ListOptions | undefined): RawBuilder<ListedRow> {
  if (!list) return sql`select seq, at, 1 as times, false as "isRest" from matching`;
  const deeds = sql`select max(seq) as seq, max(at) as at, max(actor) as actor, max(${LOOKS}) as looks,
    greatest(1, count(*) filter (where action not like 'send %')) as times from matching group by ${DEED}`;
  if (list.people.length > 0) return sql`select seq, at, times, false as "isRest" from (${deeds}) as deeds`;
  const compared = sql`select seq, at, actor, times, looks,
    count(*) over (partition by actor, ${DAY}, looks) as same from (${deeds}) as deeds`;
  const folded = sql`select max(seq) as seq, max(at) as at, max(actor) as actor, sum(times) as times from (${compared}) as compared
    group by actor, ${DAY}, case when same > ${MAX_SAME_DEEDS} then looks else seq::text end`;
  const numbered = sql`select seq, at, actor, times,
    row_number() over (partition by actor, ${DAY} order by at desc, seq desc) as place from (${folded}) as folded`;
  return sql`select max(seq) as seq, max(at) as at, sum(times)::integer as times, bool_or(place > ${MAX_DEEDS_OF_DAY}) as "isRest"
    from (${numbered}) as numbered
    group by actor, ${DAY}, case when place <= ${MAX_DEEDS_OF_DAY} then place else 0 end`;
}

/** A query with the searched rows as `searched`. */
function selectNewest(
  db: Kysely<AccessTables>,
  { workspace, from, to, before, terms = [], limits = [] }: SearchedPart & Partial<RecordSearch>,
) {
  return db.with('searched', (query) => {
    let rows = query
      .selectFrom('audit_entry')
      .select(['seq', 'at', 'actor', 'project', 'action', 'target', 'decision', 'reference'])
      .select((terms.length > 0 ? TEXT : sql<string>`''`).as('text'))
      .where('workspace', '=', workspace);
    if (from) rows = rows.where('at', '>=', from);
    if (to) rows = rows.where('at', '<=', to);
    if (before)
      rows = rows.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'seq'), '<', tuple(before.at, before.seq)),
      );
    for (const { actor, at, seq } of limits)
      rows = rows.where(({ eb, or, refTuple, tuple }) =>
        or([eb('actor', '!=', actor), eb(refTuple('at', 'seq'), '>=', tuple(at, seq))]),
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
