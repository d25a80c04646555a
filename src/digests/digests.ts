import { randomUUID } from 'node:crypto';
import { buildEntryColumns } from '../delivery/lifecycle.ts';
import { tryCompose } from './compose-occurrence.ts';
import type { ComposeResult } from './composer.ts';
import { createMachine } from './create-machine.ts';
import { createDueOccurrences, findTakenDates, rescheduleAfterSetBack } from './create-occurrences.ts';
import {
  createGuardedKey,
  type Digest,
  type DigestSettings,
  type PauseReason,
  parseDigest,
  toColumns,
} from './digest.ts';
import { LIFECYCLE } from './lifecycle.ts';
import type { DigestsOptions, Machine } from './machine.ts';
import { pauseShared } from './pause.ts';
import { readDigest } from './read-digest.ts';
import { findFreeSlot, localDate, type Rule, type Slot } from './slots.ts';
import {
  changeDigest,
  type DigestKey,
  findDigest,
  insertDigest,
  listDigests,
  pauseDigests,
  removeDigest,
} from './sql/digests.ts';
import { addOccurrences } from './sql/occurrences.ts';
import { releaseNotices } from './sql/release-notices.ts';

/** Schedules and sends digests, and stores their settings. Permissions are checked by the features that call it. */
export interface Digests {
  /**
   * Creates a digest or, with an id, changes it. Undefined if the digest is gone, or if its channel or projects differ
   * from `before`. A date that already has an occurrence gets no second one.
   */
  save(settings: DigestSettings & { id?: string; before?: Digest }, by: string): Promise<Digest | undefined>;
  /** Oldest first. `unreadable`: the number of digests that this version can't read. */
  list(at: {
    workspace: string;
    channel?: string;
    owner?: string;
  }): Promise<{ digests: Digest[]; unreadable: number }>;
  find(at: DigestKey): Promise<Digest | undefined>;
  pause(at: DigestKey): Promise<Digest | undefined>;
  /** Resumes from now on. `sharedWith` is as in the settings and defaults to null. */
  resume(at: DigestKey, sharedWith?: Digest['sharedWith']): Promise<Digest | undefined>;
  remove(at: DigestKey): Promise<boolean>;
  /** Sends a digest outside its schedule. `requestId` is an idempotency key: repeated presses send one digest. */
  sendNow(at: DigestKey, requestId: string): Promise<'queued' | 'gone'>;
  /** The first slot of a rule. */
  upcoming(rule: Rule): Slot | undefined;
  /** Composes the digest as of now, without sending it. */
  preview(digest: Digest): Promise<ComposeResult>;
  /** Pauses all digests of a channel, and notifies their owners. */
  pauseChannel(at: { workspace: string; channel: string }, reason: PauseReason): Promise<void>;
  /** Pauses the digests of a channel that `outsiders` (as in `isSharedWith`) may not read, and notifies their owners. */
  pauseShared(at: { workspace: string; channel: string }, outsiders: readonly string[]): Promise<void>;
  /** Sends pending notices of a workspace now, because Slack accepts the app's token again. */
  release(workspace: string): Promise<void>;
  /** Reschedules after the clock that people see was changed. */
  handleClockChange(): void;
  start(): void;
  /** Claims nothing more; resolves when everything in flight has ended. */
  stop(): Promise<void>;
  /** Runs one scan and the steps that it starts, for callers with their own timer. Resolves to the next due moment. */
  turn(): Promise<Date>;
  /** The shared state, for features that act on occurrences. */
  readonly machine: Machine;
}

export function createDigests(options: DigestsOptions): Digests {
  const machine = createMachine(options);
  const { poll } = machine.delivery;
  const wakeNow = () => poll.wake(machine.clock());
  return {
    ...settingsOf(machine, wakeNow),
    async sendNow(at, requestId) {
      const row = await findDigest(machine.db, at);
      if (!row) return 'gone';
      const [now, clock] = [machine.now(), machine.clock()];
      const { workspace, id: digest, channel, owner } = row;
      await addOccurrences(machine.db, [
        {
          ...{ id: randomUUID(), workspace, digest, slot: `asked ${requestId}`, channel, owner },
          ...{
            due_at: now,
            requested_at: now,
            created_at: clock,
            ...buildEntryColumns(LIFECYCLE, 'due', clock),
          },
        },
      ]);
      wakeNow();
      return 'queued';
    },
    upcoming: (rule) => findFreeSlot(rule, machine.now()),
    async preview(digest) {
      const now = machine.now();
      const snapshot = (await findDigest(machine.db, digest))?.snapshot ?? undefined;
      return tryCompose(machine, digest, {
        ...{ now, due: now, date: localDate(now, digest.zone), asked: true },
        ...(snapshot !== undefined && { snapshot }),
      });
    },
    async release(workspace) {
      await releaseNotices(machine.db, { workspace, now: machine.clock() });
      wakeNow();
    },
    handleClockChange() {
      rescheduleAfterSetBack(machine).catch((error: unknown) =>
        machine.log.error({ err: error }, 'could not reschedule digests after a clock change'),
      );
      wakeNow();
    },
    start: poll.start,
    stop: poll.stop,
    turn: poll.runOnce,
    machine,
  };
}

type Settings = 'save' | 'list' | 'find' | 'pause' | 'resume' | 'remove' | 'pauseChannel' | 'pauseShared';

/** Stores digests. Occurrences that are already due are created before a change, under the settings of their time. */
function settingsOf(machine: Machine, wakeNow: () => void): Pick<Digests, Settings> {
  const { db } = machine;
  const read = (row: Parameters<typeof parseDigest>[0] | undefined) => row && parseDigest(row);
  const nextOf = async (rule: Rule, id: string) => {
    const now = machine.now();
    const slot = findFreeSlot(rule, now, await findTakenDates(db, { id, zone: rule.zone }, now));
    return { next_at: slot?.instant ?? null, next_date: slot?.date ?? null };
  };
  const find = async (at: DigestKey) => read(await findDigest(db, at));
  return {
    find,
    async save({ id, before, ...settings }, by) {
      const at = machine.clock();
      await createDueOccurrences(machine);
      const known = id === undefined ? undefined : await find({ workspace: settings.workspace, id });
      if (id !== undefined && !known) return undefined;
      const digest = id ?? randomUUID();
      const next =
        known?.state === 'paused' ? { next_at: null, next_date: null } : await nextOf(settings, digest);
      const columns = { ...toColumns(settings), ...next, changed_at: at };
      if (known) {
        if (!(await changeDigest(db, before ? createGuardedKey(before) : known, columns))) return undefined;
      } else await insertDigest(db, { ...columns, id: digest, owner: by, state: 'on', created_at: at });
      wakeNow();
      return find({ workspace: settings.workspace, id: digest });
    },
    async list(at) {
      const rows = await listDigests(db, at);
      const digests = rows.flatMap((row) => readDigest(machine, row) ?? []);
      return { digests, unreadable: rows.length - digests.length };
    },
    async pause(at) {
      await createDueOccurrences(machine);
      await pauseDigests(db, at, { reason: 'asked', at: machine.clock(), tellAt: null });
      return find(at);
    },
    async resume(at, sharedWith = null) {
      const known = await find(at);
      if (!known || known.state === 'on') return known;
      const row = await changeDigest(db, at, {
        ...(await nextOf(known, known.id)),
        state: 'on',
        pause_reason: null,
        notify_at: null,
        shared_with: sharedWith && JSON.stringify(sharedWith),
        changed_at: machine.clock(),
      });
      wakeNow();
      return read(row);
    },
    remove: (at) => removeDigest(db, at, machine.clock()),
    async pauseChannel(at, reason) {
      await createDueOccurrences(machine);
      const clock = machine.clock();
      await pauseDigests(db, at, { reason, at: clock, tellAt: clock });
      wakeNow();
    },
    async pauseShared(at, outsiders) {
      await createDueOccurrences(machine);
      await pauseShared(machine, at, outsiders);
      wakeNow();
    },
  };
}
