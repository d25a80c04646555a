import type { Kysely } from 'kysely';
import type { Role } from '../access/access.ts';
import { listKnownProjects } from '../api/cached-reads.ts';
import type { Project } from '../api/projects.ts';
import { listStoppedProjects, type SendingStop } from '../engine/sending-stop.ts';
import type { EngineTables } from '../engine/tables.ts';
import type { Actor } from '../slack/actor.ts';

/** A stopped project. Its name is "A project" if the last known list of projects doesn't have it. */
export interface StoppedProject {
  project: Project;
  stop: SendingStop;
  /** Whether the service doesn't have the project any more: it has just listed all its projects, without this one. */
  isGone?: boolean | undefined;
}

export async function listStops(
  call: {
    context: Parameters<typeof listKnownProjects>[0] & { db: Kysely<EngineTables> };
    actor: Actor;
    may(role: Role, project: string): boolean;
  },
  role: Role,
): Promise<StoppedProject[]> {
  const { context, actor, may } = call;
  const rows = await listStoppedProjects(context.db, actor.workspace);
  const stops = rows.filter(({ project }) => may(role, project));
  const list = stops.length === 0 ? undefined : await listKnownProjects(context);
  return stops.map(({ project: id, ...stop }) => {
    const project = list?.items.find((item) => item.id === id);
    return project
      ? { project, stop }
      : { project: { id, name: 'A project' }, stop, isGone: list?.isComplete };
  });
}
