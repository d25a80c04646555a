import { checkPermission, type Permission, type RoleHolders } from '../../access/access.ts';
import type { Call } from '../../handlers/call.ts';
import {
  type Approver,
  MAX_ASKED_PEOPLE,
  type ProjectPolicy,
  type ReviewStep,
} from '../../preferences/project-policy.ts';
import { within } from '../../promises.ts';
import { clipLine } from '../../slack/blocks.ts';
import {
  fetchDisplayName,
  fetchGroupMembers,
  type GroupMembers,
  UNREAD_GROUP_FAULTS,
} from '../../slack/fetch-people.ts';
import { OVERRIDE_NAME, SAME_PERSON_NAME } from './policy-fields.ts';

/** With two, somebody can approve every post, although nobody approves their own. */
const MIN_APPROVERS = 2;

/** Maximum people whose access is checked for one step. Our own limit: Slack waits three seconds. */
const MAX_CHECKED_PEOPLE = 60;

/** Errors about the approvers (plain text). Those about steps are by the index of the step. */
export interface ApproverErrors {
  /** Approvers who don't exist or can't approve, or couldn't be checked. */
  steps: readonly (string | undefined)[];
  standIns?: string | undefined;
  /** Why a policy without a channel can't be saved. */
  channel?: string | undefined;
  /** Steps that fewer than two people can approve. */
  shortages: readonly (string | undefined)[];
  /** Steps that nobody can be left to approve, because each needs other people. An Owner's override doesn't help there. */
  deadEnds: readonly (string | undefined)[];
}

const TOO_MANY = `At most ${MAX_ASKED_PEOPLE} people can all have to approve, and these are more. Choose fewer, or only one approval.`;
const NO_CHANNEL =
  'Everybody here can approve, and I can’t ask each of them. Choose a channel for the requests.';
const NOT_CHECKED = 'I couldn’t find out who of them can approve. Nothing was saved: try again in a minute.';

/** Finds approvers who can't approve, and steps that too few people can approve. Answers in time for Slack. */
export async function findApproverErrors(
  call: Call,
  project: string,
  policy: ProjectPolicy,
): Promise<ApproverErrors> {
  const { reviewSteps, standIns, channel } = policy;
  const check = new ApproverCheck(call, project);
  const errors = Promise.all([
    Promise.all(reviewSteps.map((step) => check.findStepError(step))),
    check.findPeopleError(standIns),
    check.findShortages(policy),
    channel === undefined && check.includesEverybody(reviewSteps),
  ]).then(([steps, standInsError, shortages, needsChannel]) => ({
    steps,
    standIns: standInsError,
    ...shortages,
    channel: needsChannel ? NO_CHANNEL : undefined,
  }));
  errors.catch(() => undefined);
  const result = await within(call.context.pace.acknowledgementTimeoutMs / 2, errors);
  return result ?? { steps: [NOT_CHECKED], shortages: [], deadEnds: [] };
}

/** What is wrong with the number of people who can approve a step; plain text. `deadEnd`: nobody can be left. */
interface Shortage {
  shortage?: string;
  deadEnd?: string;
}

/** Says that too few people are left who haven't approved an earlier step. */
function describeLeft(left: number): string {
  const who = left < 1 ? 'nobody' : 'only one person';
  return `Each step needs somebody else, and ${who} may be left for this one. Add somebody, or tick “${SAME_PERSON_NAME}”.`;
}

/** The people who can approve a step. */
interface StepPeople {
  /** The approvers who all have to approve; stand-ins may, instead of some of them. */
  required: readonly string[] | 'any';
  /** The approvers and stand-ins. */
  permitted: readonly string[];
  includesEverybody: boolean;
  /** Whether there may be more people. */
  isUnsure: boolean;
}

/**
 * Counts the people who are left for a step if as many of them as possible have approved the earlier ones. Each of them
 * counts once. `isDeadEnd`: nobody can be left, whoever approves the earlier steps.
 */
export function countLeft(
  { permitted }: StepPeople,
  earlierSteps: readonly StepPeople[],
): { left: number; isDeadEnd: boolean } {
  /** The people without whom the earlier steps can't be approved. */
  const certain = new Set<string>();
  const isOpen = (user: string) => !certain.has(user);
  const choices = earlierSteps.map((step) => {
    const candidates = step.permitted.filter(isOpen);
    const count = step.required === 'any' ? 1 : step.required.filter(isOpen).length;
    const needsEach = count >= candidates.length && !step.includesEverybody && !step.isUnsure;
    for (const user of needsEach ? candidates : []) certain.add(user);
    return { ...step, count };
  });
  const others = permitted.filter(isOpen);
  const chosen = choices.map(({ count, includesEverybody, permitted: candidates }) => {
    const shared = includesEverybody ? others : others.filter((user) => candidates.includes(user));
    return Math.min(count, shared.length);
  });
  return {
    left: others.length - chosen.reduce((sum, count) => sum + count, 0),
    isDeadEnd: permitted.length > 0 && others.length === 0,
  };
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

  /**
   * Says which steps fewer than two people can approve, or nobody, or that it isn't known. Unless a policy says otherwise,
   * those who approved an earlier step can't.
   */
  async findShortages({
    reviewSteps,
    standIns,
    stepPeople,
  }: ProjectPolicy): Promise<Pick<ApproverErrors, 'shortages' | 'deadEnds'>> {
    const steps = await Promise.all(
      reviewSteps.map(async ({ approvers, needs }): Promise<StepPeople> => {
        const { people, includesEverybody, isComplete } = await this.#listCandidates(approvers);
        const listed = [...new Set([...people, ...standIns])];
        const { permitted, isIncomplete } = await this.#findPermitted(includesEverybody ? [] : listed);
        const required = needs === 'all' ? permitted.filter((user) => people.includes(user)) : 'any';
        return { required, permitted, includesEverybody, isUnsure: isIncomplete || !isComplete };
      }),
    );
    const found = steps.map((step, index): Shortage => {
      const { length: count } = step.permitted;
      const { left, isDeadEnd } = countLeft(step, stepPeople === 'any' ? [] : steps.slice(0, index));
      if (step.includesEverybody || left >= MIN_APPROVERS) return {};
      if (step.isUnsure) return { shortage: NOT_CHECKED };
      const shortage = count < MIN_APPROVERS ? this.#describeShortage(count) : describeLeft(left);
      return { shortage, ...(isDeadEnd && { deadEnd: describeLeft(left) }) };
    });
    return {
      shortages: found.map(({ shortage }) => shortage),
      deadEnds: found.map(({ deadEnd }) => deadEnd),
    };
  }

  #describeShortage(count: number): string {
    const countText = count === 0 ? 'Nobody' : 'Only one person';
    const override = this.#call.may('owner') ? `, or tick “${OVERRIDE_NAME}”` : '';
    return `${countText} can approve here, and nobody approves their own posts. Add somebody${override}.`;
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
    const { permitted, isIncomplete } = await this.#findPermitted(members);
    if (permitted.length > 0) return undefined;
    return isIncomplete ? NOT_CHECKED : 'Nobody in one of these user groups has access to this project.';
  }

  async #findPermitted(people: readonly string[]) {
    const checkedPeople = people.slice(0, MAX_CHECKED_PEOPLE);
    const permissions = await Promise.all(checkedPeople.map((user) => this.#checkPerson(user)));
    const permitted = checkedPeople.filter((_user, index) => permissions[index] === 'yes');
    const isIncomplete = permissions.includes('unknown') || checkedPeople.length < people.length;
    return { permitted, isIncomplete };
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
