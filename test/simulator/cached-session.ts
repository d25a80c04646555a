import type { Session, StatementResult } from '../../src/store/pglite/session.ts';

/** Statements that only read, and whose result depends on nothing but rows and parameters. */
const READ = /^\s*(?:select|with)\b/iu;
const WRITES =
  /\b(?:insert|update|delete|share|lock|now|clock_timestamp|current_\w+|localtime\w*|random|gen_random_uuid|nextval|copies|pg_\w+|set_config|setseed)\b/iu;
/** What may change rows. A statement that locks some changes none. */
const CHANGES = /\b(?:insert|update|delete|copies)\b/iu;
const LOCKS = /\bfor (?:no key )?update\b/giu;
/** A deletion may delete rows of other tables. */
const DELETES = /\bdelete\b/iu;
const WORD = /\w+/gu;
const MAX_RESULTS = 5_000;

interface Known {
  result: StatementResult<unknown>;
  version: number;
}

/**
 * Remembers what statements read until somebody writes to one of their tables: instances look again and again for due work,
 * and mostly nothing has changed since. `views` are the tables behind views.
 */
export function cacheReads(session: Session, views: Readonly<Record<string, string>>) {
  let tables: ReadonlySet<string> = new Set();
  const versions = new Map<string, number>();
  /** The tables of each statement. Undefined if it may write, or reads something else. */
  const plans = new Map<string, { reads: readonly string[]; isRead: boolean; isChange: boolean }>();
  let results = new Map<string, Known>();
  let total = 0;
  const counts = { hits: 0, reads: 0, others: 0 };

  function plan(sql: string) {
    const known = plans.get(sql);
    if (known) return known;
    const words = new Set(sql.match(WORD));
    const found = [...words].map((word) => views[word] ?? word).filter((word) => tables.has(word));
    const isRead = READ.test(sql) && !WRITES.test(sql) && found.length > 0;
    const isChange = !READ.test(sql) || CHANGES.test(sql.replace(LOCKS, ''));
    const created = { reads: [...new Set(found)], isRead, isChange };
    plans.set(sql, created);
    return created;
  }
  const readVersion = (reads: readonly string[]) =>
    reads.reduce((sum, table) => sum + (versions.get(table) ?? 0), total);
  /** What a transaction has written counts again when it ends: until then nobody else has read it. */
  const writtenBy = new Map<number, Set<string>>();
  function bump(written: Iterable<string>): void {
    for (const table of written) versions.set(table, (versions.get(table) ?? 0) + 1);
  }
  function noteWrite(sql: string, reads: readonly string[], transaction: number | undefined): void {
    if (DELETES.test(sql) || reads.length === 0) {
      total += 1;
      results = new Map();
    }
    bump(reads);
    if (transaction === undefined) return;
    const written = writtenBy.get(transaction) ?? new Set();
    for (const table of reads) written.add(table);
    writtenBy.set(transaction, written);
  }
  function endTransaction(transaction: number): void {
    bump(writtenBy.get(transaction) ?? []);
    writtenBy.delete(transaction);
  }

  return {
    counts,
    /** Begins to remember. Before that, tables may be created. */
    begin(names: readonly string[]): void {
      tables = new Set(names);
      plans.clear();
      results = new Map();
    },
    session: {
      ...session,
      async query<Row>(sql: string, parameters: readonly unknown[], transaction?: number) {
        const { reads, isRead, isChange } = plan(sql);
        if (!isRead) {
          counts.others += 1;
          const result = await session.query<Row>(sql, parameters, transaction);
          // One whose last part is a SELECT doesn't say what the others have changed.
          const isCounted = /^\s*(?:insert|update|delete)\b/iu.test(sql);
          const hasChanged = !isCounted || result.rows.length > 0 || result.affectedRows > 0;
          if (isChange && hasChanged) noteWrite(sql, reads, transaction);
          return result;
        }
        counts.reads += 1;
        if (transaction !== undefined) return session.query<Row>(sql, parameters, transaction);
        const version = readVersion(reads);
        const key = `${sql} ${JSON.stringify(parameters)}`;
        const known = results.get(key);
        if (known?.version === version) {
          counts.hits += 1;
          return copy(known.result) as StatementResult<Row>;
        }
        const result = await session.query<Row>(sql, parameters);
        if (results.size > MAX_RESULTS) results = new Map();
        if (readVersion(reads) === version) results.set(key, { result: copy(result), version });
        return result;
      },
      async commit(transaction: number) {
        await session.commit(transaction);
        endTransaction(transaction);
      },
      async rollback(transaction: number) {
        await session.rollback(transaction);
        endTransaction(transaction);
      },
    } satisfies Session,
  };
}

/** The reader may change its rows. */
function copy({ rows, affectedRows }: StatementResult<unknown>): StatementResult<unknown> {
  return { rows: rows.map((row) => ({ ...(row as object) })), affectedRows };
}
