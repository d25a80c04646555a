import type { ApiClient } from '../api/client.ts';
import { mapDone, type Outcome } from '../api/outcome.ts';
import { later } from '../delivery/later.ts';
import type { TenantService } from './fingerprint.ts';
import { scopesOf } from './hold.ts';
import type { AnyKind, CountEarly } from './kind.ts';
import type { EarlyCounts, Machine, OpenForm } from './machine.ts';
import { holdsOf } from './sql/holds.ts';
import { hasEqualSince } from './sql/submissions.ts';

interface Kept {
  /** When the look began, by the clock of leases. */
  at: Date;
  /** What is listed by another service, or for another token, says nothing of this one. */
  whose: object;
  looked: Promise<Outcome<CountEarly<unknown> | 'cannot-tell'>>;
}

/** A form of many moments: the others are counted when they are sent. */
const MOST_OF_A_FORM = 4;
/** More than a hundred people leave behind within a minute. */
const MOST_KEPT = 200;
/** Clocks of two instances count as the same within half a second; this is surely more. */
const CLOCKS_MS = 2_000;

export function createEarlyCounts(machine: Machine): EarlyCounts {
  const kept = new Map<string, Kept>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const { pace } = machine;
  const fresh = (one: Kept | undefined, whose: object | undefined) =>
    one && one.whose === whose && machine.clock().getTime() - one.at.getTime() < pace.early.freshMs
      ? one
      : undefined;

  async function look(form: OpenForm): Promise<void> {
    const { kind, workspace } = form;
    for (const content of form.contents().slice(0, MOST_OF_A_FORM)) {
      const api = await machine.apiFor(workspace, kind.project(content)?.id);
      const key = api && keyOf(api, workspace, kind, content);
      if (!api || key === undefined || fresh(kept.get(key), api.credential)) continue;
      const begun = await begin(machine, { api, workspace, kind, content });
      if (!begun) continue;
      const drop = () => {
        if (kept.get(key) === begun) kept.delete(key);
      };
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(key, begun);
      // Posts of others are not kept in memory for longer than they are believed.
      setTimeout(drop, pace.early.freshMs).unref();
      const outcome = await begun.looked.catch((error: unknown) => {
        drop();
        throw error;
      });
      if (outcome.kind !== 'done') drop();
    }
  }

  return {
    changed(form) {
      clearTimeout(waiting.get(form.id));
      const timer = setTimeout(() => {
        waiting.delete(form.id);
        look(form).catch((error: unknown) =>
          machine.log.warn({ err: error }, 'an open form could not be counted for'),
        );
      }, pace.early.afterMs).unref();
      waiting.set(form.id, timer);
    },
    async take(api, row, kind, { content, lockKey }) {
      const isFirst = row.attempts === 0 && !row.doubted && row.baseline === null;
      const key = isFirst ? keyOf(api, row.workspace, kind, content) : undefined;
      const found = fresh(kept.get(key ?? ''), api.credential);
      // One that went out since is not among those that were counted.
      if (
        !found ||
        (await hasEqualSince(machine.db, { id: row.id, lockKey, since: later(found.at, -CLOCKS_MS) }))
      )
        return undefined;
      const outcome = await found.looked.catch(() => undefined);
      return outcome && mapDone(outcome, (data) => (data === 'cannot-tell' ? data : data.equalTo(content)));
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      kept.clear();
    },
  };
}

function keyOf(
  { address, tokenOf }: ApiClient,
  workspace: string,
  kind: AnyKind,
  content: unknown,
): string | undefined {
  const place = kind.whenUnknown.way === 'look' ? kind.whenUnknown.early?.place(content) : undefined;
  return place === undefined
    ? undefined
    : JSON.stringify([address, tokenOf ?? null, workspace, kind.name, place]);
}

/** Nobody waits for it, so it is not asked of a service that fails or refuses us. */
async function begin(
  machine: Machine,
  of: { api: ApiClient; workspace: string; kind: AnyKind; content: unknown },
): Promise<Kept | undefined> {
  const { api, workspace, kind, content } = of;
  const { whenUnknown } = kind;
  if (whenUnknown.way !== 'look' || !whenUnknown.early) return undefined;
  const project = kind.project(content)?.id ?? null;
  const whose = api.credential;
  const place = { workspace, address: api.address };
  if (!isWell(machine, place, whose)) return undefined;
  const scopes = scopesOf(api, { workspace, project, kind: kind.name });
  if ((await holdsOf(machine.db, { workspace, scopes })).length > 0) return undefined;
  const permit = machine.breakerOf(place, 'reads').enter(undefined, whose);
  if ('waitMs' in permit) return undefined;
  const at = machine.clock();
  const { early } = whenUnknown;
  const looking = async () => {
    try {
      const outcome = await early.look(api, content);
      permit.report(outcome);
      return outcome;
    } finally {
      permit.leave();
    }
  };
  return { at, whose, looked: looking() };
}

function isWell(machine: Machine, place: TenantService, whose: object): boolean {
  return (['reads', 'writes'] as const).every((calls) => machine.breakerOf(place, calls).isClosed(whose));
}
