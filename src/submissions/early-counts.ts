import type { ApiClient } from '../api/client.ts';
import { mapDone, type Outcome } from '../api/outcome.ts';
import { later } from '../delivery/later.ts';
import type { TenantService } from './fingerprint.ts';
import type { AnyKind, PlaceCount } from './kind.ts';
import type { EarlyCounts, Machine, OpenForm } from './machine.ts';
import { pauseScopes } from './pause.ts';
import { pausesOf } from './sql/pauses.ts';
import { hasEqualSince } from './sql/submissions.ts';

interface EarlyCount {
  /** When the read began, by the lease clock. */
  at: Date;
  /** The count is valid only for this service and token. */
  credential: object;
  records: Promise<Outcome<PlaceCount<unknown> | 'cannot-tell'>>;
}

/** Contents of one form that are counted in advance. The others are counted when they are sent. */
const MAX_COUNTS_PER_FORM = 4;
/** Maximum number of stored counts. A hundred people take fewer within a minute. */
const MAX_COUNTS = 200;
/** Maximum difference between the lease clocks of two instances, which ignore half a second. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

export function createEarlyCounts(machine: Machine): EarlyCounts {
  const counts = new Map<string, EarlyCount>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const { pace } = machine;
  const fresh = (one: EarlyCount | undefined, credential: object | undefined) =>
    one && one.credential === credential && machine.clock().getTime() - one.at.getTime() < pace.early.freshMs
      ? one
      : undefined;

  async function countForm(form: OpenForm): Promise<void> {
    const { kind, workspace } = form;
    for (const content of form.contents().slice(0, MAX_COUNTS_PER_FORM)) {
      const api = await machine.apiFor(workspace, kind.project(content)?.id);
      const key = api && keyOf(api, workspace, kind, content);
      if (!api || key === undefined || fresh(counts.get(key), api.credential)) continue;
      const count = await beginCount(machine, { api, workspace, kind, content });
      if (!count) continue;
      const drop = () => {
        if (counts.get(key) === count) counts.delete(key);
      };
      const [oldest] = counts.keys();
      if (counts.size >= MAX_COUNTS && oldest !== undefined) counts.delete(oldest);
      counts.set(key, count);
      // Posts of others don't stay in memory after the count has expired.
      setTimeout(drop, pace.early.freshMs).unref();
      const outcome = await count.records.catch((error: unknown) => {
        drop();
        throw error;
      });
      if (outcome.kind !== 'done') drop();
    }
  }

  return {
    onFormChange(form) {
      clearTimeout(waiting.get(form.id));
      const timer = setTimeout(() => {
        waiting.delete(form.id);
        countForm(form).catch((error: unknown) =>
          machine.log.warn({ err: error }, 'could not count equal posts for an open form'),
        );
      }, pace.early.afterMs).unref();
      waiting.set(form.id, timer);
    },
    async take(api, row, kind, { content, lockKey }) {
      const isFirst = row.attempts === 0 && !row.maybe_sent && row.baseline === null;
      const key = isFirst ? keyOf(api, row.workspace, kind, content) : undefined;
      const found = fresh(counts.get(key ?? ''), api.credential);
      // An equal post that was sent after the count isn't included in it.
      if (
        !found ||
        (await hasEqualSince(machine.db, {
          id: row.id,
          lockKey,
          since: later(found.at, -MAX_CLOCK_DIFFERENCE_MS),
        }))
      )
        return undefined;
      const outcome = await found.records.catch(() => undefined);
      return outcome && mapDone(outcome, (data) => (data === 'cannot-tell' ? data : data.equalTo(content)));
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      counts.clear();
    },
  };
}

function keyOf(
  { address, tokenProjectId }: ApiClient,
  workspace: string,
  kind: AnyKind,
  content: unknown,
): string | undefined {
  const place = kind.whenUnknown.way === 'reconcile' ? kind.whenUnknown.early?.place(content) : undefined;
  return place === undefined
    ? undefined
    : JSON.stringify([address, tokenProjectId ?? null, workspace, kind.name, place]);
}

/**
 * Begins to read the records. Undefined if the service fails or refuses the token, because nobody waits for this read.
 */
async function beginCount(
  machine: Machine,
  of: { api: ApiClient; workspace: string; kind: AnyKind; content: unknown },
): Promise<EarlyCount | undefined> {
  const { api, workspace, kind, content } = of;
  const { whenUnknown } = kind;
  if (whenUnknown.way !== 'reconcile' || !whenUnknown.early) return undefined;
  const project = kind.project(content)?.id ?? null;
  const credential = api.credential;
  const place = { workspace, address: api.address };
  if (!areBreakersClosed(machine, place, credential)) return undefined;
  const scopes = pauseScopes(api, { workspace, project, kind: kind.name });
  if ((await pausesOf(machine.db, { workspace, scopes })).length > 0) return undefined;
  const permit = machine.breakerOf(place, 'reads').enter(undefined, credential);
  if ('waitMs' in permit) return undefined;
  const at = machine.clock();
  const { early } = whenUnknown;
  const readRecords = async () => {
    try {
      const outcome = await early.look(api, content);
      permit.report(outcome);
      return outcome;
    } finally {
      permit.leave();
    }
  };
  return { at, credential, records: readRecords() };
}

function areBreakersClosed(machine: Machine, place: TenantService, credential: object): boolean {
  return (['reads', 'writes'] as const).every((calls) =>
    machine.breakerOf(place, calls).isClosed(credential),
  );
}
