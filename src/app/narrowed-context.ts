import {
  type Access,
  type AccessControl,
  type AuditEntry,
  type AuditRecord,
  checkPermission,
  type Decision,
  findWorkspaceRole,
  includesRole,
  isAllowed,
  type Permission,
  type RequiredRole,
  type Role,
} from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient, Operation } from '../api/client.ts';
import { mapDone, type Outcome } from '../api/outcome.ts';
import { findProjectId } from '../api/project-ids.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { AppContext } from '../handlers/call.ts';
import type { Feature, RequestedAction } from '../handlers/feature.ts';
import type { Actor } from '../slack/actor.ts';
import type { Catalogue } from '../slack/catalogue.ts';
import type {
  AllowedSubmission,
  PermissionSubject,
  SubmissionOptions,
} from '../submissions/submission-context.ts';

/** The lowest role that may call each operation of the scheduling service. */
const REQUIRED_ROLES: Record<Operation, Role> = {
  // The others see a part of the projects, which `reads` lists.
  listProjects: 'owner',
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

export function narrowContext(context: AppContext, access: Access, requiredRole: Role): AppContext {
  if (access.kind === 'member' && findWorkspaceRole(access) === 'owner') return context;
  const maySee = (project: string) => isAllowed(access, requiredRole, project);
  const api = restrictClient(context.api, (operation, project) =>
    project === undefined
      ? access.kind === 'member' && includesRole(findWorkspaceRole(access), REQUIRED_ROLES[operation])
      : maySee(project) && isAllowed(access, REQUIRED_ROLES[operation], project),
  );
  const { submissions } = context;
  return {
    ...context,
    api,
    reads: narrowReads(context, (project) => checkPermission(access, requiredRole, project)),
    submissions: {
      ...submissions,
      listConfirmed: async (kind, query) =>
        maySee(query.project) ? submissions.listConfirmed(kind, query) : [],
    },
  };
}

/**
 * Filters the cached results for the actor, because all people share the cache. A project whose check has failed counts
 * as unread: it may be one of theirs, so no other one is their only project.
 */
function narrowReads({ api, reads }: AppContext, check: (project: string) => Permission): CachedReads {
  const notFound = { kind: 'refused', status: 404, requestId: '' } as const;
  const maySee = (project: string) => check(project) === 'yes';
  const filterRecords = (records: Records<Project>): Records<Project> => {
    const uncheckedCount = records.items.filter(({ id }) => check(id) === 'unknown').length;
    return {
      ...records,
      unfilteredCount: records.unfilteredCount ?? records.items.length + records.unreadableCount,
      unreadableCount: records.unreadableCount + uncheckedCount,
      isTruncated: records.isTruncated || uncheckedCount > 0,
      items: records.items.filter(({ id }) => maySee(id)),
    };
  };
  /** Makes a read end as not found if it is about a project that the actor may not see. */
  const guard =
    <Parameters extends readonly unknown[], Data>(
      read: (api: ApiClient, project: string, ...rest: Parameters) => Promise<Outcome<Data>>,
    ) =>
    async (_api: ApiClient, project: string, ...rest: Parameters): Promise<Outcome<Data>> =>
      maySee(project) ? read(api, project, ...rest) : notFound;
  return {
    listProjects: async () => mapDone(await reads.listProjects(api), filterRecords),
    fetchProjects: async () => mapDone(await reads.fetchProjects(api), filterRecords),
    getLastProjects() {
      const projects = reads.getLastProjects(api);
      return projects && filterRecords(projects);
    },
    suggestLastProjects: (_api, projects) => reads.suggestLastProjects(api, projects),
    listTemplates: guard(reads.listTemplates),
    listSources: guard(reads.listSources),
    listPlannedTimes: guard(reads.listPlannedTimes),
    posts: {
      ...reads.posts,
      listWeek: guard(reads.posts.listWeek),
      listRange: guard(reads.posts.listRange),
      listDrafts: guard(reads.posts.listDrafts),
      getNext: guard(reads.posts.getNext),
      listAt: guard(reads.posts.listAt),
      drop: (_api, project) => reads.posts.drop(api, project),
      dropIfOlder: (_api, project, time) => reads.posts.dropIfOlder(api, project, time),
    },
    dropPosts: (_api, project) => reads.dropPosts(api, project),
    drop: (_api, project) => reads.drop(api, project),
    countBytes: reads.countBytes,
  };
}

const DECISIONS = { yes: 'allowed', no: 'refused', unknown: 'not-checked' } as const;

/**
 * Whether the audit log gets the answer of a check. 'yes' and 'no' are recorded only when a submission is sent. An answer
 * that is known from the check before isn't recorded again: during an outage of the service there are hundreds of checks a
 * day.
 */
function shouldRecordSendCheck(
  { submission, earlierAnswer, isRecorded = true }: PermissionSubject,
  answer: Permission,
): boolean {
  return isRecorded && answer !== earlierAnswer && (answer === 'unknown' || submission !== undefined);
}

/** Creates the recorded permission check before a submission is sent, which may be hours after the request. */
export function createSendCheck(
  accessControl: Pick<AccessControl, 'recheckPermission'>,
  record: Pick<AuditRecord, 'enqueue' | 'prepare'>,
): Required<Pick<SubmissionOptions, 'checkPermission' | 'recordAllowed' | 'prepareAllowed'>> {
  const createEntry = (
    { workspace, user }: Actor,
    { project, kind, submission }: PermissionSubject,
    decision: Decision,
  ): AuditEntry => ({
    ...{ workspace, actor: user, project, decision },
    ...{ action: `send ${kind}`, target: submission },
  });
  const createAllowedEntry = ({ id, workspace, author, project, kind }: AllowedSubmission) =>
    createEntry(
      { workspace, user: author },
      { project: project ?? undefined, kind, submission: id },
      'allowed',
    );
  return {
    async checkPermission(actor, role, subject) {
      const answer = await accessControl.recheckPermission(actor, role, subject?.project, {
        isInRequest: subject?.isInRequest,
      });
      if (subject && shouldRecordSendCheck(subject, answer))
        record.enqueue(createEntry(actor, subject, DECISIONS[answer]));
      return answer;
    },
    recordAllowed: (submission) => record.enqueue(createAllowedEntry(submission)),
    prepareAllowed: (submission) => record.prepare(createAllowedEntry(submission)),
  };
}

/** Returns the commands and buttons that people with this role may use. */
export type PermittedLookup = (role: Role | undefined) => {
  catalogue: Catalogue;
  mayPress(actionId: string): boolean;
};

export function createPermittedLookup(features: readonly Feature[]): PermittedLookup {
  const permittedByRole = new Map<Role | undefined, ReturnType<PermittedLookup>>();
  const featuresByAction = new Map(
    features.flatMap((feature) => Object.keys(feature.actions ?? {}).map((id) => [id, feature] as const)),
  );
  return (role) => {
    const cached = permittedByRole.get(role);
    if (cached) return cached;
    const catalogue = features.map((feature) => ({
      ...feature,
      commands: feature.commands.filter(({ name: command }) =>
        includesRole(role, getRequiredRole(feature, { surface: 'command', command, text: '' })),
      ),
    }));
    const mayPress = (id: string) => {
      const feature = featuresByAction.get(id);
      return !feature || includesRole(role, getRequiredRole(feature, { surface: 'action', id }));
    };
    const permitted = { catalogue, mayPress };
    permittedByRole.set(role, permitted);
    return permitted;
  };
}

/**
 * Returns a client with the permissions of one person. A call for which `mayCall` returns false ends as 404. `project`
 * is undefined for a call that isn't about a project.
 */
export function restrictClient(
  client: ApiClient,
  mayCall: (operation: Operation, project: string | undefined) => boolean,
): ApiClient {
  return {
    ...client,
    call: (operation, send) =>
      client.call(operation, (http, requestOptions) =>
        send(http, {
          ...requestOptions,
          fetch: async (request) =>
            mayCall(operation, findProjectId(request))
              ? requestOptions.fetch(request)
              : new Response(null, { status: 404 }),
        }),
      ),
  };
}

/** The lowest role that may send the request. */
export function getRequiredRole(feature: Feature, requested: RequestedAction): RequiredRole {
  const role = findRequestedHandler(feature, requested)?.role ?? feature.role;
  return typeof role === 'function' ? role({ text: '', values: {}, ...requested }) : role;
}

/** The role that a refusal names and offers to request. Undefined if it is the required role. */
export function findRoleToRequest(feature: Feature, requested: RequestedAction): Role | undefined {
  const role = findRequestedHandler(feature, requested)?.roleToRequest;
  return typeof role === 'function' ? role({ text: '', values: {}, ...requested }) : role;
}

function findRequestedHandler(feature: Feature, requested: RequestedAction) {
  switch (requested.surface) {
    case 'command':
      return feature.commands.find(({ name }) => name === requested.command);
    case 'open':
      return feature.open;
    case 'view':
      return feature.views?.[requested.id];
    case 'action':
      return feature.actions?.[requested.id];
    case 'options':
      return feature.options?.[requested.id];
    case 'shortcut':
      return feature.shortcuts?.[requested.id];
    case 'event':
      return feature.events?.[requested.id];
  }
}
