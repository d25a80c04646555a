import type { ModalView } from '@slack/types';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { buildDoneEntry, checkPermission, type Permission, type RoleHolders } from '../../access/access.ts';
import { findSendingStop } from '../../engine/sending-stop.ts';
import { findMembershipFault, readConversation, renderChannelFault } from '../../forms/conversation.ts';
import { namedRecord } from '../../forms/field.ts';
import type { FormAnswer } from '../../forms/form.ts';
import { deleteSealedValue, readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import { findGuests } from '../../handlers/guests.ts';
import type { FormTables } from '../../handlers/schema.ts';
import type { HeldPostTables } from '../../held-posts/held-post.ts';
import {
  countWaitingPosts,
  findPostsOnNewDays,
  makeChecksDue,
  makeHandOversDue,
  rescheduleHandOver,
} from '../../held-posts/policy-change.ts';
import { makeSeriesDue } from '../../held-posts/series/change-series.ts';
import {
  type Approver,
  changeAffects,
  changePolicy,
  describePolicyChanges,
  holdsPosts,
  keepsGuestsOut,
  MAX_ASKED_PEOPLE,
  type ProjectPolicy,
  projectPolicySchema,
  type ReviewStep,
} from '../../preferences/project-policy.ts';
import { within } from '../../promises.ts';
import { renderGuestFault, renderOutsiderNames } from '../../slack/audience.ts';
import { clipLine } from '../../slack/blocks.ts';
import {
  fetchDisplayName,
  fetchGroupMembers,
  type GroupMembers,
  UNREAD_GROUP_FAULTS,
} from '../../slack/fetch-people.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { repeatAfterDeadlock } from '../../store/locks.ts';
import { wakeWaitingRows } from '../../submissions/pause.ts';
import type { PolicyContent, PolicyContext, PolicyFields } from './policy-fields.ts';
import {
  buildNotSavedView,
  buildSavedView,
  CHOICE_BLOCK,
  CONFLICT,
  DECIDED_OR_OLD,
  needsOtherApprovals,
  renderBlackoutNotes,
  renderChangeNotes,
  renderHeldPostsQuestion,
  renderHeldPostsResult,
} from './policy-text.ts';

type Errors = Partial<Record<keyof PolicyFields, string>>;

/** A change of a policy that waits for a decision about the posts that Upnext keeps. */
const changeSchema = z.object({
  project: namedRecord,
  /** The policy when the form was opened. */
  expected: projectPolicySchema,
  policy: projectPolicySchema,
});
type PolicyChange = z.infer<typeof changeSchema>;
const STORED_KIND = 'policy-change.1';

/** Saves the policy from the form. If the project has posts that wait, the manager first decides what becomes of them. */
export async function savePolicyFromForm(
  call: SubmissionCall,
  { policy: chosenPolicy, isOverridden }: PolicyContent,
  { formContext: { project, storedPolicy: expected } }: { formContext: PolicyContext },
): Promise<FormAnswer<PolicyFields, PolicyContext>> {
  await call.permit('manager', project.id, 'policy set');
  if (isOverridden) await call.permit('owner', undefined, 'policy override');
  const [approverErrors, channelFault] = await Promise.all([
    chosenPolicy.review === 'off' ? undefined : findApproverErrors(call, project.id, chosenPolicy),
    findChannelFault(call, expected, chosenPolicy),
  ]);
  const channelError = channelFault ?? approverErrors?.channel;
  // An owner's override stays while the approvers stay the same.
  const keptOverride = changeAffects('approvals', expected, chosenPolicy)
    ? undefined
    : expected.ownerOverride;
  const ownerOverride = isOverridden ? call.actor.user : keptOverride;
  const isShort = chosenPolicy.review === 'required' && approverErrors?.shortages.some(Boolean);
  const errors: Errors = {
    ...(approverErrors && {
      ...(isShort && ownerOverride === undefined && listStepErrors(approverErrors.shortages)),
      ...listStepErrors(approverErrors.steps),
      ...(approverErrors.standIns !== undefined && { standIns: approverErrors.standIns }),
    }),
    ...(channelError !== undefined && { channel: channelError }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const policy = { ...chosenPolicy, ownerOverride: isShort ? ownerOverride : undefined };
  const change: PolicyChange = { project, expected, policy };
  const waiting = await countWaitingPosts(call.context.db, toKey(call, change), call.now());
  if (changeAffects('waiting-posts', expected, policy) && waiting.held + waiting.inReview > 0) {
    const id = await storeSealedValue(call, STORED_KIND, change);
    return { push: renderHeldPostsQuestion({ id, ...change, waiting }) };
  }
  if (!(await applyChange(call, change, 'keep'))) return { errors: { holding: CONFLICT } };
  return { view: await createSavedView(call, change, renderChangeNotes(change, waiting)) };
}

/** Lists the errors of steps by the fields of their people. */
function listStepErrors(errors: ApproverErrors['steps']): Errors {
  return Object.fromEntries(
    errors.flatMap((error, index) => (error === undefined ? [] : [[`people${index + 1}`, error]])),
  );
}

const CHANNEL_NOT_CHECKED = 'I couldn’t check this channel. Nothing was saved: try again in a minute.';

/** Finds why requests can't go to the channel (plain text). Requests show posts, so outsiders may not read them. */
async function findChannelFault(
  call: Call,
  expected: ProjectPolicy,
  policy: ProjectPolicy,
): Promise<string | undefined> {
  const { channel } = policy;
  if (channel === undefined) return undefined;
  const isChecked = channel === expected.channel && keepsGuestsOut(expected) === keepsGuestsOut(policy);
  if (isChecked) return undefined;
  const guestFault = keepsGuestsOut(policy) ? renderGuestFault(await findGuests(call, channel)) : undefined;
  if (guestFault !== undefined) return `${guestFault}. Choose another, or none.`;
  if (channel === expected.channel) return undefined;
  const conversation = await readConversation(call, channel);
  const fault = renderChannelFault(conversation);
  if (fault !== undefined) return fault;
  const { audience } = conversation;
  if (conversation.state !== 'fine' || !audience) return CHANNEL_NOT_CHECKED;
  if (audience.isShared)
    return `This channel is shared with ${renderOutsiderNames(audience)}. Choose one that only this workspace reads.`;
  return findMembershipFault(call, conversation, 'have requests sent there');
}

export async function saveAfterDecision(call: SubmissionCall): Promise<void> {
  const change = await readSealedValue(call, STORED_KIND, changeSchema, call.view.metadata);
  const decision = getChosenOption(call.view.values, CHOICE_BLOCK)?.value;
  const refuse = async (reason?: string) => {
    call.recordOutcome?.('unchanged', change?.project.id);
    await call.answer({ view: buildNotSavedView(reason) });
  };
  if (!change || decision === undefined) return refuse(DECIDED_OR_OLD);
  const { project, policy, expected } = change;
  await call.permit('manager', project.id, 'policy set');
  if (policy.ownerOverride === call.actor.user && policy.ownerOverride !== expected.ownerOverride)
    await call.permit('owner', undefined, 'policy override');
  const waiting = await countWaitingPosts(call.context.db, toKey(call, change), call.now());
  const result = await applyChange(call, change, decision === 'hand-over' ? 'hand-over' : 'keep', (trx) =>
    deleteSealedValue({ ...call, context: { db: trx } }, STORED_KIND, call.view.metadata),
  );
  if (!result) return refuse();
  const { handedOver = 0 } = result === 'same' ? {} : result;
  const isStopped = handedOver > 0 && Boolean(await findSendingStop(call.context.db, toKey(call, change)));
  const notes =
    result === 'same'
      ? []
      : [renderHeldPostsResult({ handedOver, isStopped }, change), ...renderChangeNotes(change, waiting)];
  const view = await createSavedView(call, change, notes);
  // The form stays open below, and closes with this view.
  await call.answer({ view: { ...view, clear_on_close: true } });
}

/**
 * Stores the policy, and keeps the waiting posts or makes them due. Changes nothing if the project has this policy
 * already. `endChange` runs in the same transaction, unless there is a conflict: a late copy of the decision must not
 * repeat a change that somebody has undone since. Resolves with undefined after a conflict.
 */
async function applyChange(
  call: Call,
  change: PolicyChange,
  decision: 'keep' | 'hand-over',
  endChange?: (trx: Transaction<HeldPostTables & FormTables>) => Promise<void>,
): Promise<{ handedOver: number } | 'same' | undefined> {
  const { context } = call;
  const { expected, policy, project } = change;
  const key = toKey(call, change);
  const heldPosts = context.heldPosts;
  let handedOver = 0;
  const changeAll = async (trx: Transaction<HeldPostTables & FormTables>) => {
    const changed = await changePolicy(trx, key, { expected, policy });
    if (changed !== 'conflict') await endChange?.(trx);
    if (changed !== 'changed') return changed;
    if (policy.leadMinutes !== undefined && policy.leadMinutes !== expected.leadMinutes)
      await rescheduleHandOver(heldPosts, trx, key, policy.leadMinutes);
    if (decision === 'hand-over') handedOver = await makeHandOversDue(heldPosts, trx, key);
    await makeChecksDue(heldPosts, trx, key);
    const isChanged = changeAffects('series-dates', expected, policy);
    const arePaused = !holdsPosts(policy) && holdsPosts(expected);
    // An approval may count for other posts of a series now.
    const isReviewedOtherwise = policy.seriesReview !== expected.seriesReview;
    if (isChanged || arePaused || isReviewedOtherwise)
      await makeSeriesDue({ ...heldPosts, db: trx }, { ...key, isChanged });
    if (needsOtherApprovals(change))
      await wakeWaitingRows(trx, { ...key, now: context.submissions.context.clock.readShared() });
    return changed;
  };
  const result = await repeatAfterDeadlock(() => context.db.transaction().execute(changeAll));
  if (result === 'conflict') return undefined;
  if (result === 'same') return 'same';
  heldPosts.verbs.wake();
  heldPosts.seriesVerbs.wake();
  context.submissions.context.verbs.wake();
  const { id } = project;
  const target = describePolicyChanges(expected, policy);
  context.record.enqueue(buildDoneEntry(call, { project: id, action: 'policy set', target }));
  if (policy.ownerOverride !== undefined && policy.ownerOverride !== expected.ownerOverride)
    context.record.enqueue(buildDoneEntry(call, { project: id, action: 'policy override' }));
  return { handedOver };
}

/** Says that the policy is saved, and which posts are on its new blackout days, because these stay there. */
async function createSavedView(
  call: SubmissionCall,
  change: PolicyChange,
  notes: readonly string[],
): Promise<ModalView> {
  const { project, policy, expected } = change;
  const known = new Set(expected.blackouts.map(({ from, to }) => `${from} ${to}`));
  const added = policy.blackouts.filter(({ from, to }) => !known.has(`${from} ${to}`));
  const days = { added, earlier: expected.blackouts };
  // The policy is saved, so that a failure here must not say otherwise.
  const finding = findPostsOnNewDays(call.context.heldPosts, toKey(call, change), days).catch((err) => {
    call.log.warn({ reference: call.reference, err }, 'could not count the posts on new blackout days');
    return undefined;
  });
  const found = await call.inTime(finding);
  return buildSavedView(project, policy, [...notes, ...renderBlackoutNotes(project, added, found)]);
}

function toKey({ actor }: Call, { project }: PolicyChange) {
  return { workspace: actor.workspace, project: project.id };
}

/** With two, somebody can approve every post, although nobody approves their own. */
const MIN_APPROVERS = 2;

/** Maximum people whose access is checked for one step. Our own limit: Slack waits three seconds. */
const MAX_CHECKED_PEOPLE = 60;

/** Errors about the approvers (plain text). Those about steps are by the index of the step. */
interface ApproverErrors {
  /** Approvers who don't exist or can't approve, or couldn't be checked. */
  steps: readonly (string | undefined)[];
  standIns?: string | undefined;
  /** Why a policy without a channel can't be saved. */
  channel?: string | undefined;
  /** Steps that fewer than two people can approve. */
  shortages: readonly (string | undefined)[];
}

const TOO_MANY = `At most ${MAX_ASKED_PEOPLE} people can all have to approve, and these are more. Choose fewer, or only one approval.`;
const NO_CHANNEL =
  'Everybody here can approve, and I can’t ask each of them. Choose a channel for the requests.';
const NOT_CHECKED = 'I couldn’t find out who of them can approve. Nothing was saved: try again in a minute.';

/** Finds approvers who can't approve, and steps that too few people can approve. Answers in time for Slack. */
async function findApproverErrors(
  call: Call,
  project: string,
  { reviewSteps, standIns, channel }: Pick<ProjectPolicy, 'reviewSteps' | 'standIns' | 'channel'>,
): Promise<ApproverErrors> {
  const check = new ApproverCheck(call, project);
  const errors = Promise.all([
    Promise.all(reviewSteps.map((step) => check.findStepError(step))),
    check.findPeopleError(standIns),
    Promise.all(reviewSteps.map((step) => check.findShortage(step, standIns))),
    channel === undefined && check.includesEverybody(reviewSteps),
  ]).then(([steps, standInsError, shortages, needsChannel]) => ({
    steps,
    standIns: standInsError,
    shortages,
    channel: needsChannel ? NO_CHANNEL : undefined,
  }));
  errors.catch(() => undefined);
  const result = await within(call.context.pace.acknowledgementTimeoutMs / 2, errors);
  return result ?? { steps: [NOT_CHECKED], shortages: [] };
}

/** The lookups of one check. Each group is looked up once. The grants are cached for a few seconds. */
class ApproverCheck {
  readonly #call: Call;
  readonly #project: string;
  readonly #groups = new Map<string, Promise<GroupMembers>>();

  constructor(call: Call, project: string) {
    this.#call = call;
    this.#project = project;
  }

  async findStepError({ approvers, needs }: ReviewStep): Promise<string | undefined> {
    const people = approvers.flatMap((approver) => (approver.kind === 'person' ? [approver.id] : []));
    const groups = approvers.flatMap((approver) => (approver.kind === 'group' ? [approver.id] : []));
    const errors = await Promise.all([
      this.findPeopleError(people),
      ...groups.map((group) => this.#findGroupError(group)),
      needs === 'all' ? this.#findCrowdError(approvers) : undefined,
    ]);
    return errors.find((error) => error !== undefined);
  }

  /** Whether everybody in the workspace may approve one of the steps. */
  async includesEverybody(steps: readonly ReviewStep[]): Promise<boolean> {
    return (await this.#listCandidates(steps.flatMap((step) => step.approvers))).includesEverybody;
  }

  /** Says that the approvers are too many to ask all of them, or that it isn't known. */
  async #findCrowdError(approvers: readonly Approver[]): Promise<string | undefined> {
    const { people, includesEverybody, isComplete } = await this.#listCandidates(approvers);
    if (people.length > MAX_ASKED_PEOPLE || includesEverybody) return TOO_MANY;
    return isComplete ? undefined : NOT_CHECKED;
  }

  /** Says that fewer than two people can approve a step, or that it isn't known. */
  async findShortage({ approvers }: ReviewStep, standIns: readonly string[]): Promise<string | undefined> {
    const { people, includesEverybody, isComplete } = await this.#listCandidates(approvers);
    if (includesEverybody) return undefined;
    const { count, isIncomplete } = await this.#countPermitted([...new Set([...people, ...standIns])]);
    if (count >= MIN_APPROVERS) return undefined;
    if (isIncomplete || !isComplete) return NOT_CHECKED;
    const countText = count === 0 ? 'Nobody' : 'Only one person';
    return `${countText} can approve here. A required review needs two, because nobody approves their own posts.`;
  }

  /** Returns why one of the people can't approve. */
  async findPeopleError(people: readonly string[]): Promise<string | undefined> {
    const permissions = await Promise.all(people.map((user) => this.#checkPerson(user)));
    const index = permissions.findIndex((permission) => permission === 'no' || permission === 'outsider');
    const user = people[index];
    if (user === undefined) return permissions.includes('unknown') ? NOT_CHECKED : undefined;
    const displayName = await fetchDisplayName(this.#call, user);
    const name = displayName === undefined ? 'One of them' : `@${clipLine(displayName)}`;
    return permissions[index] === 'outsider'
      ? `${name} isn’t a full member of this workspace, so they can’t approve.`
      : `${name} has no access to this project, so they can’t approve. Owners give roles with /upnext roles.`;
  }

  async #findGroupError(group: string): Promise<string | undefined> {
    const members = await this.#fetchMembers(group);
    if (typeof members === 'string') return UNREAD_GROUP_FAULTS[members];
    const { count, isIncomplete } = await this.#countPermitted(members);
    if (count > 0) return undefined;
    return isIncomplete ? NOT_CHECKED : 'Nobody in one of these user groups has access to this project.';
  }

  async #countPermitted(people: readonly string[]) {
    const checkedPeople = people.slice(0, MAX_CHECKED_PEOPLE);
    const permissions = await Promise.all(checkedPeople.map((user) => this.#checkPerson(user)));
    const count = permissions.filter((permission) => permission === 'yes').length;
    const isIncomplete = permissions.includes('unknown') || checkedPeople.length < people.length;
    return { count, isIncomplete };
  }

  async #checkPerson(user: string): Promise<Permission | 'outsider'> {
    const { context, actor, client } = this.#call;
    const access = await context.access.findAccess({ workspace: actor.workspace, user }, client, 'nothing');
    if (access.kind === 'outsider' && access.reason !== 'not-checked') return 'outsider';
    return checkPermission(access, 'viewer', this.#project);
  }

  #fetchMembers(group: string): Promise<GroupMembers> {
    const members = this.#groups.get(group) ?? fetchGroupMembers(this.#call, group);
    this.#groups.set(group, members);
    return members;
  }

  async #listCandidates(approvers: readonly Approver[]): Promise<Required<RoleHolders>> {
    const lists = await Promise.all(approvers.map((approver) => this.#listHolders(approver)));
    return {
      people: [...new Set(lists.flatMap(({ people }) => people))],
      includesEverybody: lists.some(({ includesEverybody }) => includesEverybody),
      isComplete: lists.every(({ isComplete }) => isComplete),
    };
  }

  async #listHolders(approver: Approver): Promise<RoleHolders> {
    if (approver.kind === 'person') return { people: [approver.id], isComplete: true };
    const { context, actor } = this.#call;
    if (approver.kind === 'role')
      return context.access.listRoleHolders(actor.workspace, approver.role, this.#project);
    const members = await this.#fetchMembers(approver.id);
    return typeof members === 'string'
      ? { people: [], isComplete: false }
      : { people: members, isComplete: true };
  }
}
