import { type Access, findWorkspaceRole, includesRole, isAllowed, type Role } from '../../access/access.ts';
import type { CachedReads } from '../../api/cached-reads.ts';
import type { Operation } from '../../api/client.ts';
import { mapDone } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { restrictClient } from '../../api/restrict-client.ts';
import type { AppContext } from '../../app/context.ts';

/** The least role for each call to the service. */
const NEEDED: Record<Operation, Role> = {
  listProjects: 'viewer',
  listPosts: 'viewer',
  getUpnextPost: 'viewer',
  listTemplates: 'viewer',
  getTemplate: 'viewer',
  createPost: 'contributor',
  createPrompt: 'contributor',
  listSources: 'manager',
  updateSource: 'manager',
  listLogs: 'manager',
  addNonPlatformUserToProject: 'owner',
  updateProjectUser: 'owner',
  deleteWebhook: 'owner',
  deleteFile: 'owner',
};

/** What a person sees while they do what needs this role: projects in which they have it, and nothing of others. */
export function narrowedContext(context: AppContext, access: Access, needed: Role): AppContext {
  if (access.kind === 'member' && findWorkspaceRole(access) === 'owner') return context;
  const sees = (project: string) => isAllowed(access, needed, project);
  const api = restrictClient(context.api, {
    sees,
    allows: (operation, project) =>
      project === undefined
        ? access.kind === 'member' && includesRole(findWorkspaceRole(access), NEEDED[operation])
        : sees(project) && isAllowed(access, NEEDED[operation], project),
  });
  const { submissions } = context;
  return {
    ...context,
    api,
    reads: narrowedReads(context, sees),
    submissions: {
      ...submissions,
      confirmedResults: async (kind, at) => (sees(at.project) ? submissions.confirmedResults(kind, at) : []),
    },
  };
}

/** The memory is shared by all: what is taken out of it is narrowed. */
function narrowedReads({ api, reads }: AppContext, sees: (project: string) => boolean): CachedReads {
  const notThere = { kind: 'refused', status: 404, requestId: '' } as const;
  const filterRecords = ({
    shape,
    items,
    isTruncated,
    unreadable,
    read,
  }: Records<Project>): Records<Project> => ({
    shape,
    isTruncated,
    read: read ?? items.length + unreadable,
    items: items.filter(({ id }) => sees(id)),
    unreadable: 0,
  });
  return {
    projects: async () => mapDone(await reads.projects(api), filterRecords),
    projectsNow: async () => mapDone(await reads.projectsNow(api), filterRecords),
    lastProjects() {
      const last = reads.lastProjects(api);
      return last && filterRecords(last);
    },
    templates: async (_api, project) => (sees(project) ? reads.templates(api, project) : notThere),
    sources: async (_api, project) => (sees(project) ? reads.sources(api, project) : notThere),
    drop: (_api, project) => reads.drop(api, project),
    bytes: reads.bytes,
  };
}
