import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

interface ChannelKey {
  workspace: string;
  channel: string | undefined;
}

interface Binding {
  workspace: string;
  channel: string;
  /** Ids of the projects in the service, without duplicates. Empty to unbind the channel. */
  projects: readonly string[];
  /** Whether a project that is bound already stays bound, after the chosen ones. Defaults to false. */
  stays?(project: string): boolean;
  /** Slack user id of the person who chose the projects. */
  boundBy: string;
  boundAt: Date;
}

/** The ids of the projects that a channel is bound to, in the order in which they were chosen. */
export async function boundProjects(db: Kysely<BotSchema>, at: ChannelKey): Promise<string[]> {
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

/** The project that a channel is bound to. Undefined if there is none, or more than one. */
export async function boundProject(db: Kysely<BotSchema>, at: ChannelKey): Promise<string | undefined> {
  const [only, ...others] = await boundProjects(db, at);
  return others.length === 0 ? only : undefined;
}

/** Binds a channel to projects, and returns the ids of all bound projects. A binding grants no permissions. */
export async function bindProjects(db: Kysely<BotSchema>, binding: Binding): Promise<readonly string[]> {
  const { workspace, channel, projects, stays = () => false, boundBy, boundAt } = binding;
  return db.transaction().execute(async (transaction) => {
    // If two people choose at the same moment, the later choice wins, instead of a mixture of both.
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

/**
 * Makes a change only if the channel is bound to exactly these projects. Otherwise returns false and changes nothing.
 */
export function changeWhileBound(
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

/** Locks the bindings of a channel until the end of the transaction. */
async function lockBinding(
  transaction: Transaction<BotSchema>,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  const key = `${workspace}/${channel}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}
