import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

interface Where {
  workspace: string;
  channel: string | undefined;
}

interface Binding {
  workspace: string;
  channel: string;
  /** The projects' ids in the service, each once; none: the channel is about nothing in particular. */
  projects: readonly string[];
  /** The person who chose them. */
  boundBy: string;
  boundAt: Date;
}

/** The ids of the projects that a channel is about, in the order in which they were chosen. */
export async function boundProjects(db: Kysely<BotSchema>, at: Where): Promise<string[]> {
  if (at.channel === undefined) return [];
  const rows = await db
    .selectFrom('channel_project')
    .select('project')
    .where('workspace', '=', at.workspace)
    .where('channel', '=', at.channel)
    .orderBy('position')
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => project);
}

/** The only project that a channel is about; of several none is meant more than the others. */
export async function boundProject(db: Kysely<BotSchema>, at: Where): Promise<string | undefined> {
  const [only, ...others] = await boundProjects(db, at);
  return others.length === 0 ? only : undefined;
}

/** From now on the channel is about these and no others. It picks projects; it lets nobody do anything. */
export async function bindProjects(db: Kysely<BotSchema>, binding: Binding): Promise<void> {
  const { workspace, channel, projects, boundBy, boundAt } = binding;
  const rows = projects.map((project, position) => ({
    workspace,
    channel,
    project,
    position,
    bound_by: boundBy,
    bound_at: boundAt,
  }));
  await db.transaction().execute(async (transaction) => {
    // Of two who choose at the same moment the later one's choice holds, and not a mixture.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${workspace}/${channel}`}, 0))`.execute(
      transaction,
    );
    await transaction
      .deleteFrom('channel_project')
      .where('workspace', '=', workspace)
      .where('channel', '=', channel)
      .execute();
    if (rows.length === 0) return;
    await transaction.insertInto('channel_project').values(rows).execute();
  });
}
