import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../app/call.ts';

/**
 * Finds projects while the service doesn't answer: those that it listed last, or else those whose posts Upnext keeps.
 * Undefined if this instance knows none.
 */
export async function findLastProjects({
  context: { api, reads, heldPosts },
  actor,
}: Pick<Call, 'context' | 'actor'>): Promise<Records<Project> | undefined> {
  if (!reads.getLastProjects(api))
    reads.suggestLastProjects(api, await heldPosts.listProjects(actor.workspace));
  return reads.getLastProjects(api);
}
