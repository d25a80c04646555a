import type { ApiClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';

/** Finds the id of the first project that the service lists. */
export async function findFirstProjectId(api: ApiClient): Promise<string> {
  const listing = await listProjects(api);
  const [project] = listing.kind === 'done' ? listing.data.items : [];
  if (!project) throw new Error('the service lists no project');
  return project.id;
}
