import { checkPermission, type Permission, type RoleHolders } from '../../access/access.ts';
import type { Call } from '../../handlers/call.ts';
import {
  type Approver,
  MAX_ASKED_PEOPLE,
  type ProjectPolicy,
  type ReviewStep,
} from '../../preferences/project-policy.ts';
import { clip, sanitizeLine } from '../../slack/blocks.ts';
import { fetchDisplayName, fetchGroupMembers, type GroupMembers } from '../../slack/fetch-people.ts';
import { within } from '../../within.ts';

/** With two, somebody can approve every post, although nobody approves their own. */
const MIN_APPROVERS = 2;

/**
 * Maximum number of people whose access is checked for one step. Our own limit, so that the answer comes within Slack's
 * three seconds.
 */
const MAX_CHECKED_PEOPLE = 60;
const MAX_NAME_LENGTH = 60;

/** Errors about the approvers (plain text). Those about steps are by the index of the step. */
export interface ApproverErrors {
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
export async function findApproverErrors(
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

/** The lookups of one check. Each person and group is looked up once. */
class ApproverCheck {
  readonly #call: Call;
  readonly #project: string;
  readonly #permissions = new Map<string, Promise<Permission | 'outsider'>>();
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
    const approvers = steps.flatMap((step) => step.approvers);
    const lists = await Promise.all(approvers.map((approver) => this.#listCandidates(approver)));
    return lists.some(({ includesEverybody }) => includesEverybody);
  }

  /** Says that the approvers are too many to ask all of them, or that it isn't known. */
  async #findCrowdError(approvers: readonly Approver[]): Promise<string | undefined> {
    const lists = await Promise.all(approvers.map((approver) => this.#listCandidates(approver)));
    const people = new Set(lists.flatMap((list) => list.people));
    const isCrowd = people.size > MAX_ASKED_PEOPLE || lists.some((list) => list.includesEverybody);
    if (isCrowd) return TOO_MANY;
    return lists.every(({ isComplete }) => isComplete) ? undefined : NOT_CHECKED;
  }

  /** Says that fewer than two people can approve a step, or that it isn't known. */
  async findShortage({ approvers }: ReviewStep, standIns: readonly string[]): Promise<string | undefined> {
    const approverLists = await Promise.all(approvers.map((approver) => this.#listCandidates(approver)));
    if (approverLists.some(({ includesEverybody }) => includesEverybody)) return undefined;
    const people = new Set([...approverLists.flatMap((candidates) => candidates.people), ...standIns]);
    const { count, isIncomplete } = await this.#countPermitted([...people]);
    if (count >= MIN_APPROVERS) return undefined;
    if (isIncomplete || approverLists.some(({ isComplete }) => !isComplete)) return NOT_CHECKED;
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
    const name =
      displayName === undefined ? 'One of them' : `@${clip(sanitizeLine(displayName), MAX_NAME_LENGTH)}`;
    return permissions[index] === 'outsider'
      ? `${name} isn’t a full member of this workspace, so they can’t approve.`
      : `${name} has no access to this project, so they can’t approve. Owners give roles with /upnext roles.`;
  }

  async #findGroupError(group: string): Promise<string | undefined> {
    const members = await this.#fetchMembers(group);
    switch (members) {
      case 'deleted':
        return 'One of these user groups no longer exists.';
      case 'not-permitted':
        return 'I’m not allowed to read user groups here. Choose people instead.';
      case 'not-checked':
        return 'I couldn’t read one of these user groups in Slack. Nothing was saved: try again in a minute.';
      default: {
        const { count, isIncomplete } = await this.#countPermitted(members);
        if (count > 0) return undefined;
        return isIncomplete ? NOT_CHECKED : 'Nobody in one of these user groups has access to this project.';
      }
    }
  }

  async #countPermitted(people: readonly string[]) {
    const checkedPeople = people.slice(0, MAX_CHECKED_PEOPLE);
    const permissions = await Promise.all(checkedPeople.map((user) => this.#checkPerson(user)));
    const count = permissions.filter((permission) => permission === 'yes').length;
    const isIncomplete = permissions.includes('unknown') || checkedPeople.length < people.length;
    return { count, isIncomplete };
  }

  #checkPerson(user: string): Promise<Permission | 'outsider'> {
    const permission = this.#permissions.get(user) ?? this.#fetchPermission(user);
    this.#permissions.set(user, permission);
    return permission;
  }

  async #fetchPermission(user: string): Promise<Permission | 'outsider'> {
    const { context, actor, client } = this.#call;
    const access = await context.access.findAccess({ workspace: actor.workspace, user }, client, 'grants');
    if (access.kind === 'outsider' && access.reason !== 'not-checked') return 'outsider';
    return checkPermission(access, 'viewer', this.#project);
  }

  #fetchMembers(group: string): Promise<GroupMembers> {
    const members = this.#groups.get(group) ?? fetchGroupMembers(this.#call, group);
    this.#groups.set(group, members);
    return members;
  }

  async #listCandidates(approver: Approver): Promise<RoleHolders> {
    if (approver.kind === 'person') return { people: [approver.id], isComplete: true };
    if (approver.kind === 'group') return this.#listMembers(approver.id);
    const { context, actor } = this.#call;
    return context.access.listRoleHolders(actor.workspace, approver.role, this.#project);
  }

  async #listMembers(group: string): Promise<RoleHolders> {
    const members = await this.#fetchMembers(group);
    const isComplete = typeof members !== 'string';
    return { people: isComplete ? members : [], isComplete };
  }
}
