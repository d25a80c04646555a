import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import { lockUntilEnd } from '../store/locks.ts';
import type { PreferenceTables } from './tables.ts';

interface ChannelKey {
  workspace: string;
  channel: string | undefined;
}

/** The ids of the projects that a channel is bound to, in the order in which they were chosen. */
export async function listBoundProjects(db: Kysely<PreferenceTables>, key: ChannelKey): Promise<string[]> {
  if (key.channel === undefined) return [];
  const rows = await selectBoundProjects(db, key).execute();
  return rows.map(({ project }) => project);
}

export function selectBoundProjects(
  db: Kysely<PreferenceTables>,
  { workspace, channel = '' }: ChannelKey,
): SelectQueryBuilder<PreferenceTables, 'channel_project', { project: string }> {
  return db
    .selectFrom('channel_project')
    .select('project')
    .where(({ and }) => and({ workspace, channel }))
    .orderBy('position')
    .orderBy('project');
}

/** The ids of the channels that are bound to a project, those that were bound first at the beginning. */
export async function listBoundChannels(
  db: Kysely<PreferenceTables>,
  { workspace, project }: { workspace: string; project: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('channel_project')
    .select('channel')
    .where(({ and }) => and({ workspace, project }))
    .orderBy('bound_at')
    .orderBy('channel')
    .execute();
  return rows.map(({ channel }) => channel);
}

/** Binds a channel to projects, and returns the ids of all bound projects. A binding grants no permissions. */
export async function bindProjects(
  db: Kysely<PreferenceTables>,
  binding: {
    workspace: string;
    channel: string;
    /** Ids of the projects in the service, without duplicates. Empty to unbind the channel. */
    projects: readonly string[];
    /** Whether a project that is already bound stays bound, after the chosen projects. Defaults to false. */
    staysBound?(project: string): boolean;
    boundAt: Date;
  },
): Promise<readonly string[]> {
  const { workspace, channel, projects, staysBound = () => false, boundAt } = binding;
  return db.transaction().execute(async (transaction) => {
    // With the lock, the later of two simultaneous choices wins. Without it, a mixture of both would be stored.
    await lockBinding(transaction, { workspace, channel });
    const previous = await listBoundProjects(transaction, { workspace, channel });
    const boundProjects = new Set([...projects, ...previous.filter((project) => staysBound(project))]);
    await transaction
      .deleteFrom('channel_project')
      .where(({ and }) => and({ workspace, channel }))
      .execute();
    if (boundProjects.size === 0) return [];
    const rows = [...boundProjects].map((project, position) => ({
      ...{ workspace, channel, project, position, bound_at: boundAt },
    }));
    await transaction.insertInto('channel_project').values(rows).execute();
    return [...boundProjects];
  });
}

/** Makes a change if the channel is bound to exactly these projects, or else returns false. */
export function changeIfBindingsUnchanged(
  db: Kysely<PreferenceTables>,
  expected: { workspace: string; channel: string; projects: readonly string[] },
  change: (transaction: Transaction<PreferenceTables>) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockBinding(transaction, expected);
    const current = new Set(await listBoundProjects(transaction, expected));
    const isUnchanged =
      current.size === expected.projects.length && expected.projects.every((project) => current.has(project));
    if (!isUnchanged) return false;
    await change(transaction);
    return true;
  });
}

async function lockBinding(
  transaction: Transaction<PreferenceTables>,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  await lockUntilEnd(transaction, `${workspace}/${channel}`);
}
