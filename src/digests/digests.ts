import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { releaseRow } from '../engine/claims.ts';
import type { Definition } from '../engine/definition.ts';
import { excludeIds } from '../engine/exclusions.ts';
import { getStep } from '../engine/lifecycle.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import { composePreview } from './compose-occurrence.ts';
import { buildOccurrence, createDueOccurrences, createSetBackCheck } from './create-occurrences.ts';
import {
  createKeyWithPrecondition,
  type Digest,
  type DigestSettings,
  isPausedByUpnext,
  type PauseReason,
  parseDigest,
  readDigest,
  toColumns,
} from './digest.ts';
import {
  type ComposeResult,
  createDigestReader,
  type DigestContext,
  type DigestsOptions,
} from './digest-context.ts';
import { sendFollowUps } from './follow-ups.ts';
import { createPauseNotifier, createUnsentNotifying } from './notify-owners.ts';
import {
  type ClaimableState,
  OCCURRENCES,
  type OccurrenceRow,
  type SendState,
  type State,
} from './occurrence.ts';
import { DIGEST_PACE } from './pace.ts';
import { reconcile, settleUncertain } from './reconcile.ts';
import { computeActiveColumns, resumeAfterStart, resumeDigest, resumeReturned } from './resume.ts';
import {
  type ClaimedOccurrence,
  pauseInSharedChannel,
  sendOccurrence,
  startReconciling,
} from './send-occurrence.ts';
import { createSendingLimits, MAX_UPLOADS_PER_MINUTE } from './sending-limits.ts';
import { createSharedChannels, type TenantChannel } from './shared-channels.ts';
import {
  addOccurrences,
  changeDigest,
  type DigestKey,
  findDigest,
  findOccurrence,
  insertDigest,
  listDigests,
  loadDigests,
  pauseDigests,
  removeDigest,
  wakeNotifications,
} from './sql/digests.ts';

export type Digests = ReturnType<typeof createDigests>;

/** Schedules and sends digests, and stores their settings. The callers check permissions. */
export function createDigests(options: DigestsOptions) {
  const context = createDigestContext(options);
  return {
    ...createSettingsStore(context),
    /** Sends a digest outside its schedule. `requestId` is an idempotency key: repeated presses send one digest. */
    async sendNow(key: DigestKey, requestId: string): Promise<'queued' | 'gone'> {
      const row = await findDigest(context.db, key);
      if (!row) return 'gone';
      const now = context.clock.now();
      const slot = { date: `requested ${requestId}`, instant: now };
      const occurrence = buildOccurrence(context, row, slot);
      await addOccurrences(context.db, [{ ...occurrence, requested_at: now }]);
      context.verbs.wake();
      return 'queued';
    },
    preview: (digest: Digest): Promise<ComposeResult> => composePreview(context, digest),
    /** Sends a workspace's pending notifications now, because Slack accepts the app's token again. */
    async wakeNotifications(workspace: string): Promise<void> {
      await wakeNotifications(context.db, { workspace, now: context.clock.readShared() });
      context.verbs.wake();
    },
    findOccurrence: (key: Pick<OccurrenceRow, 'workspace' | 'id'>) => findOccurrence(context.db, key),
    settleUncertain: (row: OccurrenceRow, answer: 'sent' | 'send again') =>
      settleUncertain(context, row, answer),
  };
}

/** Stores digests. Before a change, occurrences that are due are created with the old settings. */
function createSettingsStore(context: DigestContext) {
  const { db } = context;
  const parseRow = (row: Parameters<typeof parseDigest>[0] | undefined) => row && parseDigest(row);
  const find = async (key: DigestKey) => parseRow(await findDigest(db, key));
  return {
    find,
    /**
     * Creates a digest or, with an id, changes it. Resolves with undefined if the digest was removed, or if its channel
     * or projects differ from `loadedDigest`. A date never gets a second occurrence. `requestId` is an idempotency key:
     * repeated requests create one digest.
     */
    async save(
      change: DigestSettings & { id?: string; loadedDigest?: Digest; requestId?: string | undefined },
      owner: string,
    ): Promise<Digest | undefined> {
      const { id, loadedDigest, requestId, ...settings } = change;
      const sharedNow = context.clock.readShared();
      await createDueOccurrences(context);
      const storedDigest = id === undefined ? undefined : await find({ workspace: settings.workspace, id });
      if (id !== undefined && !storedDigest) return undefined;
      const digestId = id ?? requestId ?? randomUUID();
      const isPausedByPerson = storedDigest?.state === 'paused' && !isPausedByUpnext(storedDigest);
      // Upnext may have paused it for its old settings. If the reason remains, it pauses the digest again.
      const stateColumns = isPausedByPerson
        ? { next_at: null, next_date: null }
        : await computeActiveColumns(context, settings, digestId);
      const columns = { ...toColumns(settings), ...stateColumns, changed_at: sharedNow };
      if (storedDigest) {
        const loaded = loadedDigest && createKeyWithPrecondition(loadedDigest).expected;
        // Somebody may have paused it since it was read.
        const key = { ...storedDigest, expected: { ...loaded, state: storedDigest.state } };
        if (!(await changeDigest(db, key, columns))) return undefined;
      } else await insertDigest(db, { ...columns, id: digestId, owner, state: 'on', created_at: sharedNow });
      context.verbs.wake();
      return find({ workspace: settings.workspace, id: digestId });
    },
    /** Lists digests, oldest first. `unreadableCount` is the number of digests that this version can't read. */
    async list(filter: {
      workspace: string;
      channel?: string;
    }): Promise<{ digests: Digest[]; unreadableCount: number }> {
      const rows = await listDigests(db, filter);
      const digests = rows.flatMap((row) => readDigest(context, row) ?? []);
      return { digests, unreadableCount: rows.length - digests.length };
    },
    async pause(key: DigestKey): Promise<Digest | undefined> {
      await createDueOccurrences(context);
      await pauseDigests(db, key, { reason: 'requested', now: context.clock.readShared() });
      return find(key);
    },
    /** Resumes a digest with its next slot. `sharedWith`: see `DigestSettings`. Defaults to null. */
    resume: (key: DigestKey, sharedWith: Digest['sharedWith'] = null): Promise<Digest | undefined> =>
      resumeDigest(context, key, sharedWith),
    /** See `resumeReturned`. */
    resumeReturned: (workspace: string): Promise<Digest[]> => resumeReturned(context, workspace),
    remove: (key: DigestKey): Promise<boolean> => removeDigest(db, key, context.clock.readShared()),
    /** Pauses all digests of a channel, and notifies their owners. */
    async pauseChannel(key: TenantChannel, reason: PauseReason): Promise<void> {
      await createDueOccurrences(context);
      await pauseDigests(db, key, { reason, now: context.clock.readShared() });
      context.verbs.wake();
    },
    /** Pauses a channel's digests that `outsiders` (as in `isSharedWith`) may not read, and notifies their owners. */
    async pauseInSharedChannel(key: TenantChannel, outsiders: readonly string[]): Promise<void> {
      await createDueOccurrences(context);
      await pauseInSharedChannel(context, key, outsiders);
      context.verbs.wake();
    },
  };
}

function createDigestContext(options: DigestsOptions): DigestContext {
  const { pace = DIGEST_PACE, engine, isIdle = false, ...dependencies } = options;
  const nowMs = () => options.clock.readShared().getTime();
  const context: DigestContext = {
    ...dependencies,
    pace,
    fetch: options.fetch ?? fetch,
    get verbs() {
      return verbs;
    },
    limits: createSendingLimits(nowMs),
    uploads: createSendingLimits(nowMs, MAX_UPLOADS_PER_MINUTE),
    sharedChannels: createSharedChannels(nowMs, pace.sharedChannelsMaxAgeMs),
    searchBlockedUntil: new Map(),
    inactiveAccounts: new Map(),
    get exclusions() {
      return verbs.exclusions;
    },
    createReads: createDigestReader(nowMs),
    startup: { isDue: true },
  };
  const verbs = engine.register(defineOccurrences(context, isIdle));
  return context;
}

/** Defines when digests are sent, and what their owners are told. An endpoint is a Slack workspace. */
function defineOccurrences(
  context: DigestContext,
  isIdle: boolean,
): Definition<State, SendState, OccurrenceRow> {
  const { pace, limits, uploads } = context;
  const rescheduleIfSetBack = createSetBackCheck(context);
  return {
    storage: OCCURRENCES,
    isIdle,
    // An occurrence is excluded from claims by its id or by its digest's id.
    exclusionColumns: ['id', 'digest'],
    ms: {
      retention: pace.retentionMs,
      lease: pace.leaseMs,
      scanInterval: pace.scanIntervalMs,
      maxStartDelay: pace.maxStartDelayMs,
    },
    limits: {
      rows: pace.maxRowsInProgress,
      endpoint: (workspace) => limits.getCapacity(workspace),
      batch: pace.batchSize,
    },
    async beforeScan() {
      limits.startScan();
      uploads.startScan();
      await rescheduleIfSetBack();
      await resumeAfterStart(context);
    },
    creation: {
      nextAt: (excludedIds) =>
        sql`(select min(next_at) from digest where ${excludeIds(['id'], excludedIds)})`,
      create: () => createDueOccurrences(context),
    },
    load: (rows) => loadSteps(context, rows),
    notifying: createUnsentNotifying(context),
    otherNotifiers: [createPauseNotifier(context)],
  };
}

/** Loads the settings for all rows of a claim with one query. Resolves with the function that runs a row's step. */
async function loadSteps(context: DigestContext, rows: readonly OccurrenceRow[]) {
  const settings = await loadDigests(context.db, [...new Set(rows.map(({ digest }) => digest))]);
  const isSendingStopped = (await findSendingStop(context.db)) !== undefined;
  const digestRowsById = new Map(settings.map((row) => [row.id, row]));
  return async (row: OccurrenceRow) => {
    const digestRow = digestRowsById.get(row.digest);
    const digest = digestRow && readDigest(context, digestRow);
    // An instance of another version may be able to read the settings, so the row is released at once.
    if (digestRow && !digest)
      return releaseRow(context.db, OCCURRENCES.table, { ...row, now: context.clock.readShared() });
    return getStep(STEPS, row.state)(context, { row, digest, isSendingStopped });
  };
}

const STEPS: Readonly<
  Record<ClaimableState, (context: DigestContext, claimed: ClaimedOccurrence) => Promise<unknown>>
> = {
  due: sendOccurrence,
  // The lease ended in this state, so the sending instance died and the outcome is unknown.
  sending: (context, { row }) => startReconciling(context, row),
  reconciling: reconcile,
  'following-up': (context, { row, digest }) => sendFollowUps(context, row, digest),
};
