import type { Project } from '../api/projects.ts';
import { readProjects } from '../held-posts/known-projects.ts';
import { type PageLook, readInTime } from './look.ts';

/** Projects whose posts are read at once: each takes a call of the service. */
export const MAX_READ_PROJECTS = 20;

/**
 * Lists the projects that a person may see, or, while the service doesn't answer, those that are known of them. The list
 * isn't complete either if it couldn't be found out of some whether the person may see them.
 */
export async function listProjects(
  look: PageLook,
): Promise<{ projects: readonly Project[]; isComplete: boolean } | undefined> {
  const { context, actor } = look;
  const outcome = await readInTime(look, () => context.reads.listProjects(context.api));
  const { projects } = await readProjects({ context, actor }, outcome);
  if (!projects) return undefined;
  return {
    // Those known from posts that Upnext keeps are everybody's.
    projects: projects.items.filter(({ id }) => look.may('viewer', id)),
    isComplete:
      !projects.isTruncated &&
      projects.unreadableCount === 0 &&
      projects.items.every(({ id }) => look.may('viewer', id) || look.lacks('viewer', id)),
  };
}
