import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Permission } from '../access/access.ts';
import { addMs } from '../engine/clock.ts';
import type { Definition } from '../engine/definition.ts';
import type { NotifyResult } from '../engine/notifier.ts';
import { cancelHeldPost, throwIfEveryRaceLost } from '../held-posts/change.ts';
import { EDITABLE_STATES, type HeldPostRow } from '../held-posts/held-post.ts';
import { describeWithoutTime, readPostsWithoutTime } from '../held-posts/held-post-context.ts';
import { holdPosts } from '../held-posts/hold.ts';
import { giveSlot, NoFreeSlot } from '../held-posts/slots/service-slots.ts';
import { SLOTS_GONE } from '../held-posts/slots/slot-text.ts';
import { countFormHeldPosts, listFormHeldPosts } from '../held-posts/sql/held-posts.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { disableParsing } from '../slack/message.ts';
import { notifyOnce, waitForAccess } from '../slack/notify-once.ts';
import { updateOrLog } from '../slack/send-or-log.ts';
import { computeEqualityKey } from '../submissions/fingerprint.ts';
import { listSentSince } from '../submissions/sql/lists.ts';
import { createCheckQueue } from './check-queue.ts';
import type { CheckedRow } from './check-rows.ts';
import { IMPORT_PACE, type ImportContext, type ImportOptions } from './import-context.ts';
import {
  type ImportMessageInput,
  type NeededRole,
  renderEarlierMessage,
  renderImport,
} from './import-messages.ts';
import { FINAL_REASONS, POST_IMPORT_STORAGE, type PostImportRow, type State } from './post-import.ts';
import { sendCorrections } from './result-files.ts';
import { type AboutImport, findImport, readPart, saveImportMessage, storeLeftRows } from './stored-import.ts';

export function createImports({ engine, pace = IMPORT_PACE, ...options }: ImportOptions): ImportContext {
  const context: ImportContext = {
    ...options,
    pace,
    checkInTurn: createCheckQueue(),
    get verbs() {
      return verbs;
    },
  };
  const verbs = engine.register(defineImports(context));
  return context;
}

function defineImports(context: ImportContext): Definition<State, never, PostImportRow> {
  const { pace } = context;
  return {
    storage: POST_IMPORT_STORAGE,
    ms: { retention: pace.retentionMs, scanInterval: pace.scanIntervalMs },
    // Few at a time, so that imports leave the database to people.
    limits: { rows: 2, endpoint: 2 },
    load: async () => (row) => runBatches(context, row),
    notifying: { groupColumn: 'id', notify: ([row], attempt) => notifyAuthor(context, row, attempt) },
  };
}

/** The import was stopped, or another instance has it, so this one stores nothing more. */
class ImportSuperseded extends Error {
  override name = 'ImportSuperseded';
}

/** Imports or undoes batch after batch, until it is done or others have waited long enough. */
async function runBatches(context: ImportContext, claimedRow: PostImportRow): Promise<void> {
  const { verbs, clock, pace } = context;
  const startedAt = performance.now();
  const showProgress = createProgress(context);
  const isUndo = claimedRow.state === 'undoing';
  for (let row = claimedRow; ; ) {
    if (isUndo ? row.position < 0 : row.position >= row.batches)
      return void (await verbs.settle(row, isUndo ? 'undone' : 'done'));
    if (performance.now() - startedAt > pace.turnMs)
      return void (await verbs.wait(row, { next_at: clock.readShared() }));
    const permission = await checkAuthor(context, row);
    if (permission === 'no')
      return void (await verbs.settle(row, isUndo ? 'undone' : 'stopped', { reason: 'not-allowed' }));
    if (permission === 'unknown') return waitForRole(context, row);
    const nextRow = await (isUndo ? undoBatch(context, row) : importNextBatch(context, row));
    if (!nextRow) return;
    row = nextRow;
    await showProgress(row);
  }
}

/** Finds the project of the next batch, and the role that it needs. Undefined if neither its rows nor its posts are there. */
async function findNeededRole(
  context: Pick<ImportContext, 'db' | 'encryption' | 'log'>,
  row: PostImportRow,
  about: AboutImport | undefined,
): Promise<NeededRole | undefined> {
  const { workspace, position } = row;
  const [checked] = (await readPart(context, row, 'batch', position)) ?? [];
  const origin = buildOrigin(row, position);
  const id =
    checked?.post.project.id ?? (await listFormHeldPosts(context.db, { workspace, origin }))[0]?.project;
  if (id === undefined) return undefined;
  return about?.projects.find((project) => project.id === id) ?? { id, name: undefined, role: 'publisher' };
}

/** Checks whether the author may still do this: an import goes on long after the press that started it. */
async function checkAuthor(context: ImportContext, row: PostImportRow): Promise<Permission> {
  const needed = await findNeededRole(context, row, await readPart(context, row, 'about'));
  if (!needed) return 'yes';
  const { kind, submissions } = context.heldPosts;
  const author = { workspace: row.workspace, user: row.author };
  const subject = { project: needed.id, kind: kind.name, isRecorded: false };
  return submissions.context.checkPermission(author, needed.role, subject);
}

/** Waits until the author's role can be looked up, and says so in the import's message. */
async function waitForRole(context: ImportContext, row: PostImportRow): Promise<void> {
  const { verbs, clock, heldPosts } = context;
  const next_at = addMs(clock.readShared(), heldPosts.pace.recheckMs);
  const waiting = await verbs.wait(row, { next_at, reason: 'not-checked' });
  if (waiting && row.reason !== 'not-checked') await showImport(context, waiting);
}

/** Imports the next batch. Resolves with undefined if no more can follow. */
async function importNextBatch(context: ImportContext, row: PostImportRow) {
  const { verbs, pace } = context;
  const batch = await readPart(context, row, 'batch', row.position);
  if (!batch) return void (await verbs.settle(row, 'stopped', { reason: 'unreadable' }));
  await pace.onCrashPoint?.('before-batch');
  const counts = await importBatch(context, row, batch).catch((error: unknown) => {
    if (error instanceof ImportSuperseded) return undefined;
    throw error;
  });
  if (!counts) return undefined;
  await pace.onCrashPoint?.('after-batch');
  return verbs.goOn(row, 'importing', {
    position: row.position + 1,
    imported: row.imported + counts.imported,
    good: row.good - counts.faulty,
    faulty: row.faulty + counts.faulty,
  });
}

/** The origin of a batch's held posts. A post's item is its index in the batch, so a batch can be imported again. */
function buildOrigin({ id }: Pick<PostImportRow, 'id'>, position: number): string {
  return `${id}.${position}`;
}

/**
 * Stores the posts of a batch that aren't stored yet, all or none, and only while this instance has the import.
 * Resolves with the numbers of posts of the batch that are stored, and of rows that need a correction.
 */
async function importBatch(
  context: ImportContext,
  row: PostImportRow,
  batch: readonly CheckedRow[],
): Promise<{ imported: number; faulty: number }> {
  const { db, clock, heldPosts } = context;
  const { workspace, author } = row;
  const origin = buildOrigin(row, row.position);
  const project = batch[0]?.post.project.id ?? '';
  const [policy, storedPosts] = await Promise.all([
    findPolicy(db, { workspace, project }),
    listFormHeldPosts(db, { workspace, origin }),
  ]);
  const isStored = (item: number) => storedPosts.some((post) => post.item === item);
  const newItems = [...batch.keys()].filter((item) => !isStored(item));
  const late = newItems.filter(isLate);
  const key = { workspace, project, origin };
  const withSlots = newItems.flatMap((item) => {
    const post = batch[item]?.post;
    return post?.slotFrom ? [{ item, post }] : [];
  });
  const repeated = await findRepeated(context, key, withSlots);
  const withoutSlot = await findWithoutSlot(
    context,
    key,
    withSlots.filter(({ item }) => !repeated.includes(item)),
  );
  const leftOut = new Set([...late, ...repeated, ...withoutSlot]);
  const items = newItems.filter((item) => !leftOut.has(item));
  const describeRows = (numbers: readonly number[], problem: string) =>
    numbers.flatMap((item) => batch[item] ?? []).map((each) => describeLeftRow(each, problem));
  const lateRows = [
    ...describeRows(late, 'This time has passed. Write a later one.'),
    ...describeRows(withoutSlot, SLOTS_GONE),
  ];
  const contents = items.flatMap((item) => {
    const checked = batch[item];
    return checked ? [heldPosts.kind.post.compose(checked.post).content] : [];
  });
  // Before the transaction, which holds the only connection of the built-in database.
  const prints = await computeFingerprints(context, { workspace, project }, contents);
  const posts = await holdPosts(heldPosts, {
    ...{ workspace, author, project, origin, contents, policy },
    imported: {
      items,
      async findSent(transaction) {
        const { rows } = await sql`select id from post_import
          where id = ${row.id} and fence = ${row.fence} and state = ${row.state} for share`.execute(
          transaction,
        );
        if (rows.length === 0) throw new ImportSuperseded();
        // What somebody has sent from a form since the check, which couldn't compare it.
        const sent = await listSentSince(transaction, prints, row.created_at);
        return new Set(items.filter((_, index) => sent.has(prints[index] ?? '')));
      },
    },
  });
  await storeLeftRows(context, db, row, lateRows);
  return {
    imported: storedPosts.length + posts.filter(({ wasSavedBefore }) => !wasSavedBefore).length,
    faulty: lateRows.length,
  };

  function isLate(item: number): boolean {
    const post = batch[item]?.post;
    if (post?.isDraft || post?.slotFrom) return false;
    return post?.moment !== undefined && post.moment.instant <= clock.now();
  }
}

/** A row that is to be corrected and imported again. The time of a slot is the words that asked for it. */
function describeLeftRow({ post, ...row }: CheckedRow, problem: string): CheckedRow {
  const { moment, ...others } = post;
  const problems = [{ column: 'Time', value: row.time, problem }];
  return { ...row, post: post.slotFrom ? others : post, outcome: 'faulty', problems };
}

/** Finds the items whose posts exist at any time: the same rows were imported since they were checked. */
async function findRepeated(
  { heldPosts, db }: ImportContext,
  key: Pick<HeldPostRow, 'workspace' | 'project' | 'origin'>,
  posts: readonly { item: number; post: CheckedRow['post'] }[],
): Promise<number[]> {
  if (posts.length === 0) return [];
  const known = await readPostsWithoutTime(heldPosts, db, key);
  return posts.flatMap(({ item, post }) => {
    const { content } = heldPosts.kind.post.compose(post);
    return known.has(describeWithoutTime(heldPosts, content)) ? [item] : [];
  });
}

/** Computes the fingerprints that the contents have as submissions. */
async function computeFingerprints(
  { heldPosts: { kind, submissions } }: ImportContext,
  fields: { workspace: string; project: string },
  contents: readonly unknown[],
): Promise<readonly string[]> {
  const keys = contents.map((content) => computeEqualityKey(kind, content));
  return submissions.computeFingerprints({ ...fields, kind: kind.name }, keys);
}

/** How long a batch waits for the service, whose posts keep the slots that they have. */
const SERVICE_TIMEOUT_MS = 8_000;

/** Takes the slots of a batch's posts. Resolves with the items that get none, because others have taken all. */
async function findWithoutSlot(
  { heldPosts }: ImportContext,
  key: Pick<HeldPostRow, 'workspace' | 'project' | 'origin'>,
  posts: readonly { item: number; post: CheckedRow['post'] }[],
): Promise<number[]> {
  const without: number[] = [];
  const deadline = performance.now() + SERVICE_TIMEOUT_MS;
  for (const { item, post } of posts) {
    const { content } = heldPosts.kind.post.compose(post);
    try {
      const maxWaitMs = Math.max(0, deadline - performance.now());
      await giveSlot(heldPosts, { ...key, item }, content, { maxWaitMs, isLive: false });
    } catch (error) {
      if (!(error instanceof NoFreeSlot)) throw error;
      without.push(item);
    }
  }
  return without;
}

/** Cancels the posts of the next batch that are still held. An undo goes from the last batch to the first. */
async function undoBatch({ verbs, heldPosts, db, pace }: ImportContext, row: PostImportRow) {
  await pace.onCrashPoint?.('before-batch');
  const { workspace, author } = row;
  const key = { workspace, origin: buildOrigin(row, row.position) };
  for (const post of await listFormHeldPosts(db, key)) {
    if (EDITABLE_STATES.some((state) => state === post.state))
      throwIfEveryRaceLost(await cancelHeldPost(heldPosts, { id: post.id, workspace, actor: author }));
  }
  const posts = await listFormHeldPosts(db, key);
  // Also by an earlier attempt, but not those that somebody had cancelled before the undo.
  const cancelled = posts.filter(
    ({ state, changed_at }) => state === 'cancelled' && changed_at >= row.changed_at,
  );
  return verbs.goOn(row, 'undoing', { position: row.position - 1, undone: row.undone + cancelled.length });
}

/** Creates the function that shows the progress in the import's message, at most every few seconds. */
function createProgress(context: ImportContext): (row: PostImportRow) => Promise<void> {
  let shownAt = performance.now();
  return async (row) => {
    if (performance.now() - shownAt < context.pace.progressMs) return;
    shownAt = performance.now();
    await showImport(context, row);
  };
}

/** Updates the message that shows an import. A failure is logged, because the result is told anyway. */
async function showImport(context: ImportContext, row: PostImportRow): Promise<void> {
  try {
    const client = await context.findSlackClient(row.workspace);
    if (!client || client === 'unknown' || row.message_channel === null || row.message_ts === null) return;
    const message = renderImport(await readMessageInput(context, row));
    await client.chat.update({
      channel: row.message_channel,
      ts: row.message_ts,
      ...disableParsing(message),
    });
  } catch (error) {
    context.log.info({ import: row.id, err: error }, 'could not show the progress of an import');
  }
}

export async function readMessageInput(
  context: Pick<ImportContext, 'db' | 'encryption' | 'log' | 'clock'>,
  row: PostImportRow,
): Promise<ImportMessageInput> {
  const about = await readPart(context, row, 'about');
  const lacksRole = row.reason === 'not-allowed' || row.reason === 'not-checked';
  const needed = lacksRole ? await findNeededRole(context, row, about) : undefined;
  if (['checked', 'importing', 'dropped'].includes(row.state)) return { row, about, needed };
  const origins = Array.from({ length: row.batches }, (_, position) => buildOrigin(row, position));
  const posts = { workspace: row.workspace, origins, now: context.clock.now() };
  const { stored, cancellable, cancelled } = await countFormHeldPosts(context.db, posts);
  const storedCount = Math.max(row.imported, stored);
  return { row, about, needed, undoableCount: cancellable, storedCount, cancelledCount: cancelled };
}

/** Tells the author how an import has ended, and sends the rows that need a correction as a file below that. */
async function notifyAuthor(
  context: ImportContext,
  row: PostImportRow,
  attempt: Parameters<typeof notifyOnce>[1],
): Promise<NotifyResult> {
  const isOwnPress = row.state === 'checked' || (row.state === 'stopped' && row.reason === null);
  if (isOwnPress || row.state === 'importing' || row.state === 'undoing') return 'notified';
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const input = await readMessageInput(context, row);
  return notifyOnce({ client, log: context.log }, attempt, {
    ...{ to: row.author, rows: [row], onCrashPoint: context.pace.onCrashPoint },
    // It has nothing but the author's own rows.
    mayRead: () => true,
    render: () => renderImport(input),
    renderHidden: () => renderImport(input),
    async record({ channel, ts }) {
      const { message_channel: earlierChannel, message_ts: earlierTs } = row;
      // Before the new message is stored, so that the earlier one is still known after a crash.
      if (earlierChannel !== null && earlierTs !== null && earlierTs !== ts)
        await updateOrLog(
          { client, log: context.log, reference: row.id },
          { channel: earlierChannel, ts: earlierTs },
          renderEarlierMessage(input),
          'could not update the earlier message of an import',
        );
      await saveImportMessage(context.db, row, { channel, ts });
      try {
        if (row.state === 'done') await sendCorrections(context, { client, channel }, row);
      } catch (error) {
        // The message has a button that sends the file.
        context.log.warn({ import: row.id, err: error }, 'could not send the rows to correct');
      }
    },
  });
}

/** What a press on a button of an import has done. `outdated`: the import is in another state by now. */
type PressResult = { kind: 'changed' | 'outdated'; row: PostImportRow } | { kind: 'not-found' };

/** Changes the state of an import by its author's press. An instance that works on it stores nothing more. */
export async function pressImport(
  context: ImportContext,
  key: Pick<PostImportRow, 'id' | 'workspace' | 'author'>,
  { from, to }: { from: readonly State[]; to: State },
): Promise<PressResult> {
  for (;;) {
    const row = await findImport(context.db, key);
    if (!row) return { kind: 'not-found' };
    if (!from.includes(row.state) || (to === 'importing' && FINAL_REASONS.includes(row.reason)))
      return { kind: 'outdated', row };
    // The batch that was in progress at a stop may have been stored. An instance that imports may have gone on since `row`
    // was read, so only an undo, before which none does, writes the position.
    const change = to === 'undoing' ? { position: Math.min(row.position, row.batches - 1) } : {};
    const changedRow = await context.db
      .transaction()
      .execute((transaction) => context.verbs.byPerson(transaction, row, to, change));
    if (changedRow) return { kind: 'changed', row: changedRow };
  }
}
