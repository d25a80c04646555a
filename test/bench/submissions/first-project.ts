import type { ApiClient } from '../../../src/api/client.ts';
import { listProjects } from '../../../src/api/projects.ts';

/** Finds the id of the first project that the service lists. */
export async function firstProject(api: ApiClient): Promise<string> {
  const listed = await listProjects(api);
  const [project] = listed.kind === 'done' ? listed.data.items : [];
  if (!project) throw new Error('the service lists no project');
  return project.id;
}
