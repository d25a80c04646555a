import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import {
  insertSubmission,
  isKnownOrigin,
  type NewSubmission,
  newestSubmission,
  ownRow,
  replaceSubmission,
  type SubmissionRow,
} from '../store/submissions.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
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

/** `own` is false where another press of the same form was first, or what was to be edited has moved on. */
export interface Saved {
  row: SubmissionRow;
  own: boolean;
}

/** All of them, or none: committed, and in this instance's hands. */
export async function saveAll<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  all: readonly Received<Content>[],
): Promise<Saved[]> {
  const [first] = all;
  if (!first) return [];
  const rows = await Promise.all(all.map((received) => newRow(machine, kind, received)));
  const known = await isKnownOrigin(machine.db, first);
  const [only] = rows;
  // Nearly always: a new form with one moment, and one statement.
  if (!known && only && rows.length === 1 && (await insertSubmission(machine.db, only))) {
    return [await saved(machine.db, only, true)];
  }
  return machine.db.transaction().execute(async (db) => {
    const done: Saved[] = [];
    for (const row of rows) done.push(await saveKnown(db, row, machine.clock()));
    return done;
  });
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
    fingerprint: await fingerprintOf(machine, kind, received),
    due_at: kind.dueAt?.(content) ?? null,
    at,
    leaseUntil: new Date(at.getTime() + machine.pace.leaseMs),
  };
}

async function fingerprintOf<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  { workspace, content }: Received<Content>,
): Promise<string> {
  const project = kind.project(content)?.id;
  const address = await machine.addressOf(workspace, project);
  const equal = equalOf(kind, content);
  return machine.fingerprintOf({ workspace, address, kind: kind.name, project: project ?? '', equal });
}

/** What makes two of a kind equal: the content, or the target where repeating changes nothing. */
function equalOf<Content>({ whenUnknown }: SubmissionKind<Content>, content: Content): string {
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
  const isOver = ['refused', 'gave-up', 'discarded'].includes(before.state);
  if (!isOver) return { row: before, own: false };
  if (before.state !== 'discarded') await replaceSubmission(db, before, at);
  return insertNew(db, { ...row, revision: before.revision + 1, doubted: before.doubted });
}

/** The first of this origin: new, or what an earlier submission was changed to. */
async function saveEdit(db: Kysely<BotSchema>, row: NewSubmission, at: Date): Promise<Saved> {
  const edited = await ownRow(db, { id: row.origin, workspace: row.workspace, asker: row.asker });
  if (edited && !(edited.state === 'discarded' && edited.why === 'replaced')) {
    const isNotThere = ruleOf(edited).notThere && (await replaceSubmission(db, edited, at));
    if (!isNotThere) return { row: edited, own: false };
  }
  return insertNew(db, { ...row, doubted: edited?.doubted ?? false });
}

async function insertNew(db: Kysely<BotSchema>, row: NewSubmission): Promise<Saved> {
  return saved(db, row, await insertSubmission(db, row));
}

async function saved(db: Kysely<BotSchema>, key: NewSubmission, own: boolean): Promise<Saved> {
  const row = await newestSubmission(db, key);
  if (!row) throw new Error('a submission that was just saved is gone');
  return { row, own };
}
