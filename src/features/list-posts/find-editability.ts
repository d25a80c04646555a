import type { Call } from '../../app/call.ts';
import type { Editability } from '../../posts/post-text.ts';
import { findPolicy } from '../../preferences/project-policy.ts';

/** Finds out whether new posts of a project can be edited, and whether the actor may change that. */
export async function findEditability(
  { context, actor, may }: Call,
  project: { id: string },
): Promise<Editability> {
  const key = { workspace: actor.workspace, project: project.id };
  const { leadMinutes } = await findPolicy(context.db, key);
  return { project, leadMinutes, mayChangePolicy: may('manager', project.id) };
}
