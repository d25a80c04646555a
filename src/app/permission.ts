import {
  type Access,
  type AuditAction,
  type AuditEntry,
  checkPermission,
  type Decision,
  type Deed,
  type Freshness,
  findRole,
  getFreshness,
  includesRole,
  isAllowed,
  isRole,
  listPendingRequests,
  type PendingRequest,
  type RequiredRole,
  type Role,
} from '../access/access.ts';
import { isListedDeed } from '../features/audit/audit.ts';
import { findRequestDeed } from '../features/audit/audit-sentence.ts';
import { DIGEST_GONE } from '../features/digests/digest-messages.ts';
import { IMPORT_GONE, REPLACED } from '../features/import-posts/check-table.ts';
import { MIN_REPEAT_INTERVAL_MS } from '../features/roles/ask-for-access.ts';
import { renderOutsiderRefusal, renderRoleRefusal } from '../features/roles/role-text.ts';
import { roles } from '../features/roles/roles.ts';
import { NOT_VISIBLE } from '../features/series/series.ts';
import type { Call } from '../handlers/call.ts';
import type { Feature, RequestedAction } from '../handlers/feature.ts';
import { BUTTON_UNAVAILABLE, filterButtons, type Message } from '../slack/message.ts';
import { NotAllowed, PermissionUnknown } from '../slack/not-allowed.ts';
import {
  createPermittedLookup,
  findRoleToRequest,
  getRequiredRole,
  narrowContext,
  type PermittedLookup,
} from './narrowed-context.ts';

/** The part of a call that is available without a request, for example when the app refreshes Home. */
type BackgroundCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export function createPermissionCheck(features: readonly Feature[]) {
  const getPermitted = createPermittedLookup(features);
  return {
    /** Checks the action. Resolves with a call that shows only what the actor may see, or throws NotAllowed. */
    async permit(call: Call, name: string, requested: RequestedAction): Promise<Call> {
      const feature = features.find((candidate) => candidate.name === name);
      if (!feature) throw new Error(`unknown feature "${name}"`);
      const requiredRole = getRequiredRole(feature, requested);
      const action = buildActionName(name, requested);
      const freshness = name === roles.name ? 'everything' : getFreshness(requiredRole);
      const access = await call.context.access.findAccess(call.actor, call.client, freshness);
      await requirePermission(call, access, {
        requiredRole,
        requestedRole: findRoleToRequest(feature, requested),
        action,
        canRequest: requested.surface !== 'options',
      });
      const deed = findRequestDeed(call.context.deeds, action);
      const entry = shouldRecordAllowedAction(deed, requiredRole, requested)
        ? call.context.record.prepare(createEntry(call, action, 'allowed'))
        : undefined;
      const isStoredByHandler = requested.surface === 'view' && requested.storesEntry === true;
      if (!isStoredByHandler) entry?.enqueue();
      const openAction = { surface: 'open' } as const;
      const formRequirement = {
        requiredRole: getRequiredRole(feature, openAction),
        requestedRole: findRoleToRequest(feature, openAction),
        action: buildActionName(name, openAction),
      };
      const narrowedCall = narrowCall(
        getPermitted,
        call,
        { access, freshness },
        { requiredRole, formRequirement },
      );
      return {
        ...narrowedCall,
        ...(isStoredByHandler && entry && { entry }),
        ...(entry && createOutcomeRecorder(narrowedCall, action)),
      };
    },
    /**
     * Narrows a call that has no request, and records nothing. `refusal`: what to show if the actor lacks the role.
     * Undefined if that couldn't be found out.
     */
    async narrow(
      call: BackgroundCall,
      requiredRole: Role,
    ): Promise<(BackgroundCall & Pick<Call, 'may' | 'lacks'>) | { refusal: Message } | undefined> {
      const access = await call.context.access.findAccess(call.actor, call.client, 'nothing');
      const answer = checkPermission(access, requiredRole);
      if (answer === 'unknown') return undefined;
      if (answer === 'no') return { refusal: renderHomeRefusal(access, requiredRole, call.reference) };
      const { catalogue } = getPermitted(findOfferedRole(access));
      const context = narrowContext(call.context, access, requiredRole);
      return { ...call, catalogue, context, ...createRoleChecks(access) };
    },
  };
}

/**
 * Whether the audit log gets an allowed action. Whatever changes or publishes something, or takes data out, is recorded for
 * everybody. What Viewers read isn't, to protect people's privacy. What a select menu changes has entries of its own.
 */
function shouldRecordAllowedAction(
  deed: Deed | undefined,
  requiredRole: RequiredRole,
  requested: RequestedAction,
): boolean {
  const { surface } = requested;
  if (surface === 'options' || surface === 'open' || surface === 'event') return false;
  if (surface === 'action' && requested.isButton !== true) return false;
  return isListedDeed(deed) || (isRole(requiredRole) && requiredRole !== 'viewer');
}

/** Builds an action name for the audit log, such as "schedule-post view schedule-post". Omits all typed text. */
function buildActionName(featureName: string, requested: RequestedAction): AuditAction {
  if (requested.surface === 'open') return `${featureName} open`;
  return `${featureName} ${requested.surface} ${requested.surface === 'command' ? requested.command : requested.id}`;
}

/** Answers to presses on something that is gone, or that isn’t the person’s. Compared by identity, not by text. */
const NOTHING_DONE: readonly Message[] = [
  BUTTON_UNAVAILABLE,
  DIGEST_GONE,
  IMPORT_GONE,
  NOT_VISIBLE,
  REPLACED,
];

/** Creates `Call.recordOutcome`. Only the first outcome counts, because the answer to a press may fail after it. */
function createOutcomeRecorder(call: Call, action: AuditAction): Partial<Call> {
  if (!isListedDeed(findRequestDeed(call.context.deeds, action))) return {};
  let isRecorded = false;
  const recordOutcome: Call['recordOutcome'] = (outcome, project) => {
    if (!isRecorded) call.context.record.enqueue(createEntry(call, action, outcome, project));
    isRecorded = true;
  };
  return {
    recordOutcome,
    reply(message, options) {
      if (NOTHING_DONE.includes(message)) recordOutcome('unchanged');
      return call.reply(message, options);
    },
  };
}

function createEntry(
  { actor, reference }: Call,
  action: AuditAction,
  decision: Decision,
  project?: string,
): AuditEntry {
  return { workspace: actor.workspace, actor: actor.user, project, action, decision, reference };
}

/** Renders what somebody without a role reads in Home. */
function renderHomeRefusal(access: Access, role: Role, reference: string): Message {
  if (access.kind === 'outsider') return renderOutsiderRefusal(access.reason, reference);
  const request = { requested: { role, project: '' }, pendingRequest: undefined };
  return renderRoleRefusal({
    ...{ role, smallestRole: undefined, scope: 'home', introduction: undefined, ...request },
  });
}

/** The actions with which people without a role begin. Their refusals say more than the missing role. */
const SCOPES_OF_ACTIONS: Readonly<Partial<Record<AuditAction, 'home' | 'help'>>> = {
  'home event app_home_opened': 'home',
  'help command help': 'help',
  'up-next command next': 'help',
};

/** Throws NotAllowed if the permission check fails, and records the refusal. */
async function requirePermission(
  call: Call,
  access: Access,
  requirement: {
    requiredRole: RequiredRole;
    /** The role that a refusal asks for. Defaults to the required role. */
    requestedRole?: Role | undefined;
    action: AuditAction;
    project?: string | undefined;
    /** A sentence before the refusal (mrkdwn). */
    introduction?: string | undefined;
    /** Whether a refusal may offer [Request access]. */
    canRequest: boolean;
  },
): Promise<void> {
  const { requiredRole, requestedRole, action, project, introduction, canRequest } = requirement;
  const answer = checkPermission(access, requiredRole, project);
  if (answer === 'yes') return;
  const decision = answer === 'unknown' ? 'not-checked' : 'refused';
  // Enqueued without waiting, because the decision doesn't depend on the audit log.
  call.context.record.enqueue(createEntry(call, action, decision, project));
  if (answer === 'unknown') throw new PermissionUnknown(call.reference);
  if (access.kind === 'outsider') throw new NotAllowed(renderOutsiderRefusal(access.reason, call.reference));
  // A full member fulfils `member`, so a role is missing.
  const role = requestedRole ?? (isRole(requiredRole) ? requiredRole : 'viewer');
  const pendingRequest = canRequest ? await findPendingRequest(call, role, project) : undefined;
  // A request that has been waiting for long may be sent again.
  const maxRequestedAt = call.now().getTime() - MIN_REPEAT_INTERVAL_MS;
  const isWaiting = pendingRequest !== undefined && pendingRequest.requestedAt.getTime() > maxRequestedAt;
  const isForProject = project !== undefined && findRole(access, project) !== findRole(access);
  const scope = SCOPES_OF_ACTIONS[action] ?? (isForProject ? 'project' : 'request');
  const smallestRole = isRole(requiredRole) && requiredRole !== role ? requiredRole : undefined;
  const requested = canRequest && !isWaiting ? { role, project: project ?? '' } : undefined;
  throw new NotAllowed(
    renderRoleRefusal({ role, smallestRole, scope, requested, pendingRequest, introduction }),
  );
}

/** Finds the actor's newest pending request for this role or a higher one, in the project or the whole workspace. */
async function findPendingRequest(call: Call, role: Role, project = ''): Promise<PendingRequest | undefined> {
  const { workspace, user: person } = call.actor;
  const requests = await listPendingRequests(call.context.db, { workspace, person, now: call.now() });
  return requests.find(
    (request) => includesRole(request.role, role) && ['', project].includes(request.project),
  );
}

/**
 * The role whose commands and buttons a person is offered. If roles may be missing, everything is offered, because each
 * command and each press is checked again, and the answer then says that the check failed.
 */
export function findOfferedRole(access: Access): Role | undefined {
  if (access.kind !== 'member') return undefined;
  return access.isIncomplete ? 'owner' : findRole(access);
}

/** Levels of freshness in ascending order. Each level includes the levels before it. */
const FRESHNESS_LEVELS: readonly Freshness[] = ['nothing', 'grants', 'everything'];

function createRoleChecks(access: Access): Pick<Call, 'may' | 'lacks'> {
  return {
    may: (minRole, project) => isAllowed(access, minRole, project),
    lacks: (minRole, project) => checkPermission(access, minRole, project) === 'no',
  };
}

/** Narrows a call to the data that the actor may see. `formRequirement`: the requirement for opening the form. */
function narrowCall(
  getPermitted: PermittedLookup,
  call: Call,
  { access, freshness }: { access: Access; freshness: Freshness },
  requirements: {
    requiredRole: RequiredRole;
    formRequirement: { requiredRole: RequiredRole; requestedRole: Role | undefined; action: AuditAction };
  },
): Call {
  const { requiredRole, formRequirement } = requirements;
  const { catalogue, mayPress } = getPermitted(findOfferedRole(access));
  let latestCheck = { access, freshness };
  /** Reuses the latest access of this request, unless the role needs a fresher one. */
  const readFreshAccess = async (minRole: Role): Promise<Access> => {
    const requiredFreshness = getFreshness(minRole);
    if (FRESHNESS_LEVELS.indexOf(requiredFreshness) > FRESHNESS_LEVELS.indexOf(latestCheck.freshness))
      latestCheck = {
        access: await call.context.access.findAccess(call.actor, call.client, requiredFreshness),
        freshness: requiredFreshness,
      };
    return latestCheck.access;
  };
  return {
    ...call,
    context: narrowContext(call.context, access, isRole(requiredRole) ? requiredRole : 'viewer'),
    catalogue,
    ...createRoleChecks(access),
    async permit(minRole, project, action, introduction) {
      const freshAccess = await readFreshAccess(minRole);
      await requirePermission(call, freshAccess, {
        requiredRole: minRole,
        action,
        project,
        introduction,
        canRequest: true,
      });
    },
    requireFormPermission: (project) =>
      requirePermission(call, access, { ...formRequirement, project, canRequest: true }),
    reply: (message, options) => call.reply(filterButtons(message, mayPress), options),
  };
}
