import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

interface Where {
  workspace: string;
  channel: string | undefined;
}

interface Binding {
  workspace: string;
  channel: string;
  /** The projects' ids in the service, each once; none: the channel is about nothing in particular. */
  projects: readonly string[];
  /** Whether one that the channel is about already stays, after the chosen ones. Defaults to no. */
  stays?(project: string): boolean;
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

/** From now on the channel is about these, and those that stay. All of them. It lets nobody do anything. */
export async function bindProjects(db: Kysely<BotSchema>, binding: Binding): Promise<readonly string[]> {
  const { workspace, channel, projects, stays = () => false, boundBy, boundAt } = binding;
  return db.transaction().execute(async (transaction) => {
    // Of two who choose at the same moment the later one's choice holds, and not a mixture.
    await lockBinding(transaction, { workspace, channel });
    const before = await boundProjects(transaction, { workspace, channel });
    const all = new Set([...projects, ...before.filter((project) => stays(project))]);
    await transaction
      .deleteFrom('channel_project')
      .where('workspace', '=', workspace)
      .where('channel', '=', channel)
      .execute();
    if (all.size === 0) return [];
    const rows = [...all].map((project, position) => ({
      ...{ workspace, channel, project, position },
      ...{ bound_by: boundBy, bound_at: boundAt },
    }));
    await transaction.insertInto('channel_project').values(rows).execute();
    return [...all];
  });
}

/** Makes a change while the channel is about exactly these; false where it isn't any more, and nothing was changed. */
export function whileBound(
  db: Kysely<BotSchema>,
  at: { workspace: string; channel: string; projects: readonly string[] },
  change: (transaction: Transaction<BotSchema>) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockBinding(transaction, at);
    const now = new Set(await boundProjects(transaction, at));
    if (now.size !== at.projects.length || !at.projects.every((project) => now.has(project))) return false;
    await change(transaction);
    return true;
  });
}

/** Whoever else would change what the channel is about waits for the end of the transaction. */
async function lockBinding(
  transaction: Transaction<BotSchema>,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  const key = `${workspace}/${channel}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}
