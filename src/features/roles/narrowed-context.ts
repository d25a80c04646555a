import {
  type Access,
  type AccessControl,
  type AccessRecord,
  isEnough,
  may,
  type Permission,
  type Role,
  roleEverywhere,
} from '../../access/access.ts';
import type { CachedReads } from '../../api/cached-reads.ts';
import type { Operation } from '../../api/client.ts';
import { mapDone } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { restrictClient } from '../../api/restrict-client.ts';
import type { AppContext } from '../../app/context.ts';
import type { MachineOptions, Sending } from '../../submissions/machine.ts';

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
  if (access.kind === 'member' && roleEverywhere(access) === 'owner') return context;
  const sees = (project: string) => may(access, needed, project);
  const api = restrictClient(context.api, {
    maySee: sees,
    mayCall: (operation, project) =>
      project === undefined
        ? access.kind === 'member' && isEnough(roleEverywhere(access), NEEDED[operation])
        : sees(project) && may(access, NEEDED[operation], project),
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
    unfilteredCount: read,
  }: Records<Project>): Records<Project> => ({
    shape,
    isTruncated,
    unfilteredCount: read ?? items.length + unreadable,
    items: items.filter(({ id }) => sees(id)),
    unreadable: 0,
  });
  return {
    listProjects: async () => mapDone(await reads.listProjects(api), filterRecords),
    fetchProjects: async () => mapDone(await reads.fetchProjects(api), filterRecords),
    getLastProjects() {
      const last = reads.getLastProjects(api);
      return last && filterRecords(last);
    },
    listTemplates: async (_api, project) => (sees(project) ? reads.listTemplates(api, project) : notThere),
    listSources: async (_api, project) => (sees(project) ? reads.listSources(api, project) : notThere),
    drop: (_api, project) => reads.drop(api, project),
    countBytes: reads.countBytes,
  };
}

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/** What is asked before the submission is claimed is recorded when it is sent; a check that keeps failing once. */
function isRecorded({ submission, isRecheck }: Sending, answer: Permission): boolean {
  return answer === 'unknown' ? !isRecheck : submission !== undefined;
}

/** Asked again when something is sent, which may be hours after it was allowed; and recorded. */
export function maySend(
  access: Pick<AccessControl, 'mayStill'>,
  record: Pick<AccessRecord, 'enqueue'>,
): MachineOptions['may'] {
  return async (actor, role, what) => {
    const answer = await access.mayStill(actor, role, what?.project);
    if (what && isRecorded(what, answer)) {
      const { kind, submission: target, project } = what;
      const decision = DECISIONS[answer];
      record.enqueue({
        workspace: actor.workspace,
        actor: actor.user,
        project,
        action: `send ${kind}`,
        target,
        decision,
      });
    }
    return answer;
  };
}
