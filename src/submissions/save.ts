import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { discardSubmission } from './deliveries.ts';
import type { SubmissionKind } from './kind.ts';
import { ENDED_UNSENT } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { findEarlier, lastEqual } from './sql/earlier-submissions.ts';
import {
  insertSubmission,
  type NewSubmission,
  newestSubmission,
  ownRow,
  rowsById,
  type SubmissionRow,
} from './sql/submissions.ts';
import { ruleOf } from './state-copy.ts';
import { hashColumns, type Received } from './submission-keys.ts';

/**
 * `own` is false if no new row was saved: another request of the same form was first, the edited submission has changed
 * its state, or the author sent the same from another form before (`isEqual`).
 */
export interface Saved {
  row: SubmissionRow;
  own: boolean;
  isEqual?: boolean;
}

/** Creates the rows of a form without saving them. */
export function newRows<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  all: readonly Received<Content>[],
): Promise<NewSubmission[]> {
  return Promise.all(all.map((received) => newRow(machine, kind, received)));
}

/**
 * Saves all rows or none, already claimed by this instance. `earlier` has the ids of equal rows to use instead.
 * `onInsert` is called right before the first INSERT.
 */
export async function saveAll(
  machine: Machine,
  rows: readonly NewSubmission[],
  { earlier = [], onInsert }: { earlier?: readonly (string | undefined)[]; onInsert?(): void } = {},
): Promise<Saved[]> {
  const [first] = rows;
  if (!first) return [];
  const [before, found, ...others] = await Promise.all([
    findEarlier(machine.db, first, earlier[0] === undefined ? equalSince(machine, first) : undefined),
    rowsById(
      machine.db,
      earlier.filter((id) => id !== undefined),
    ),
    ...rows.map((row, index) =>
      index > 0 && earlier[index] === undefined ? findEqual(machine, row) : undefined,
    ),
  ]);
  const equals = rows.map(
    (_, index) =>
      found.find(({ id }) => id === earlier[index]) ?? (index === 0 ? before.equal : others[index]),
  );
  onInsert?.();
  // The usual case, a new form with one moment, takes one statement.
  if (!before.isKnown && rows.length === 1 && !equals[0]) {
    const row = await insertSubmission(machine.db, first);
    if (row) return [{ row, own: true }];
  }
  return machine.db.transaction().execute(async (db) => {
    const done: Saved[] = [];
    for (const [index, row] of rows.entries()) {
      const equal = equals[index];
      done.push(
        equal ? { row: equal, own: false, isEqual: true } : await saveOverEarlier(db, row, machine.clock()),
      );
    }
    return done;
  });
}

/**
 * For this long after the author was notified of the outcome, an equal post from another form counts as the same one,
 * ms.
 */
const SAME_POST_MS = 2 * 60_000;

export async function findEqual(machine: Machine, row: NewSubmission): Promise<SubmissionRow | undefined> {
  const since = equalSince(machine, row);
  return since && lastEqual(machine.db, row, since);
}

/** Since when an equal submission counts as the same. Undefined for kinds that are safe to repeat. */
function equalSince(machine: Machine, { kind, fingerprint, at }: NewSubmission): Date | undefined {
  const way = machine.kindOf(kind)?.whenUnknown.way;
  if (way === 'repeat' || !fingerprint) return undefined;
  return new Date(at.getTime() - (way === 'reconcile' ? SAME_POST_MS : 0));
}

async function newRow<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: Received<Content>,
): Promise<NewSubmission> {
  const { workspace, author, origin, item, channel = null, viewId = null, content } = received;
  const project = kind.project(content)?.id ?? null;
  const at = machine.clock();
  return {
    id: randomUUID(),
    workspace,
    author,
    kind: kind.name,
    origin,
    item,
    revision: 0,
    channel,
    view_id: viewId,
    content: machine.encryption.seal(JSON.stringify(content), workspace),
    project,
    ...(await hashColumns(machine, kind, received)),
    publish_at: kind.publishAt?.(content) ?? null,
    at,
    leaseUntil: new Date(at.getTime() + machine.pace.leaseMs),
  };
}

async function saveOverEarlier(db: Kysely<BotSchema>, row: NewSubmission, at: Date): Promise<Saved> {
  const before = await newestSubmission(db, row);
  if (!before) return saveEdit(db, row, at);
  if (before.state === 'discarded' && before.reason === 'replaced') {
    // It was edited in another form meanwhile, and the edit replaces it.
    const instead = await newestSubmission(db, { workspace: row.workspace, origin: before.id, item: 0 });
    return { row: instead ?? before, own: false };
  }
  const isOver = ENDED_UNSENT.includes(before.state);
  if (!isOver) return { row: before, own: false };
  if (before.state !== 'discarded') await discardSubmission(db, before, at);
  return insertNew(db, { ...row, revision: before.revision + 1, maybe_sent: before.maybe_sent });
}

/** Saves the first row of an origin: a new submission, or the edit of an earlier one. */
async function saveEdit(db: Kysely<BotSchema>, row: NewSubmission, at: Date): Promise<Saved> {
  const edited = await ownRow(db, { id: row.origin, workspace: row.workspace, author: row.author });
  if (edited && !(edited.state === 'discarded' && edited.reason === 'replaced')) {
    const isNotThere = ruleOf(edited).remote === 'absent' && (await discardSubmission(db, edited, at));
    if (!isNotThere) return { row: edited, own: false };
  }
  return insertNew(db, { ...row, maybe_sent: edited?.maybe_sent ?? false });
}

async function insertNew(db: Kysely<BotSchema>, row: NewSubmission): Promise<Saved> {
  const inserted = await insertSubmission(db, row);
  if (inserted) return { row: inserted, own: true };
  const first = await newestSubmission(db, row);
  if (!first) throw new Error('a tombstone has taken the place of a submission');
  return { row: first, own: false };
}
