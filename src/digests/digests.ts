import { randomUUID } from 'node:crypto';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import { composeWithoutService, tryCompose } from './compose-occurrence.ts';
import type { ComposeResult } from './composer.ts';
import { createDigestContext } from './create-digest-context.ts';
import { createDueOccurrences, findTakenDates, rescheduleAfterClockSetBack } from './create-occurrences.ts';
import {
  createKeyWithPrecondition,
  type Digest,
  type DigestSettings,
  type PauseReason,
  parseDigest,
  readDigest,
  toColumns,
} from './digest.ts';
import type { DigestContext, DigestsOptions } from './digest-context.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { pauseInSharedChannel } from './pause.ts';
import { findFreeSlot, type Schedule, toLocalDate } from './slots.ts';
import {
  changeDigest,
  type DigestKey,
  findDigest,
  insertDigest,
  listDigests,
  pauseDigests,
  removeDigest,
} from './sql/digests.ts';
import { addOccurrences, wakeNotifications } from './sql/occurrences.ts';

/** Schedules and sends digests, and stores their settings. The callers check permissions. */
export interface Digests {
  /**
   * Creates a digest or, with an id, changes it. Resolves with undefined if the digest was removed, or if its channel
   * or projects differ from `loadedDigest`. A date never gets a second occurrence.
   */
  save(
    settings: DigestSettings & { id?: string; loadedDigest?: Digest },
    owner: string,
  ): Promise<Digest | undefined>;
  /** Lists digests, oldest first. `unreadableCount` is the number of digests that this version can't read. */
  list(filter: {
    workspace: string;
    channel?: string;
    owner?: string;
  }): Promise<{ digests: Digest[]; unreadableCount: number }>;
  find(key: DigestKey): Promise<Digest | undefined>;
  pause(key: DigestKey): Promise<Digest | undefined>;
  /** Resumes a digest with its next slot. `sharedWith`: see `DigestSettings`. Defaults to null. */
  resume(key: DigestKey, sharedWith?: Digest['sharedWith']): Promise<Digest | undefined>;
  remove(key: DigestKey): Promise<boolean>;
  /** Sends a digest outside its schedule. `requestId` is an idempotency key: repeated presses send one digest. */
  sendNow(key: DigestKey, requestId: string): Promise<'queued' | 'gone'>;
  /** Composes the digest as if it were sent now. */
  preview(digest: Digest): Promise<ComposeResult>;
  /** Pauses all digests of a channel, and notifies their owners. */
  pauseChannel(key: { workspace: string; channel: string }, reason: PauseReason): Promise<void>;
  /** Pauses a channel's digests that `outsiders` (as in `isSharedWith`) may not read, and notifies their owners. */
  pauseInSharedChannel(
    key: { workspace: string; channel: string },
    outsiders: readonly string[],
  ): Promise<void>;
  /** Sends a workspace's pending notifications now, because Slack accepts the app's token again. */
  wakeNotifications(workspace: string): Promise<void>;
  /** Reschedules digests after `context.now`, the clock that people see, was changed. Leases use another clock. */
  handleClockChange(): void;
  /** The shared state and the clients of digests, for features that change occurrences. */
  readonly context: DigestContext;
}

export function createDigests(options: DigestsOptions): Digests {
  const context = createDigestContext(options);
  const wakeNow = () => context.verbs.wake();
  const logError = (message: string) => (err: unknown) => context.log.error({ err }, message);
  return {
    ...createSettingsStore(context, wakeNow),
    async sendNow(key, requestId) {
      const row = await findDigest(context.db, key);
      if (!row) return 'gone';
      const [now, sharedNow] = [context.now(), context.sharedClock()];
      const { workspace, id: digest, channel, owner } = row;
      const occurrence = {
        ...{ id: randomUUID(), workspace, digest, slot: `requested ${requestId}`, channel, owner },
        ...{ due_at: now, requested_at: now, created_at: sharedNow },
        ...buildEntryColumns(LIFECYCLE, 'due', sharedNow),
      };
      await addOccurrences(context.db, [occurrence]);
      wakeNow();
      return 'queued';
    },
    async preview(digest) {
      const now = context.now();
      const snapshot = (await findDigest(context.db, digest))?.snapshot ?? undefined;
      const times = { now, due: now, date: toLocalDate(now, digest.zone), isRequested: true };
      const request = { ...times, ...(snapshot !== undefined && { snapshot }) };
      const result = await tryCompose(context, digest, request);
      return result.kind === 'failed' ? composeWithoutService(context, digest, request, result) : result;
    },
    async wakeNotifications(workspace) {
      await wakeNotifications(context.db, { workspace, now: context.sharedClock() });
      wakeNow();
    },
    handleClockChange() {
      const message = 'could not reschedule digests after a clock change';
      rescheduleAfterClockSetBack(context).catch(logError(message));
      wakeNow();
    },
    context,
  };
}

type SettingsMethod =
  | 'save'
  | 'list'
  | 'find'
  | 'pause'
  | 'resume'
  | 'remove'
  | 'pauseChannel'
  | 'pauseInSharedChannel';

/** Stores digests. Before a change, occurrences that are due are created with the old settings. */
function createSettingsStore(context: DigestContext, wakeNow: () => void): Pick<Digests, SettingsMethod> {
  const { db } = context;
  const parseRow = (row: Parameters<typeof parseDigest>[0] | undefined) => row && parseDigest(row);
  const computeNextColumns = async (schedule: Schedule, id: string) => {
    const now = context.now();
    const slot = findFreeSlot(schedule, now, await findTakenDates(db, { id, zone: schedule.zone }, now));
    return { next_at: slot?.instant ?? null, next_date: slot?.date ?? null };
  };
  const find = async (key: DigestKey) => parseRow(await findDigest(db, key));
  return {
    find,
    async save({ id, loadedDigest, ...settings }, owner) {
      const sharedNow = context.sharedClock();
      await createDueOccurrences(context);
      const storedDigest = id === undefined ? undefined : await find({ workspace: settings.workspace, id });
      if (id !== undefined && !storedDigest) return undefined;
      const digestId = id ?? randomUUID();
      const nextColumns =
        storedDigest?.state === 'paused'
          ? { next_at: null, next_date: null }
          : await computeNextColumns(settings, digestId);
      const columns = { ...toColumns(settings), ...nextColumns, changed_at: sharedNow };
      if (storedDigest) {
        const key = loadedDigest ? createKeyWithPrecondition(loadedDigest) : storedDigest;
        if (!(await changeDigest(db, key, columns))) return undefined;
      } else await insertDigest(db, { ...columns, id: digestId, owner, state: 'on', created_at: sharedNow });
      wakeNow();
      return find({ workspace: settings.workspace, id: digestId });
    },
    async list(filter) {
      const rows = await listDigests(db, filter);
      const digests = rows.flatMap((row) => readDigest(context, row) ?? []);
      return { digests, unreadableCount: rows.length - digests.length };
    },
    async pause(key) {
      await createDueOccurrences(context);
      await pauseDigests(db, key, { reason: 'requested', pausedAt: context.sharedClock(), notifyAt: null });
      return find(key);
    },
    async resume(key, sharedWith = null) {
      const digest = await find(key);
      if (!digest || digest.state === 'on') return digest;
      const row = await changeDigest(db, key, {
        ...(await computeNextColumns(digest, digest.id)),
        state: 'on',
        pause_reason: null,
        notify_at: null,
        shared_with: sharedWith && JSON.stringify(sharedWith),
        changed_at: context.sharedClock(),
      });
      wakeNow();
      return parseRow(row);
    },
    remove: (key) => removeDigest(db, key, context.sharedClock()),
    async pauseChannel(key, reason) {
      await createDueOccurrences(context);
      const sharedNow = context.sharedClock();
      await pauseDigests(db, key, { reason, pausedAt: sharedNow, notifyAt: sharedNow });
      wakeNow();
    },
    async pauseInSharedChannel(key, outsiders) {
      await createDueOccurrences(context);
      await pauseInSharedChannel(context, key, outsiders);
      wakeNow();
    },
  };
}
