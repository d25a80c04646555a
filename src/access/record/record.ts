import { randomUUID } from 'node:crypto';
import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import { MINUTE_MS } from '../../durations.ts';
import { within } from '../../promises.ts';
import { listColumns, toJsonParameter } from '../../store/column-values.ts';
import { deleteBatch } from '../../store/delete-batch.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditAction, AuditEntry } from './entry.ts';

export interface AuditRecord {
  /** Resolves when the entry is written or, while the database is down, as soon as it is queued. Never rejects. */
  add(entry: AuditEntry): Promise<void>;
  enqueue(entry: AuditEntry): void;
  /** Prepares an entry that is to be stored in one statement with what it is about. */
  prepare(entry: AuditEntry): PreparedEntry;
  /** Tries once to write all queued entries. Takes at most `flushMs`. `workspace`: see `foldRepeats`. */
  flush(workspace?: string): Promise<void>;
  /** Stops writing. Returns the entries that may be unwritten. */
  stop(): readonly NewRecordRow[];
}

/** An audit entry that is appended by another statement, or else in the background. It is stored once. */
export interface PreparedEntry {
  /** Builds the statement that appends and returns the entry if the condition is true. Undefined while others wait. */
  build(condition: RawBuilder<boolean>): RawBuilder<unknown> | undefined;
  /** Must be called after the statement was committed, with the number of rows that it has returned. */
  handleCommit(rowCount: number): void;
  /** Adds the entry in the background, unless that has been done, or its statement was committed. */
  enqueue(): void;
}

interface RecordOptions {
  db: Kysely<AccessTables>;
  now: () => Date;
  /** Called once for each entry after it was committed. Defaults to nothing. */
  onWritten?(row: NewRecordRow): void;
  /** Called after a failed attempt, whose entries stay queued. `waiting`: the number of queued entries. */
  onError(error: unknown, context: { waiting: number }): void;
  /** Called at most once a minute, with the number of entries dropped since then because the queue was full. */
  onDropped?(entries: number): void;
  /** Called when entries are queued, written or dropped. `waiting`: the number of queued entries. */
  onQueueChange?(entries: { waiting: number; dropped: number }): void;
  /** Defaults to MAX_QUEUED_ENTRIES. */
  maxQueuedEntries?: number;
  /** Delay after the first failed attempt. It doubles each time, with full jitter. Defaults to 1 s. */
  backoffMs?: number;
  /** Defaults to 5 s. */
  flushMs?: number;
}

interface QueuedEntry {
  row: NewRecordRow;
  resolveAdd: () => void;
}

/** Maximum number of queued entries. They take about 10 MB. */
const MAX_QUEUED_ENTRIES = 20_000;
const MAX_BACKOFF_MS = MINUTE_MS;
const DROP_REPORT_INTERVAL_MS = MINUTE_MS;
/** Maximum number of rows in one statement. */
const MAX_BATCH = 100;

/**
 * The audit log, to which any number of instances append. Entries that arrive while a statement runs are written
 * together by the next one. While the database is down, entries wait in memory, in order, and are retried with backoff;
 * callers don't wait for them. Beyond `maxQueuedEntries` the oldest entries are dropped.
 */
export function createAuditRecord(options: RecordOptions): AuditRecord {
  const { db, now, onError, backoffMs = 1_000, flushMs = 5_000 } = options;
  const { maxQueuedEntries = MAX_QUEUED_ENTRIES } = options;
  const reportDropped = createReportLimiter(now, (entries) => options.onDropped?.(entries));
  /** Oldest first. */
  const queue: QueuedEntry[] = [];
  let inFlight: readonly QueuedEntry[] = [];
  let failures = 0;
  let currentWrite: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const reportQueue = (dropped = 0): void =>
    options.onQueueChange?.({ waiting: queue.length + inFlight.length, dropped });

  const writeBatch = async (batch: readonly QueuedEntry[]): Promise<void> => {
    inFlight = batch;
    const rows = batch.map(({ row }) => row);
    await buildAppend(rows, sql`true`).execute(db);
    inFlight = [];
    failures = 0;
    reportQueue();
    for (const { row, resolveAdd } of batch) {
      options.onWritten?.(row);
      resolveAdd();
    }
  };

  const writeQueue = async (): Promise<void> => {
    try {
      while (queue.length > 0 && !isStopped) await writeBatch(queue.splice(0, MAX_BATCH));
    } catch (error) {
      queue.unshift(...inFlight);
      inFlight = [];
      for (const { resolveAdd } of queue) resolveAdd();
      onError(error, { waiting: queue.length });
      scheduleRetry();
    } finally {
      // At once after the queue is empty, so that the next entry starts the next write.
      currentWrite = undefined;
    }
  };

  const startWriting = async (): Promise<void> => {
    clearTimeout(retryTimer);
    retryTimer = undefined;
    // Writing is deferred, so that the entries of one request are written together.
    currentWrite ??= Promise.resolve().then(writeQueue);
    await currentWrite;
  };

  const scheduleRetry = (): void => {
    if (isStopped) return;
    const maxDelayMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** failures);
    failures += 1;
    const retry = () => void startWriting().catch(() => undefined);
    retryTimer = setTimeout(retry, Math.random() * maxDelayMs).unref();
  };

  const add = (row: NewRecordRow): Promise<void> =>
    new Promise((resolve) => {
      if (isStopped) {
        onError(new Error('audit entry added after the audit log was stopped'), { waiting: 0 });
        return resolve();
      }
      queue.push({ row, resolveAdd: resolve });
      reportQueue();
      // A running attempt's entries are never dropped: the database may have stored them.
      const isFull = queue.length + inFlight.length > maxQueuedEntries;
      const dropped = isFull ? queue.shift() : undefined;
      if (dropped) {
        dropped.resolveAdd();
        reportQueue(1);
        reportDropped();
      }
      if (retryTimer) resolve();
      else startWriting().catch(() => resolve());
    });

  const prepare = (entry: AuditEntry): PreparedEntry => {
    const row = createRow(entry, now);
    let isAdded = false;
    return {
      build: (condition) => (failures > 0 ? undefined : buildAppend([row], condition)),
      handleCommit(rowCount) {
        if (isAdded || rowCount === 0) return;
        isAdded = true;
        options.onWritten?.(row);
      },
      enqueue() {
        if (isAdded) return;
        isAdded = true;
        add(row).catch(() => undefined);
      },
    };
  };

  return {
    add: (entry) => add(createRow(entry, now)),
    enqueue: (entry) => void add(createRow(entry, now)).catch(() => undefined),
    prepare,
    async flush() {
      await within(flushMs, startWriting());
    },
    stop() {
      isStopped = true;
      clearTimeout(retryTimer);
      const unwritten = [...inFlight, ...queue];
      for (const { resolveAdd } of unwritten) resolveAdd();
      return unwritten.map(({ row }) => row);
    },
  };
}

/**
 * Runs a change in a transaction, with the audit entry of who made it. Resolves with undefined if nothing was changed, and
 * then adds no entry.
 */
export async function commitWithEntry<Tables, Result>(
  db: Kysely<Tables>,
  entry: PreparedEntry | undefined,
  change: (transaction: Transaction<Tables>) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { result, isStored } = await db.transaction().execute(async (transaction) => {
    const changed = await change(transaction);
    const statement = changed === undefined ? undefined : entry?.build(sql<boolean>`true`);
    await statement?.execute(transaction);
    return { result: changed, isStored: statement !== undefined };
  });
  if (result === undefined) return undefined;
  if (isStored) entry?.handleCommit(1);
  else entry?.enqueue();
  return result;
}

function createRow(entry: AuditEntry, now: () => Date) {
  return {
    id: randomUUID(),
    at: entry.at ?? now(),
    workspace: entry.workspace,
    actor: toStorableText(entry.actor),
    project: toStorableText(entry.project),
    action: toStorableText(entry.action),
    target: toStorableText(entry.target),
    decision: entry.decision,
    reference: toStorableText(entry.reference),
  };
}

/** The actor of the entries of an operator's command. */
export const OPERATOR = 'operator';

/** Adds what an operator's command has done to the audit logs of these workspaces. */
export async function recordCommand(
  db: Kysely<AccessTables>,
  { workspaces, action, at }: { workspaces: readonly string[]; action: AuditAction; at: Date },
): Promise<void> {
  const rows = workspaces.map((workspace) =>
    createRow({ workspace, actor: OPERATOR, action, decision: 'done', at }, () => at),
  );
  for (let start = 0; start < rows.length; start += MAX_BATCH)
    await buildAppend(rows.slice(start, start + MAX_BATCH), sql`true`).execute(db);
}

/** Returns a function that counts its calls, and reports the count at the first, then at most once a minute. */
function createReportLimiter(now: () => Date, report: (calls: number) => void): () => void {
  let calls = 0;
  let nextReportAt = 0;
  return () => {
    calls += 1;
    if (now().getTime() < nextReportAt) return;
    nextReportAt = now().getTime() + DROP_REPORT_INTERVAL_MS;
    report(calls);
    calls = 0;
  };
}

export type RecordRow = Selectable<AccessTables['audit_entry']>;
type NewRecordRow = Insertable<AccessTables['audit_entry']>;

/**
 * How long an entry is stored: at any time the whole last year, and some weeks for whoever audits it. PCI DSS 4.0.1
 * (10.5.1) requires a year. The trigger of the table has the same number, so the database refuses to delete newer rows.
 */
export const ENTRY_RETENTION_DAYS = 400;
/** Maximum number of rows that one statement deletes. */
const MAX_DELETED_ROWS = 1_000;

/** Maximum length of a text in a row, which none should reach: they are ids, and names of actions. */
const MAX_TEXT_LENGTH = 300;

const ROW_COLUMNS = listColumns([
  ...(['id', 'at', 'workspace', 'actor', 'project'] as const),
  ...(['action', 'target', 'decision', 'reference'] as const),
] satisfies (keyof NewRecordRow)[]);

/** Postgres accepts neither NUL nor lone surrogates. */
function toStorableText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '');
}

/** Builds the statement that appends rows if the condition is true, but none that an earlier attempt appended. */
function buildAppend(rows: readonly NewRecordRow[], condition: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`insert into audit_entry (${ROW_COLUMNS})
    select ${ROW_COLUMNS} from json_populate_recordset(null::audit_entry, ${toJsonParameter(rows)}::json)
    where ${condition}
    on conflict (workspace, at, id) do nothing
    returning id`;
}

/** Deletes the entries of all workspaces that are older than the retention period, in batches. Returns their number. */
export async function deleteOldEntries(db: Kysely<AccessTables>, isStopped: () => boolean): Promise<number> {
  let deletedCount = 0;
  let batchCount: number;
  do {
    batchCount = await deleteBatch(db, 'audit_entry', {
      key: 'seq',
      condition: sql`at < now() - make_interval(days => ${ENTRY_RETENTION_DAYS})`,
      orderBy: 'at',
      limit: MAX_DELETED_ROWS,
    });
    deletedCount += batchCount;
  } while (batchCount === MAX_DELETED_ROWS && !isStopped());
  return deletedCount;
}

/**
 * Deletes a workspace's audit log. A trigger forbids the deletion of rows, so it is disabled within this transaction.
 * Other transactions can't write to the table until this one ends. Rejects if the database account doesn't own the table,
 * because only the owner can disable the trigger.
 */
export async function deleteAuditRecord(
  transaction: Transaction<AccessTables>,
  workspace: string,
): Promise<void> {
  await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(transaction);
  await transaction.deleteFrom('audit_entry').where('workspace', '=', workspace).execute();
  await sql`alter table audit_entry enable trigger audit_log_append_only`.execute(transaction);
}
