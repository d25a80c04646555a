import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';

interface Binding {
  workspace: string;
  channel: string;
  /** The project's id in the service. */
  project: string;
  /** The person who chose it. */
  boundBy: string;
  boundAt: Date;
}

/** The project that a channel shows: the id that was chosen last, or undefined. */
export async function boundProject(
  db: Kysely<BotSchema>,
  at: { workspace: string; channel: string | undefined },
): Promise<string | undefined> {
  if (at.channel === undefined) return undefined;
  const row = await db
    .selectFrom('channel_project')
    .select('project')
    .where('workspace', '=', at.workspace)
    .where('channel', '=', at.channel)
    .executeTakeFirst();
  return row?.project;
}

/** From now on the channel shows this project. It picks one; it lets nobody do anything. */
export async function bindProject(db: Kysely<BotSchema>, binding: Binding): Promise<void> {
  const chosen = { project: binding.project, bound_by: binding.boundBy, bound_at: binding.boundAt };
  await db
    .insertInto('channel_project')
    .values({ workspace: binding.workspace, channel: binding.channel, ...chosen })
    .onConflict((conflict) => conflict.columns(['workspace', 'channel']).doUpdateSet(chosen))
    .execute();
}
