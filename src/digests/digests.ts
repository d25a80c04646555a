import { randomUUID } from 'node:crypto';
import { entryColumns } from '../delivery/lifecycle.ts';
import type { Composed } from './compose.ts';
import { tryCompose } from './compose-now.ts';
import { createMachine } from './create-machine.ts';
import {
  asAllowed,
  columnsOf,
  type Digest,
  type DigestSettings,
  digestFrom,
  type PausedWhy,
} from './digest.ts';
import { LIFECYCLE } from './lifecycle.ts';
import type { DigestsOptions, Machine } from './machine.ts';
import { bringForward, makeDue, takenBy } from './make-due.ts';
import { pauseShared } from './pause-because.ts';
import { readDigest } from './read-digest.ts';
import { firstFree, localDate, type Rule, type Slot } from './slots.ts';
import {
  changeDigest,
  digestOf,
  digestsIn,
  insertDigest,
  type One,
  pauseDigests,
  removeDigest,
} from './sql/digests.ts';
import { addOccurrences } from './sql/occurrences.ts';
import { tellNow } from './sql/tell-now.ts';

/** What posts by itself, and what features change of it. Who may do what is the features' to check. */
export interface Digests {
  /**
   * With an id it changes what is there; undefined where that is gone, or is not what it was `before`. Dates that were
   * finished never come again.
   */
  save(settings: DigestSettings & { id?: string; before?: Digest }, by: string): Promise<Digest | undefined>;
  /** Oldest first; `unreadable`: how many there are that this version cannot read. */
  list(at: {
    workspace: string;
    channel?: string;
    owner?: string;
  }): Promise<{ digests: Digest[]; unreadable: number }>;
  find(at: One): Promise<Digest | undefined>;
  pause(at: One): Promise<Digest | undefined>;
  /** From now on; `sharedWith`: the outsiders whom an owner lets read it, as in the settings. Defaults to null. */
  resume(at: One, sharedWith?: Digest['sharedWith']): Promise<Digest | undefined>;
  remove(at: One): Promise<boolean>;
  /** Beside its times; the same `asked` posts once, however often it is pressed. */
  sendNow(at: One, asked: string): Promise<'on its way' | 'gone'>;
  /** When one with this rule would come first. */
  upcoming(rule: Rule): Slot | undefined;
  /** As it would be posted now; posts nothing. */
  preview(digest: Digest): Promise<Composed>;
  /** Pauses all digests there, and tells their owners. */
  pauseChannel(at: { workspace: string; channel: string }, reason: PausedWhy): Promise<void>;
  /** The same for those that `outsiders` (as in `isSharedWith`) may not read. */
  pauseShared(at: { workspace: string; channel: string }, outsiders: readonly string[]): Promise<void>;
  /** Slack lets us in again: who waits to be told is told. */
  release(workspace: string): Promise<void>;
  /** The clock for people was moved. */
  clockMoved(): void;
  start(): void;
  /** Takes nothing new; resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** One scan and all that it begins, for who brings an alarm clock of their own: when to look again. */
  turn(): Promise<Date>;
  /** For the rooms around it. */
  readonly machine: Machine;
}

export function createDigests(options: DigestsOptions): Digests {
  const machine = createMachine(options);
  const { poll } = machine.delivery;
  const wakeNow = () => poll.wake(machine.clock());
  return {
    ...settingsOf(machine, wakeNow),
    async sendNow(at, asked) {
      const row = await digestOf(machine.db, at);
      if (!row) return 'gone';
      const [now, clock] = [machine.now(), machine.clock()];
      const { workspace, id: digest, channel, owner } = row;
      await addOccurrences(machine.db, [
        {
          ...{ id: randomUUID(), workspace, digest, slot: `asked ${asked}`, channel, owner },
          ...{ due_at: now, asked_at: now, made_at: clock, ...entryColumns(LIFECYCLE, 'due', clock) },
        },
      ]);
      wakeNow();
      return 'on its way';
    },
    upcoming: (rule) => firstFree(rule, machine.now()),
    async preview(digest) {
      const now = machine.now();
      const memory = (await digestOf(machine.db, digest))?.memory ?? undefined;
      return tryCompose(machine, digest, {
        ...{ now, due: now, date: localDate(now, digest.zone), asked: true },
        ...(memory !== undefined && { memory }),
      });
    },
    async release(workspace) {
      await tellNow(machine.db, { workspace, now: machine.clock() });
      wakeNow();
    },
    clockMoved() {
      bringForward(machine).catch((error: unknown) =>
        machine.log.error({ err: error }, 'digests did not follow the clock'),
      );
      wakeNow();
    },
    start: poll.start,
    stop: poll.stop,
    turn: poll.turn,
    machine,
  };
}

type Settings = 'save' | 'list' | 'find' | 'pause' | 'resume' | 'remove' | 'pauseChannel' | 'pauseShared';

/** What is kept of them. What came before a change is made due before it. */
function settingsOf(machine: Machine, wakeNow: () => void): Pick<Digests, Settings> {
  const { db } = machine;
  const read = (row: Parameters<typeof digestFrom>[0] | undefined) => row && digestFrom(row);
  const nextOf = async (rule: Rule, id: string) => {
    const now = machine.now();
    const slot = firstFree(rule, now, await takenBy(db, { id, zone: rule.zone }, now));
    return { next_at: slot?.instant ?? null, next_date: slot?.date ?? null };
  };
  const find = async (at: One) => read(await digestOf(db, at));
  return {
    find,
    async save({ id, before, ...settings }, by) {
      const at = machine.clock();
      await makeDue(machine);
      const known = id === undefined ? undefined : await find({ workspace: settings.workspace, id });
      if (id !== undefined && !known) return undefined;
      const digest = id ?? randomUUID();
      const next =
        known?.state === 'paused' ? { next_at: null, next_date: null } : await nextOf(settings, digest);
      const columns = { ...columnsOf(settings), ...next, changed_at: at };
      if (known) {
        if (!(await changeDigest(db, before ? asAllowed(before) : known, columns))) return undefined;
      } else await insertDigest(db, { ...columns, id: digest, owner: by, state: 'on', made_at: at });
      wakeNow();
      return find({ workspace: settings.workspace, id: digest });
    },
    async list(at) {
      const rows = await digestsIn(db, at);
      const digests = rows.flatMap((row) => readDigest(machine, row) ?? []);
      return { digests, unreadable: rows.length - digests.length };
    },
    async pause(at) {
      await makeDue(machine);
      await pauseDigests(db, at, { reason: 'asked', at: machine.clock(), tellAt: null });
      return find(at);
    },
    async resume(at, sharedWith = null) {
      const known = await find(at);
      if (!known || known.state === 'on') return known;
      const row = await changeDigest(db, at, {
        ...(await nextOf(known, known.id)),
        state: 'on',
        paused_why: null,
        notify_at: null,
        shared_with: sharedWith && JSON.stringify(sharedWith),
        changed_at: machine.clock(),
      });
      wakeNow();
      return read(row);
    },
    remove: (at) => removeDigest(db, at, machine.clock()),
    async pauseChannel(at, reason) {
      await makeDue(machine);
      const clock = machine.clock();
      await pauseDigests(db, at, { reason, at: clock, tellAt: clock });
      wakeNow();
    },
    async pauseShared(at, outsiders) {
      await makeDue(machine);
      await pauseShared(machine, at, outsiders);
      wakeNow();
    },
  };
}
