import type { Kysely, Selectable } from 'kysely';
import type { BotSchema } from './schema.ts';

type WorkspaceHold = Selectable<BotSchema['workspace_hold']>;

export function holdOf(db: Kysely<BotSchema>, workspace: string): Promise<WorkspaceHold | undefined> {
  return db.selectFrom('workspace_hold').selectAll().where('workspace', '=', workspace).executeTakeFirst();
}

/** Holds a workspace from now on; where it is held already, moves its next probe. */
export async function holdWorkspace(
  db: Kysely<BotSchema>,
  hold: { workspace: string; status: number; at: Date; probeAt: Date },
): Promise<void> {
  const { workspace, status, at, probeAt } = hold;
  await db
    .insertInto('workspace_hold')
    .values({ workspace, status, since: at, probe_at: probeAt })
    .onConflict((conflict) => conflict.column('workspace').doUpdateSet({ status, probe_at: probeAt }))
    .execute();
}

/** One caller alone may probe; the next probe is at `next`. */
export async function takeProbe(
  db: Kysely<BotSchema>,
  probe: { workspace: string; at: Date; next: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('workspace_hold')
    .set({ probe_at: probe.next })
    .where('workspace', '=', probe.workspace)
    .where('probe_at', '<=', probe.at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** True for the one who is to tell the owners; for nobody while those who were told last know it. */
export async function takeTelling(
  db: Kysely<BotSchema>,
  telling: { workspace: string; at: Date; before: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('workspace_hold')
    .set({ told_at: telling.at })
    .where('workspace', '=', telling.workspace)
    .where((row) => row.or([row('told_at', 'is', null), row('told_at', '<=', telling.before)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Held no longer; that the owners were told stays, so a token that comes and goes is told of once. */
export async function liftHold(db: Kysely<BotSchema>, workspace: string, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('workspace_hold')
    .set({ status: 0, probe_at: at })
    .where('workspace', '=', workspace)
    .where('status', '>', 0)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
