import type { Kysely } from 'kysely';
import type { Role } from '../access/access.ts';
import { listKnownProjects } from '../api/cached-reads.ts';
import type { Project } from '../api/projects.ts';
import { listStoppedProjects, type SendingStop } from '../engine/sending-stop.ts';
import type { EngineTables } from '../engine/tables.ts';
import type { Actor } from '../slack/actor.ts';

/** A stopped project. Its name may be unknown while the service doesn't answer. */
export interface StoppedProject {
  project: Project;
  stop: SendingStop;
}

/** Lists the stopped projects in which the actor has the role. */
export async function listStops(
  {
    context,
    actor,
    may,
  }: {
    context: Parameters<typeof listKnownProjects>[0] & { db: Kysely<EngineTables> };
    actor: Actor;
    may(role: Role, project: string): boolean;
  },
  role: Role,
): Promise<StoppedProject[]> {
  const rows = await listStoppedProjects(context.db, actor.workspace);
  const stops = rows.filter(({ project }) => may(role, project));
  const list = stops.length === 0 ? undefined : await listKnownProjects(context);
  return stops.map(({ project: id, ...stop }) => ({
    project: list?.items.find((project) => project.id === id) ?? { id, name: 'A project' },
    stop,
  }));
}
