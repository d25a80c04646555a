import { randomInt } from 'node:crypto';
import { createSetAside } from '../delivery/set-aside.ts';
import { createTransitions } from '../delivery/transitions.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { submissionDefinition } from './definition.ts';
import { createEarlyCounts } from './early-counts.ts';
import { createFingerprints, type TenantService } from './fingerprint.ts';
import { forgetOld } from './forget-old.ts';
import { release } from './hold.ts';
import type { AnyKind, SubmissionKind } from './kind.ts';
import type { Sending, State } from './lifecycle.ts';
import type { Machine, MachineOptions, OpenForm } from './machine.ts';
import { readContent } from './read-content.ts';
import { createSharedClock } from './shared-clock.ts';
import { authorOf, rememberedResults } from './sql/lists.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { placesWaiting, wakeRetryable } from './sql/waking.ts';
import { createUnsettled } from './unsettled.ts';
import { createWorker } from './worker.ts';

/** What brings everything that was submitted on its way, and remembers it. */
export interface Submissions {
  readonly kinds: readonly AnyKind[];
  /** For the rooms around it; features use the functions of this folder. */
  readonly machine: Machine;
  /** Who sent it: the person's Slack id, by what the service called it or by its kind's own fingerprint. */
  authorOf(wanted: {
    workspace: string;
    kind: string;
    result?: string | undefined;
    equal?: { project: string; fingerprint: string } | undefined;
  }): Promise<string | undefined>;
  /** The fingerprints of a tenant's own submissions, from what makes two of a kind equal. */
  fingerprintsOf(
    of: { workspace: string; kind: string; project: string },
    equals: readonly string[],
  ): Promise<string[]>;
  /** What of a kind was confirmed in a project with a result to remember, newest first; at most 100. */
  remembered<Content>(
    kind: Pick<SubmissionKind<Content>, 'name' | 'content'>,
    at: { workspace: string; project: string },
  ): Promise<{ result: string; content: Content }[]>;
  /** A form has changed and is still open: what is there before it is sent is counted in the background. */
  countEarly(form: OpenForm): void;
  /** There is another token: what was held may go. */
  release(workspace: string): Promise<void>;
  /** Compares this computer's clock with the database's, by which leases are counted; the worker does so each minute. */
  compareClocks(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Content is looked through for what is too old once in this time, ms. */
const FORGET_MS = 60 * 60 * 1000;

export function createSubmissions(options: MachineOptions): Submissions {
  const { kinds, db, encryption, ownClock, ...rest } = options;
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  if (byName.size < kinds.length) throw new Error('two kinds of submission have the same name');
  const shared = createSharedClock(db, ownClock);
  const clock = options.clock ?? shared.now;
  const random = options.random ?? (() => randomInt(2 ** 32) / 2 ** 32);
  const machine: Machine = {
    get early() {
      return early;
    },
    isOff: () => false,
    ended: () => undefined,
    ...rest,
    db,
    encryption,
    kinds,
    clock,
    random,
    unsettled: createUnsettled({ db, log: options.log }),
    setAside: createSetAside(
      () => clock().getTime(),
      (id, error) =>
        options.log.error({ submission: id, err: error }, 'submission set aside for five minutes'),
    ),
    kindOf: (name) => byName.get(name),
    breakerOf: breakers(options, clock, random, (at) => {
      serviceIsBack(at).catch((error: unknown) =>
        options.log.warn({ err: error }, 'could not wake submissions that wait for the service'),
      );
    }),
    addressOf: async (workspace, project) => (await options.apiFor(workspace, project))?.address ?? '',
    ...createFingerprints(db, encryption),
    get delivery() {
      return delivery;
    },
    wake: (at) => worker.wake(at),
  };
  const delivery = createTransitions<State, Sending, SubmissionRow>(
    machine,
    submissionDefinition(() => machine),
  );
  const early = createEarlyCounts(machine);
  const worker = createWorker(() => machine, shared.compare);
  const serviceIsBack = async ({ workspace, address }: TenantService) => {
    try {
      for (const place of await placesWaiting(db, { workspace, at: clock() })) {
        const there = await machine.addressOf(workspace, place.project ?? undefined);
        if (there === address) await wakeRetryable(db, place, clock());
      }
    } catch (error) {
      options.log.warn({ err: error }, 'what waits could not be brought forward: it comes at its own time');
    }
    worker.wake(clock());
  };
  const fingerprintsOf: Submissions['fingerprintsOf'] = async (of, equals) => {
    const address = await machine.addressOf(of.workspace, of.project);
    return Promise.all(equals.map((equal) => machine.fingerprintOf({ ...of, address, equal })));
  };
  let forgetting: NodeJS.Timeout | undefined;
  return {
    kinds,
    machine,
    async authorOf({ workspace, kind, result, equal }) {
      const [fingerprint] = equal
        ? await fingerprintsOf({ workspace, kind, project: equal.project }, [equal.fingerprint])
        : [];
      return authorOf(db, { workspace, kind, result, fingerprint });
    },
    fingerprintsOf,
    async remembered(kind, at) {
      const rows = await rememberedResults(db, { ...at, kind: kind.name });
      return rows.flatMap((row) => {
        const read = readContent(machine, kind, { ...row, content: row.content ?? row.summary });
        return row.result === null || !read ? [] : [{ result: row.result, content: read.content }];
      });
    },
    countEarly: (form) => machine.early.changed(form),
    release: (workspace) => release(machine, workspace),
    compareClocks: shared.compare,
    start() {
      worker.start();
      const forget = () =>
        void forgetOld(machine).catch((error: unknown) =>
          machine.log.error({ err: error }, 'old content could not be removed'),
        );
      forget();
      forgetting = setInterval(forget, FORGET_MS).unref();
    },
    async stop() {
      clearInterval(forgetting);
      early.stop();
      machine.unsettled.stop();
      await worker.stop();
    },
  };
}

/** More tenants than are active at the same time; of those beyond it, breakers that are closed make room. */
const MAX_BREAKERS = 10_000;

/** One pair for each tenant's service: one tenant's failures hold up nobody else. */
function breakers(
  { pace }: MachineOptions,
  clock: () => Date,
  random: () => number,
  onClose: (at: TenantService) => void,
): Machine['breakerOf'] {
  const known = new Map<string, Breaker>();
  return ({ workspace, address }, calls) => {
    const key = JSON.stringify([workspace, address, calls]);
    const before = known.get(key);
    if (before) return before;
    if (known.size >= MAX_BREAKERS) {
      for (const [other, { isClosed }] of known) if (isClosed()) known.delete(other);
    }
    const breaker = createBreaker(pace.breaker, () => clock().getTime(), random);
    breaker.onClose(() => onClose({ workspace, address }));
    known.set(key, breaker);
    return breaker;
  };
}
