import { type Kysely, sql } from 'kysely';
import { toJsonParameter } from '../store/column-values.ts';
import { addMs } from './clock.ts';
import type { EngineTables } from './tables.ts';

/**
 * Divides workspaces among instances: only one instance at a time has the turn of a workspace, and claims its rows. So
 * the workspace's data are read once, and its rate limits are counted in one place. Turns only save work: leases and
 * fencing tokens ensure that nothing is sent twice, also if two instances believe that they have the same turn.
 */
export interface Turns {
  /**
   * Extends the turns of this instance, and takes up to `maxNew` turns that nobody has. Returns the workspaces whose turn
   * this instance has, and those whose turn it didn't try to take.
   */
  take(
    workspaces: readonly string[],
    maxNew: number,
  ): Promise<{ own: ReadonlySet<string>; untried: ReadonlySet<string> }>;
  /**
   * Takes a turn even if another instance has it, because a person is waiting. The other instance wouldn't know of the
   * person's request until its next scan.
   */
  seize(workspace: string): Promise<void>;
  /** Gives all turns back, so that other instances needn't wait for their ends. */
  release(): Promise<void>;
}

/**
 * Creates the turns of one instance. They are claims in the table `once_claim`. Nobody else can have set the end that
 * this instance has set, so the end identifies the owner. A turn of a dead instance ends after `turnMs`.
 */
export function createTurns({
  db,
  clock,
  name,
  turnMs,
}: {
  db: Kysely<EngineTables>;
  /** The clock of all instances. */
  clock: () => Date;
  /** What the turns are about. */
  name: string;
  turnMs: number;
}): Turns {
  const ends = new Map<string, Date>();
  // Others may take a turn only after its end.
  const isOwn = (workspace: string) => (ends.get(workspace) ?? 0) >= clock();

  async function extend(workspaces: readonly string[]): Promise<void> {
    const end = addMs(clock(), turnMs);
    const requests = workspaces.map((workspace) => ({ workspace, own_end: ends.get(workspace) }));
    const taken = await extendTurns(db, { name, requests, now: clock(), end });
    for (const workspace of workspaces) {
      if (taken.has(workspace)) ends.set(workspace, end);
      else ends.delete(workspace);
    }
  }

  return {
    async take(workspaces, maxNew) {
      // A turn that has ended is taken like any other: its row may be gone, or another instance may have it.
      for (const workspace of ends.keys()) if (!isOwn(workspace)) ends.delete(workspace);
      const distinct = [...new Set(workspaces)];
      const remainingMs = (workspace: string) => (ends.get(workspace)?.getTime() ?? 0) - clock().getTime();
      const expiring = distinct.filter(
        (workspace) => isOwn(workspace) && remainingMs(workspace) < (turnMs * 2) / 3,
      );
      const others = distinct.filter((workspace) => !isOwn(workspace));
      const requested = [...expiring, ...others.slice(0, maxNew)];
      if (requested.length > 0) await extend(requested);
      return { own: new Set(distinct.filter(isOwn)), untried: new Set(others.slice(maxNew)) };
    },
    async seize(workspace) {
      const end = addMs(clock(), turnMs);
      await db
        .insertInto('once_claim')
        .values({ workspace, name, expires_at: end })
        .onConflict((conflict) => conflict.columns(['workspace', 'name']).doUpdateSet({ expires_at: end }))
        .execute();
      ends.set(workspace, end);
    },
    async release() {
      const requests = [...ends].map(([workspace, own_end]) => ({ workspace, own_end }));
      ends.clear();
      if (requests.length === 0) return;
      await sql`delete from once_claim claim using ${selectRequests(requests)}
        where claim.workspace = request.workspace and claim.name = ${name}
          and claim.expires_at = request.own_end`.execute(db);
    },
  };
}

interface Request {
  workspace: string;
  /** The end that this instance has set; undefined if it doesn't have the turn. */
  own_end: Date | undefined;
}

function selectRequests(requests: readonly Request[]) {
  return sql`jsonb_to_recordset(${toJsonParameter(requests)}::jsonb) as request(workspace text, own_end timestamptz)`;
}

/** Resolves with the workspaces whose turn this instance now has until `end`. */
async function extendTurns(
  db: Kysely<EngineTables>,
  { name, requests, now, end }: { name: string; requests: readonly Request[]; now: Date; end: Date },
): Promise<ReadonlySet<string>> {
  // Sorted, so that two instances never wait for each other's rows.
  const { rows } = await sql<{ workspace: string }>`
    with request as materialized (select * from ${selectRequests(requests)}),
    extended as (
      update once_claim claim set expires_at = ${end} from request
      where claim.workspace = request.workspace and claim.name = ${name} and claim.expires_at = request.own_end
      returning claim.workspace
    ), taken as (
      insert into once_claim (workspace, name, expires_at)
      select workspace, ${name}, ${end}::timestamptz from request
      where own_end is null and not exists (select from once_claim claim
        where claim.workspace = request.workspace and claim.name = ${name} and claim.expires_at >= ${now})
      order by workspace
      on conflict (workspace, name) do update set expires_at = excluded.expires_at
      where once_claim.expires_at < ${now}
      returning workspace
    )
    select workspace from extended union all select workspace from taken`.execute(db);
  return new Set(rows.map(({ workspace }) => workspace));
}
