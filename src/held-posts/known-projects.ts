import { sql } from 'kysely';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import { isInconclusive, type Outcome } from '../api/outcome.ts';
import { nameById } from '../api/project-ids.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { mapLimited } from '../promises.ts';
import type { Actor } from '../slack/actor.ts';
import type { ReadFailure, ServiceFailure } from '../slack/service-failure.ts';
import { type HeldPostRow, PLANNED_STATES } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';

interface ProjectsCall {
  context: {
    api: ApiClient;
    reads: Pick<CachedReads, 'getLastProjects' | 'suggestLastProjects'>;
    heldPosts: HeldPostContext;
  };
  actor: Pick<Actor, 'workspace'>;
}

/** The service's projects, or those known while it doesn't answer. `failure`: why it has none, or didn't answer. */
type ReadableProjects =
  | { projects: Records<Project>; failure: ServiceFailure | undefined }
  | { projects: undefined; failure: ReadFailure };

/** Reads an outcome's projects. While the service doesn't answer: those listed last, or whose posts Upnext keeps. */
export async function readProjects(
  { context: { api, reads, heldPosts }, actor }: ProjectsCall,
  outcome: Outcome<Records<Project>>,
): Promise<ReadableProjects> {
  if (outcome.kind === 'done') {
    return outcome.data.isReadable
      ? { projects: outcome.data, failure: undefined }
      : { projects: undefined, failure: 'unreadable' };
  }
  if (isInconclusive(outcome) && !reads.getLastProjects(api))
    reads.suggestLastProjects(api, await listHeldProjects(heldPosts, actor.workspace));
  const projects = isInconclusive(outcome) ? reads.getLastProjects(api) : undefined;
  return { projects, failure: outcome };
}

/** Maximum projects that are found by their held posts. */
const MAX_PROJECTS = 100;

/**
 * Lists the projects of the present service that have held posts, with the names that the posts were written with. Goes from
 * project to project in an index, because a project may have any number of posts.
 */
async function listHeldProjects(context: HeldPostContext, workspace: string): Promise<Project[]> {
  const { rows } = await sql<
    Pick<HeldPostRow, 'id' | 'workspace' | 'project' | 'content'>
  >`with recursive place(project) as (
      (select project from held_post where workspace = ${workspace} order by project limit 1)
      union all
      select (select project from held_post where workspace = ${workspace} and project > place.project
        order by project limit 1)
      from place where place.project is not null
    )
    select post.* from (select project from place where project is not null limit ${MAX_PROJECTS}) place
    cross join lateral (
      select id, workspace, project, content from held_post
      where workspace = ${workspace} and project = place.project and state in (${sql.join(PLANNED_STATES)}) limit 1
    ) post`.execute(context.db);
  const projects = await mapLimited(rows, async (row) => {
    const { isElsewhere } = context.submissions.context;
    if (await isElsewhere(workspace, row.project).catch(() => true)) return [];
    const held = readHeldContent(context, row);
    const name = held && context.kind.getProject(held.content)?.name;
    return { ...nameById(row.project), ...(name !== undefined && { name }) };
  });
  return projects.flat();
}
