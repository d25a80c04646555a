import { type Kysely, type Selectable, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

type ServiceHold = Selectable<BotSchema['service_hold']>;
type Key = Pick<ServiceHold, 'workspace' | 'scope'>;

/** What holds anything of these scopes now. */
export function holdsOf(
  db: Kysely<BotSchema>,
  of: { workspace: string; scopes: readonly string[] },
): Promise<ServiceHold[]> {
  return db
    .selectFrom('service_hold')
    .selectAll()
    .where('workspace', '=', of.workspace)
    .where('scope', 'in', of.scopes)
    .where('status', '>', 0)
    .execute();
}

/** Held from now on, until somebody probes; where it is held already, the next probe stays. */
export async function holdScope(
  db: Kysely<BotSchema>,
  hold: Key & { status: number; at: Date; probeAt: Date },
): Promise<void> {
  const { workspace, scope, status, at, probeAt } = hold;
  await db
    .insertInto('service_hold')
    .values({ workspace, scope, status, since: at, probe_at: probeAt })
    .onConflict((conflict) =>
      conflict.columns(['workspace', 'scope']).doUpdateSet({
        status,
        probe_at: sql`case when service_hold.status > 0 and service_hold.probe_at > ${at}
          then service_hold.probe_at else ${probeAt} end`,
      }),
    )
    .execute();
}

/** One caller alone may probe; the next probe is at `next`. */
export async function takeProbe(
  db: Kysely<BotSchema>,
  probe: Key & { at: Date; next: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('service_hold')
    .set({ probe_at: probe.next })
    .where('workspace', '=', probe.workspace)
    .where('scope', '=', probe.scope)
    .where('probe_at', '<=', probe.at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** True for the one who is to tell the owners; for nobody while those who were told last know it. */
export async function takeTelling(
  db: Kysely<BotSchema>,
  telling: Key & { at: Date; before: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('service_hold')
    .set({ told_at: telling.at })
    .where('workspace', '=', telling.workspace)
    .where('scope', '=', telling.scope)
    .where((row) => row.or([row('told_at', 'is', null), row('told_at', '<=', telling.before)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The owners could not be told: the next refusal tells them. */
export async function notTold(db: Kysely<BotSchema>, { workspace, scope }: Key): Promise<void> {
  await db
    .updateTable('service_hold')
    .set({ told_at: null })
    .where('workspace', '=', workspace)
    .where('scope', '=', scope)
    .execute();
}

/**
 * Held no longer, these scopes or all; that the owners were told stays, so a token that comes and goes is told of once.
 * False where nothing was held.
 */
export async function liftHolds(
  db: Kysely<BotSchema>,
  lift: { workspace: string; scopes?: readonly string[] | undefined; at: Date },
): Promise<boolean> {
  const { scopes } = lift;
  const result = await db
    .updateTable('service_hold')
    .set({ status: 0, probe_at: lift.at })
    .where('workspace', '=', lift.workspace)
    .$if(scopes !== undefined, (query) => query.where('scope', 'in', scopes ?? []))
    .where('status', '>', 0)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
