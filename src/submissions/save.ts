import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { discardSubmission } from './deliveries.ts';
import type { SubmissionKind } from './kind.ts';
import { ENDED_UNSENT } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import {
  insertSubmission,
  type NewSubmission,
  newestSubmission,
  ownRow,
  rowsById,
  type SubmissionRow,
} from './sql/submissions.ts';
import { lastEqual, submittedBefore } from './sql/submitted-before.ts';
import { ruleOf } from './state-cases.ts';

/** What was submitted, by whom and from where. */
export interface Received<Content> {
  workspace: string;
  asker: string;
  /** The form's id; where a submission is edited, that submission's id. */
  origin: string;
  item: number;
  channel?: string;
  /** The open view that will show it. */
  viewId?: string;
  content: Content;
}

/**
 * `own` is false where another press of the same form was first, where what was to be edited has moved on, or where the
 * author sent the same in another form before (`isEqual`).
 */
export interface Saved {
  row: SubmissionRow;
  own: boolean;
  isEqual?: boolean;
}

/** The rows that a form becomes; nothing is saved yet. */
export function newRows<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  all: readonly Received<Content>[],
): Promise<NewSubmission[]> {
  return Promise.all(all.map((received) => newRow(machine, kind, received)));
}

/**
 * All of them, or none: committed, and in this instance's hands. `earlier`: the ids of rows that stand in the place of
 * these. `onInsert`: from now on they may be saved.
 */
export async function saveAll(
  machine: Machine,
  rows: readonly NewSubmission[],
  { earlier = [], onInsert }: { earlier?: readonly (string | undefined)[]; onInsert?(): void } = {},
): Promise<Saved[]> {
  const [first] = rows;
  if (!first) return [];
  const [before, found, ...others] = await Promise.all([
    submittedBefore(machine.db, first, earlier[0] === undefined ? equalSince(machine, first) : undefined),
    rowsById(
      machine.db,
      earlier.filter((id) => id !== undefined),
    ),
    ...rows.map((row, index) =>
      index > 0 && earlier[index] === undefined ? equalOf(machine, row) : undefined,
    ),
  ]);
  const equals = rows.map(
    (_, index) =>
      found.find(({ id }) => id === earlier[index]) ?? (index === 0 ? before.equal : others[index]),
  );
  onInsert?.();
  // Nearly always: a new form with one moment, and one statement.
  if (!before.isKnown && rows.length === 1 && !equals[0]) {
    const row = await insertSubmission(machine.db, first);
    if (row) return [{ row, own: true }];
  }
  return machine.db.transaction().execute(async (db) => {
    const done: Saved[] = [];
    for (const [index, row] of rows.entries()) {
      const equal = equals[index];
      done.push(
        equal ? { row: equal, own: false, isEqual: true } : await saveKnown(db, row, machine.clock()),
      );
    }
    return done;
  });
}

/** So long after its author was told how it ended, an equal post in another form is taken for the same one, ms. */
const SAME_POST_MS = 2 * 60_000;

export async function equalOf(machine: Machine, row: NewSubmission): Promise<SubmissionRow | undefined> {
  const since = equalSince(machine, row);
  return since && lastEqual(machine.db, row, since);
}

/** Undefined where no equal one is looked for: values that are sent twice change nothing more, only content counts. */
function equalSince(machine: Machine, { kind, fingerprint, at }: NewSubmission): Date | undefined {
  const way = machine.kindOf(kind)?.whenUnknown.way;
  if (way === 'repeat' || !fingerprint) return undefined;
  return new Date(at.getTime() - (way === 'look' ? SAME_POST_MS : 0));
}

async function newRow<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: Received<Content>,
): Promise<NewSubmission> {
  const { workspace, asker, origin, item, channel = null, viewId = null, content } = received;
  const project = kind.project(content)?.id ?? null;
  const at = machine.clock();
  return {
    id: randomUUID(),
    workspace,
    asker,
    kind: kind.name,
    origin,
    item,
    revision: 0,
    channel,
    view_id: viewId,
    content: machine.encryption.seal(JSON.stringify(content), workspace),
    project,
    ...(await keyedHashesOf(machine, kind, received)),
    due_at: kind.dueAt?.(content) ?? null,
    at,
    leaseUntil: new Date(at.getTime() + machine.pace.leaseMs),
  };
}

async function keyedHashesOf<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  { workspace, content }: Received<Content>,
): Promise<{ endpoint: string; fingerprint: string }> {
  const project = kind.project(content)?.id;
  const address = await machine.addressOf(workspace, project);
  const equal = sameIn(kind, content);
  const [endpoint, fingerprint] = await Promise.all([
    machine.endpointOf(address),
    machine.fingerprintOf({ workspace, address, kind: kind.name, project: project ?? '', equal }),
  ]);
  return { endpoint, fingerprint };
}

/** Stand for a form, and for what its author submitted with it, whichever form that was; known without the database. */
export function keysOf<Content>(
  kind: SubmissionKind<Content>,
  { workspace, asker, origin, item, content }: Received<Content>,
): string[] {
  const form = JSON.stringify([workspace, asker, origin, item]);
  if (kind.whenUnknown.way === 'repeat') return [form];
  const project = kind.project(content)?.id ?? '';
  return [form, JSON.stringify([workspace, asker, kind.name, project, sameIn(kind, content)])];
}

/** What makes two of a kind equal: the content, or the target where repeating changes nothing. */
function sameIn<Content>({ whenUnknown }: SubmissionKind<Content>, content: Content): string {
  if (whenUnknown.way === 'look') return whenUnknown.fingerprint(content);
  return whenUnknown.way === 'repeat' ? whenUnknown.target(content) : JSON.stringify(content);
}

async function saveKnown(db: Kysely<BotSchema>, row: NewSubmission, at: Date): Promise<Saved> {
  const before = await newestSubmission(db, row);
  if (!before) return saveEdit(db, row, at);
  if (before.state === 'discarded' && before.why === 'replaced') {
    // It was changed in another form meanwhile, and that one counts.
    const instead = await newestSubmission(db, { workspace: row.workspace, origin: before.id, item: 0 });
    return { row: instead ?? before, own: false };
  }
  const isOver = ENDED_UNSENT.includes(before.state);
  if (!isOver) return { row: before, own: false };
  if (before.state !== 'discarded') await discardSubmission(db, before, at);
  return insertNew(db, { ...row, revision: before.revision + 1, doubted: before.doubted });
}

/** The first of this origin: new, or what an earlier submission was changed to. */
async function saveEdit(db: Kysely<BotSchema>, row: NewSubmission, at: Date): Promise<Saved> {
  const edited = await ownRow(db, { id: row.origin, workspace: row.workspace, asker: row.asker });
  if (edited && !(edited.state === 'discarded' && edited.why === 'replaced')) {
    const isNotThere = ruleOf(edited).remote === 'absent' && (await discardSubmission(db, edited, at));
    if (!isNotThere) return { row: edited, own: false };
  }
  return insertNew(db, { ...row, doubted: edited?.doubted ?? false });
}

async function insertNew(db: Kysely<BotSchema>, row: NewSubmission): Promise<Saved> {
  const inserted = await insertSubmission(db, row);
  if (inserted) return { row: inserted, own: true };
  const first = await newestSubmission(db, row);
  if (!first) throw new Error('a tombstone has taken the place of a submission');
  return { row: first, own: false };
}
