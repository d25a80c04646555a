import { randomUUID } from 'node:crypto';
import {
  type Access,
  type AuditAction,
  checkPermission,
  type Decision,
  type Freshness,
  findRole,
  getFreshness,
  includesRole,
  isAllowed,
  isRole,
  offerRequest,
  type RequiredRole,
  type Role,
} from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import type { Attempt } from '../../app/feature.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { filterButtons } from '../../slack/message-buttons.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { narrowContext } from './narrowed-context.ts';
import { renderOutsiderRefusal, renderRoleRefusal } from './refusal-messages.ts';
import { roles } from './roles.ts';

/** The part of a call that doesn't need a request. Used, for example, to refresh Home. */
type BackgroundCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;
/** The part of a feature that permission checks use. */
type Features = readonly (Catalogue[number] & {
  role(attempt: Attempt): RequiredRole;
  actions?: Readonly<Record<string, unknown>>;
})[];

interface Permission {
  /** Checks an attempt. Resolves with the call narrowed to what the actor may see, or throws NotAllowed. */
  permit(call: Call, feature: string, attempt: Attempt): Promise<Call>;
  /** Narrows a call without a request. Resolves with undefined if the actor isn't permitted. Records nothing. */
  narrow(call: BackgroundCall, needed: Role): Promise<BackgroundCall | undefined>;
}

/** Creates the permission check that every request goes through. */
export function createPermission(features: Features): Permission {
  const getOffer = createOfferLookup(features);
  return {
    async permit(call, name, attempt) {
      const feature = features.find((one) => one.name === name);
      if (!feature) throw new Error(`unknown feature "${name}"`);
      const needed = feature.role(attempt);
      const action = buildActionName(name, attempt);
      const freshness = name === roles.name ? 'everything' : getFreshness(needed);
      const access = await call.context.access.findAccess(call.actor, call.client, freshness);
      await requirePermission(call, access, { needed, action, canRequest: attempt.surface !== 'options' });
      if (shouldRecord(needed, attempt)) recordDecision(call, action, 'allowed');
      const openAttempt = { surface: 'open' } as const;
      const form = { needed: feature.role(openAttempt), action: buildActionName(name, openAttempt) };
      return narrowCall(getOffer, call, { access, freshness }, { needed, form });
    },
    async narrow(call, needed) {
      const access = await call.context.access.findAccess(call.actor, call.client, 'nothing');
      if (!isAllowed(access, needed)) return undefined;
      const { catalogue } = getOffer(access.kind === 'member' ? findRole(access) : undefined);
      return { ...call, catalogue, context: narrowContext(call.context, access, needed) };
    },
  };
}

/** Whether the audit record gets an attempt. Reading isn't recorded, to protect people's privacy. */
function shouldRecord(needed: RequiredRole, attempt: Attempt): boolean {
  if (!isRole(needed) || needed === 'viewer') return false;
  if (attempt.surface === 'action') return attempt.isButton === true;
  return attempt.surface !== 'options' && attempt.surface !== 'open' && attempt.surface !== 'event';
}

/** Builds an action name for the audit record, such as "schedule-post view schedule-post". Omits all typed text. */
function buildActionName(feature: string, attempt: Attempt): AuditAction {
  if (attempt.surface === 'open') return `${feature} open`;
  return `${feature} ${attempt.surface} ${attempt.surface === 'command' ? attempt.command : attempt.id}`;
}

function recordDecision(call: Call, action: AuditAction, decision: Decision, project?: string): void {
  const { context, actor, reference } = call;
  const entry = { workspace: actor.workspace, actor: actor.user, project, action, decision, reference };
  // Enqueued without waiting, because the decision doesn't depend on the audit record.
  context.record.enqueue(entry);
}

/** Throws NotAllowed if the permission check fails, and records the refusal. */
async function requirePermission(
  call: Call,
  access: Access,
  requirement: {
    needed: RequiredRole;
    action: AuditAction;
    project?: string | undefined;
    /** A sentence that precedes the refusal (mrkdwn). */
    because?: string | undefined;
    /** Whether a refusal may offer [Ask for access]. */
    canRequest: boolean;
  },
): Promise<void> {
  const { needed, action, project, because, canRequest } = requirement;
  const { reference } = call;
  const answer = checkPermission(access, needed, project);
  if (answer === 'yes') return;
  recordDecision(call, action, answer === 'unknown' ? 'not-checked' : 'refused', project);
  if (answer === 'unknown') throw new NotAllowed(buildPermissionUnknownMessage(reference));
  if (access.kind === 'outsider') throw new NotAllowed(renderOutsiderRefusal(access.reason, reference));
  const requestId = canRequest && isRole(needed) ? await storeRequest(call, needed, project) : undefined;
  const role = findRole(access, project);
  const isProjectRole = project !== undefined && role !== findRole(access);
  throw new NotAllowed(renderRoleRefusal({ needed, role, isProjectRole, requestId, because }));
}

/** Stores the request that [Ask for access] sends. Resolves with its opaque id, or undefined if there are too many. */
async function storeRequest(
  call: Call,
  role: Role,
  project: string | undefined,
): Promise<string | undefined> {
  const id = randomUUID();
  const { workspace, user: person } = call.actor;
  const request = { id, workspace, person, role, project: project ?? '', createdAt: call.now() };
  return offerRequest(call.context.db, request);
}

/** Levels of freshness in ascending order. Each level includes the levels before it. */
const FRESHNESS_LEVELS: readonly Freshness[] = ['nothing', 'grants', 'everything'];

function narrowCall(
  getOffer: OfferLookup,
  call: Call,
  { access, freshness }: { access: Access; freshness: Freshness },
  { needed, form }: { needed: RequiredRole; form: { needed: RequiredRole; action: AuditAction } },
): Call {
  const role = access.kind === 'member' ? findRole(access) : undefined;
  const { catalogue, mayPress } = getOffer(role);
  let latest = { access, freshness };
  /** Reuses the latest access of this request, unless the role needs a fresher one. */
  const readFreshAccess = async (wanted: Role): Promise<Access> => {
    const neededFreshness = getFreshness(wanted);
    if (FRESHNESS_LEVELS.indexOf(neededFreshness) > FRESHNESS_LEVELS.indexOf(latest.freshness))
      latest = {
        access: await call.context.access.findAccess(call.actor, call.client, neededFreshness),
        freshness: neededFreshness,
      };
    return latest.access;
  };
  return {
    ...call,
    context: narrowContext(call.context, access, isRole(needed) ? needed : 'viewer'),
    catalogue,
    may: (wanted, project) => isAllowed(access, wanted, project),
    async permit(wanted, project, action, because) {
      const wantedAccess = await readFreshAccess(wanted);
      await requirePermission(call, wantedAccess, {
        needed: wanted,
        action,
        project,
        because,
        canRequest: true,
      });
    },
    permitForm: (project) => requirePermission(call, access, { ...form, project, canRequest: true }),
    reply: (message, options) => call.reply(filterButtons(message, mayPress), options),
  };
}

/** Returns the commands and buttons that Upnext offers to people with this role. */
type OfferLookup = (role: Role | undefined) => {
  catalogue: Catalogue;
  mayPress(actionId: string): boolean;
};

function createOfferLookup(features: Features): OfferLookup {
  const offersByRole = new Map<Role | undefined, ReturnType<OfferLookup>>();
  const featuresByAction = new Map(
    features.flatMap((feature) => Object.keys(feature.actions ?? {}).map((id) => [id, feature] as const)),
  );
  return (role) => {
    const cachedOffer = offersByRole.get(role);
    if (cachedOffer) return cachedOffer;
    const catalogue = features.map((feature) => ({
      ...feature,
      commands: feature.commands.filter(({ name: command }) =>
        includesRole(role, feature.role({ surface: 'command', command, text: '' })),
      ),
    }));
    const mayPress = (id: string) => {
      const feature = featuresByAction.get(id);
      return !feature || includesRole(role, feature.role({ surface: 'action', id }));
    };
    const offer = { catalogue, mayPress };
    offersByRole.set(role, offer);
    return offer;
  };
}
