import { randomUUID } from 'node:crypto';
import {
  type Access,
  type Decision,
  type Freshness,
  freshnessFor,
  isEnough,
  isRole,
  may,
  offerRequest,
  permissionOf,
  type RequiredRole,
  type Role,
  roleOf,
} from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import type { Attempt } from '../../app/feature.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { filterButtons } from '../../slack/message-buttons.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { narrowedContext } from './narrowed-context.ts';
import { outsiderMessage, roleMessage } from './refusal-messages.ts';
import { roles } from './roles.ts';

/** What is needed to look at something for a person. */
type Look = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;
/** What has to be known of each feature. */
type Features = readonly (Catalogue[number] & {
  role(attempt: Attempt): RequiredRole;
  actions?: Readonly<Record<string, unknown>>;
})[];

interface Permission {
  /** The call to go on with, narrowed to what the person may see for this. Throws NotAllowed. */
  permit(call: Call, feature: string, attempt: Attempt): Promise<Call>;
  /** The same for what nobody asked for: undefined where they may not, and nothing is recorded. */
  narrow(look: Look, needed: Role): Promise<Look | undefined>;
}

/** Who may do what, for every request: the one place that each of them goes through. */
export function createPermission(features: Features): Permission {
  const offers = offersOf(features);
  return {
    async permit(call, name, attempt) {
      const feature = features.find((one) => one.name === name);
      if (!feature) throw new Error(`no feature is called "${name}"`);
      const needed = feature.role(attempt);
      const what = actionName(name, attempt);
      const fresh = name === roles.name ? 'everything' : freshnessFor(needed);
      const access = await call.context.access.of(call.actor, call.client, fresh);
      await demand(call, access, { needed, what, canAsk: attempt.surface !== 'options' });
      if (isRecorded(needed, attempt)) note(call, what, 'allowed');
      const form = { needed: feature.role({ surface: 'open' }), what: actionName(name, { surface: 'open' }) };
      return narrowedCall(offers, call, { access, fresh }, { needed, form });
    },
    async narrow(look, needed) {
      const access = await look.context.access.of(look.actor, look.client, 'nothing');
      if (!may(access, needed)) return undefined;
      const { catalogue } = offers(access.kind === 'member' ? roleOf(access) : undefined);
      return { ...look, catalogue, context: narrowedContext(look.context, access, needed) };
    },
  };
}

/** What changes something; who only looked at something is nobody's business. */
function isRecorded(needed: RequiredRole, attempt: Attempt): boolean {
  if (!isRole(needed) || needed === 'viewer') return false;
  if (attempt.surface === 'action') return attempt.isButton === true;
  return attempt.surface !== 'options' && attempt.surface !== 'open' && attempt.surface !== 'event';
}

/** For the record: "schedule-post view schedule-post". Never what was typed. */
function actionName(feature: string, attempt: Attempt): string {
  if (attempt.surface === 'open') return `${feature} open`;
  return `${feature} ${attempt.surface} ${attempt.surface === 'command' ? attempt.command : attempt.id}`;
}

function note(call: Call, action: string, decision: Decision, project?: string): void {
  const { context, actor, reference } = call;
  // Nobody waits for it: what is decided is decided.
  context.record.enqueue({
    workspace: actor.workspace,
    actor: actor.user,
    project,
    action,
    decision,
    reference,
  });
}

async function demand(
  call: Call,
  access: Access,
  at: {
    needed: RequiredRole;
    what: string;
    project?: string | undefined;
    because?: string | undefined;
    canAsk: boolean;
  },
): Promise<void> {
  const { needed, what, project, canAsk } = at;
  const { reference } = call;
  const answer = permissionOf(access, needed, project);
  if (answer === 'yes') return;
  note(call, what, answer === 'unknown' ? 'not-checked' : 'refused', project);
  if (answer === 'unknown') throw new NotAllowed(buildPermissionUnknownMessage(reference));
  if (access.kind === 'outsider') throw new NotAllowed(outsiderMessage(access.reason, reference));
  const ask = canAsk && isRole(needed) ? await offer(call, needed, project) : undefined;
  const role = roleOf(access, project);
  const inProject = project !== undefined && role !== roleOf(access);
  throw new NotAllowed(roleMessage({ needed, role, inProject, ask, because: at.because }));
}

/** Keeps what [Ask for access] would ask for, behind an opaque id. */
async function offer(call: Call, role: Role, project: string | undefined): Promise<string | undefined> {
  const id = randomUUID();
  const { workspace, user: person } = call.actor;
  const request = { id, workspace, person, role, project: project ?? '', madeAt: call.now() };
  return offerRequest(call.context.db, request);
}

/** In order: each includes what stands before it. */
const FRESHNESS: readonly Freshness[] = ['nothing', 'grants', 'everything'];

function narrowedCall(
  offers: Offers,
  call: Call,
  { access, fresh }: { access: Access; fresh: Freshness },
  { needed, form }: { needed: RequiredRole; form: { needed: RequiredRole; what: string } },
): Call {
  const role = access.kind === 'member' ? roleOf(access) : undefined;
  const { catalogue, mayPress } = offers(role);
  let latest = { access, fresh };
  /** What was found out for this request holds until its end, but where this role takes fresher knowledge. */
  const accessFor = async (wanted: Role): Promise<Access> => {
    const needs = freshnessFor(wanted);
    if (FRESHNESS.indexOf(needs) > FRESHNESS.indexOf(latest.fresh))
      latest = { access: await call.context.access.of(call.actor, call.client, needs), fresh: needs };
    return latest.access;
  };
  return {
    ...call,
    context: narrowedContext(call.context, access, isRole(needed) ? needed : 'viewer'),
    catalogue,
    may: (wanted, project) => may(access, wanted, project),
    async permit(wanted, project, what, because) {
      await demand(call, await accessFor(wanted), { needed: wanted, what, project, because, canAsk: true });
    },
    permitForm: (project) => demand(call, access, { ...form, project, canAsk: true }),
    reply: (message, options) => call.reply(filterButtons(message, mayPress), options),
  };
}

/** What a person with this role is offered. */
type Offers = (role: Role | undefined) => {
  catalogue: Catalogue;
  mayPress(actionId: string): boolean;
};

function offersOf(features: Features): Offers {
  const known = new Map<Role | undefined, ReturnType<Offers>>();
  const ofAction = new Map(
    features.flatMap((feature) => Object.keys(feature.actions ?? {}).map((id) => [id, feature] as const)),
  );
  return (role) => {
    const before = known.get(role);
    if (before) return before;
    const catalogue = features.map((feature) => ({
      ...feature,
      commands: feature.commands.filter(({ name: command }) =>
        isEnough(role, feature.role({ surface: 'command', command, words: '' })),
      ),
    }));
    const mayPress = (id: string) => {
      const feature = ofAction.get(id);
      return !feature || isEnough(role, feature.role({ surface: 'action', id }));
    };
    const offered = { catalogue, mayPress };
    known.set(role, offered);
    return offered;
  };
}
