import type { Permission } from '../../access/access.ts';
import type { ComposeRequest } from '../composer.ts';
import { listSnapshotProjects } from './changes.ts';
import { addHeldPosts, getPlanRange, type HeldPlanReader, type Plan } from './plan.ts';

/**
 * Reads only the posts that Upnext keeps, because the service doesn't answer. Undefined if there is none that the reader
 * may see. A digest without chosen projects is about the only project, which then is that of the last digest.
 */
export async function readHeldOnlyPlan(
  { now, projects: ids, snapshot }: Pick<ComposeRequest, 'now' | 'projects' | 'snapshot'>,
  checkReadPermission: (project: string) => Promise<Permission>,
  readHeldPlan: HeldPlanReader,
): Promise<Plan | undefined> {
  const lastIds = listSnapshotProjects(snapshot);
  const chosenIds = ids.length === 0 && lastIds.length === 1 ? lastIds : [...new Set(ids)];
  const permissions = await Promise.all(chosenIds.map(checkReadPermission));
  const readableIds = chosenIds.filter((_id, index) => permissions[index] === 'yes');
  if (readableIds.length === 0) return undefined;
  const { from, to, searchEnd } = getPlanRange(now);
  const held = await readHeldPlan({ projects: readableIds, from, to: searchEnd, servicePosts: [] });
  const names = new Map(held.posts.map(({ project }) => [project.id, project.name]));
  const plan: Plan = {
    projects: [...names].map(([id, name]) => ({ id, name })),
    ...{ posts: [], end: to, unreadableCount: 0, isComplete: false, isServiceDown: true },
  };
  const result = await addHeldPosts(plan, { now, from, to: searchEnd, readHeldPlan: async () => held });
  return result.posts.length === 0 ? undefined : result;
}
