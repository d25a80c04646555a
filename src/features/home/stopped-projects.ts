import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { listStoppedProjects, type SendingStop } from '../../engine/sending-stop.ts';

/** A stopped project that the viewer may see. */
export interface StoppedProject {
  project: Project;
  stop: SendingStop;
}

/** Loads the stopped projects that the viewer may see, also while the service is down. */
export async function loadStoppedProjects({
  context,
  actor,
}: Pick<Call, 'context' | 'actor'>): Promise<StoppedProject[]> {
  const stops = await listStoppedProjects(context.db, actor.workspace);
  if (stops.length === 0) return [];
  const outcome = await context.reads.listProjects(context.api);
  const list = outcome.kind === 'done' ? outcome.data : context.reads.getLastProjects(context.api);
  return stops.flatMap(({ project: id, ...stop }) => {
    const project = list?.items.find((item) => item.id === id);
    return project ? [{ project, stop }] : [];
  });
}
