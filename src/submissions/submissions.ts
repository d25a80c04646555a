import { randomInt } from 'node:crypto';
import type { ApiClient } from '../api/client.ts';
import { createSetAside } from '../jobs/set-aside.ts';
import { authorOf, rememberedResults } from '../store/submission-lists.ts';
import { placesWaiting, wakeRetryable } from '../store/waking-submissions.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createEarlyCounts, type OpenForm } from './early-counts.ts';
import { createFingerprints } from './fingerprint.ts';
import { forgetOld } from './forget-old.ts';
import { release } from './hold.ts';
import type { AnyKind, SubmissionKind } from './kind.ts';
import type { Machine, MachineOptions } from './machine.ts';
import { readContent } from './read-content.ts';
import { createSharedClock } from './shared-clock.ts';
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
  /** What of a kind was confirmed in a project with a result to remember, newest first; at most 100. */
  remembered<Content>(
    kind: Pick<SubmissionKind<Content>, 'name' | 'content'>,
    at: { workspace: string; project: string },
  ): Promise<{ result: string; content: Content }[]>;
  /** A form has changed and is still open: what is there before it is sent is counted in the background. */
  countEarly(form: OpenForm): void;
  /** There is another token: what was held may go. */
  release(workspace: string): Promise<void>;
  /** Another alarm clock: told when something is due, and wakes in return. */
  wakeBy(wake: (id: string, at: Date) => void): void;
  /** Looks now for what is due. */
  wakeUp(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Content is looked through for what is too old once in this time, ms. */
const FORGET_MS = 60 * 60 * 1000;

export function createSubmissions(options: MachineOptions): Submissions {
  const { kinds, db, encryption, ownClock, ...rest } = options;
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  if (byName.size < kinds.length) throw new Error('two kinds of submission have the same name');
  let tellOthers: (id: string, at: Date) => void = () => undefined;
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
    setAside: createSetAside(
      () => clock().getTime(),
      (id, error) =>
        options.log.error({ submission: id, err: error }, 'submission set aside for five minutes'),
    ),
    kindOf: (name) => byName.get(name),
    breakerOf: breakers(options, clock, random, (address) => void serviceIsBack(address)),
    fingerprintOf: createFingerprints(db, encryption),
    wake(at, id) {
      worker.wake(at);
      if (id !== undefined) tellOthers(id, at);
    },
  };
  const early = createEarlyCounts(machine);
  const worker = createWorker(() => machine, shared.compare);
  const serviceIsBack = async (address: string) => {
    try {
      for (const place of await placesWaiting(db, clock())) {
        const api = await machine.apiFor(place.workspace, place.project ?? undefined);
        if (api?.address === address) await wakeRetryable(db, place, clock());
      }
    } catch (error) {
      options.log.warn({ err: error }, 'what waits could not be brought forward: it comes at its own time');
    }
    worker.wake(clock());
  };
  let forgetting: NodeJS.Timeout | undefined;
  return {
    kinds,
    machine,
    async authorOf({ workspace, kind, result, equal }) {
      const fingerprint = equal && (await machine.fingerprintOf(kind, equal.project, equal.fingerprint));
      return authorOf(db, { workspace, kind, result, fingerprint });
    },
    async remembered(kind, at) {
      const rows = await rememberedResults(db, { ...at, kind: kind.name });
      return rows.flatMap((row) => {
        const read = readContent(machine, kind, { ...row, content: row.content ?? row.summary });
        return row.result === null || !read ? [] : [{ result: row.result, content: read.content }];
      });
    },
    countEarly: (form) => machine.early.changed(form),
    release: (workspace) => release(machine, workspace),
    wakeBy(wake) {
      tellOthers = wake;
    },
    wakeUp: () => worker.wake(clock()),
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
      await worker.stop();
    },
  };
}

/** One pair for each service address, whoever's token is used there. */
function breakers(
  { pace }: MachineOptions,
  clock: () => Date,
  random: () => number,
  onClose: (address: string) => void,
): Machine['breakerOf'] {
  const byAddress = new Map<string, Breaker>();
  return (api: ApiClient, calls) => {
    const key = `${calls} ${api.address}`;
    const known = byAddress.get(key);
    if (known) return known;
    const breaker = createBreaker(pace.breaker, () => clock().getTime(), random);
    breaker.onClose(() => onClose(api.address));
    byAddress.set(key, breaker);
    return breaker;
  };
}
