import { randomInt } from 'node:crypto';
import { createDelivery } from '../delivery/delivery.ts';
import { createSetAside } from '../delivery/set-aside.ts';
import { createSharedClock } from '../delivery/shared-clock.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { submissionDefinition } from './definition.ts';
import { createEarlyCounts } from './early-counts.ts';
import { createEndpointLimits } from './endpoint-limit.ts';
import { createFingerprints, type TenantService } from './fingerprint.ts';
import type { AnyKind, SubmissionKind } from './kind.ts';
import type { Sending, State } from './lifecycle.ts';
import type { Machine, MachineOptions, OpenForm } from './machine.ts';
import { resume } from './pause.ts';
import { readContent } from './read-content.ts';
import { authorOf, confirmedResults } from './sql/lists.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { waitingProjects, wakeRetryable } from './sql/waking.ts';
import { createUncertainSaves } from './uncertain-saves.ts';

/** Sends everything that people submit, and stores the results. */
export interface Submissions {
  readonly kinds: readonly AnyKind[];
  /** The context of this folder's functions. */
  readonly machine: Machine;
  /** The author's Slack id, found by the service's id or by the kind's fingerprint of the content. */
  authorOf(wanted: {
    workspace: string;
    kind: string;
    result?: string | undefined;
    equal?: { project: string; fingerprint: string } | undefined;
  }): Promise<string | undefined>;
  /** A tenant's fingerprints, computed from the kind's fingerprints. */
  fingerprintsOf(
    of: { workspace: string; kind: string; project: string },
    equals: readonly string[],
  ): Promise<string[]>;
  /** Confirmed submissions of a kind in a project that have a result, newest first, at most 100. */
  confirmedResults<Content>(
    kind: Pick<SubmissionKind<Content>, 'name' | 'content'>,
    at: { workspace: string; project: string },
  ): Promise<{ result: string; content: Content }[]>;
  /** Counts equal posts in the background after a change of an open form. */
  countEarly(form: OpenForm): void;
  /** Ends all pauses of a workspace after its token was replaced. */
  resume(workspace: string): Promise<void>;
  /** Measures the offset between this computer's clock and the database clock. The poll does so every minute. */
  compareClocks(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

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
    endpoints: createEndpointLimits(),
    uncertainSaves: createUncertainSaves({ db, log: options.log }),
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
    wake: (at) => poll.wake(at),
  };
  const definition = submissionDefinition(() => machine, { compareClocks: shared.compare });
  const delivery = createDelivery<State, Sending, SubmissionRow>(machine, definition);
  const early = createEarlyCounts(machine);
  const { poll } = delivery;
  const serviceIsBack = async ({ workspace, address }: TenantService) => {
    try {
      for (const tenant of await waitingProjects(db, { workspace, at: clock() })) {
        const there = await machine.addressOf(workspace, tenant.project ?? undefined);
        if (there === address) await wakeRetryable(db, tenant, clock());
      }
    } catch (error) {
      options.log.warn({ err: error }, 'could not wake submissions that wait for the service');
    }
    poll.wake(clock());
  };
  const fingerprintsOf: Submissions['fingerprintsOf'] = async (of, equals) => {
    const address = await machine.addressOf(of.workspace, of.project);
    return Promise.all(equals.map((equal) => machine.fingerprintOf({ ...of, address, equal })));
  };
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
    async confirmedResults(kind, at) {
      const rows = await confirmedResults(db, { ...at, kind: kind.name });
      return rows.flatMap((row) => {
        const read = readContent(machine, kind, { ...row, content: row.content ?? row.summary });
        return row.result === null || !read ? [] : [{ result: row.result, content: read.content }];
      });
    },
    countEarly: (form) => machine.early.onFormChange(form),
    resume: (workspace) => resume(machine, workspace),
    compareClocks: shared.compare,
    start: poll.start,
    async stop() {
      early.stop();
      machine.uncertainSaves.stop();
      await poll.stop();
    },
  };
}

/** More than there are active tenants. Beyond that, closed circuit breakers are deleted. */
const MAX_BREAKERS = 10_000;

/** Circuit breakers per tenant and service, so that one tenant's failures don't delay another. */
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
