import { findRole, includesRole, ROLES, type Role } from '../../access/access.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { type Form, type FormAnswer, invalid, valid } from '../../forms/form.ts';
import { actorLoader, type FormContext, projectLoader } from '../../forms/form-context.ts';
import { checkboxesField, selectField } from '../../forms/inputs/choice.ts';
import { projectsField } from '../../forms/inputs/searched.ts';
import { groupsField, peopleField } from '../../forms/inputs/slack-choice.ts';
import { answerFormWhenReady, type FormResult } from '../../handlers/answer-when-ready.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import { mapLimited } from '../../promises.ts';
import { escapeText, section } from '../../slack/blocks.ts';
import { fetchGroupMembers, UNREAD_GROUP_FAULTS } from '../../slack/fetch-people.ts';
import { buildModal } from '../../slack/message-view.ts';
import { joinNames } from '../../slack/name.ts';
import { joinWithAnd } from '../../words.ts';
import { giveRoles, OWNER_FAULT_TEXTS, type Subject } from './give-role.ts';
import {
  MAX_NAMED_PROJECTS,
  OWNER_WARNING,
  renderNoRolePossible,
  renderRole,
  renderRoleHolder,
} from './role-text.ts';

/** The choice of no role for all full members. It overrides the role that the app's settings give them. */
const NO_ROLE = 'none';

const fields = {
  people: peopleField({ label: 'People', optional: true }),
  groups: groupsField({ label: 'User groups', optional: true, isLive: true }),
  members: checkboxesField({
    label: 'Everybody',
    optional: true,
    isLive: true,
    choices: [{ value: 'everybody', name: 'All full members of this workspace' }],
  }),
  role: selectField({
    label: 'Role',
    choices: [
      ...ROLES.map((role) => ({ value: role, name: renderRole(role) })),
      { value: NO_ROLE, name: 'No role' },
    ],
  }),
  projects: projectsField({
    optional: true,
    placeholder: 'Whole workspace',
    hint: 'Leave empty for the whole workspace.',
  }),
};

/** The content of the form. `field` is the form field that shows an error about the subject. */
interface GiveRoleContent {
  subjects: readonly { subject: Subject; field: 'people' | 'groups' | 'members' }[];
  role: Role | typeof NO_ROLE;
  projects: readonly NamedRecord[];
}

/** The form that gives people, user groups or everybody a role in the workspace or in projects. */
export const giveForm: Form<typeof fields, FormContext, GiveRoleContent> = {
  name: 'give-role',
  version: 2,
  noun: 'form that gives a role',
  title: 'Give a role',
  submitLabel: 'Give',
  command: '/upnext roles',
  fields,
  contextLoader: {
    schema: projectLoader.schema,
    // If the projects can't be loaded, a role can still be given for the whole workspace.
    async load(call, options) {
      const result = await projectLoader.load(call, options);
      return 'formContext' in result ? result : actorLoader.load(call, options);
    },
  },
  // Slack marks each optional field, so one of the three is required.
  findRequiredFields: ({ values: { groups, members } }) =>
    groups.length === 0 && members.length === 0 ? ['people'] : [],
  footer: `Each role includes the ones before it: ${ROLES.map(renderRole).join(', ')}.`,
  check({ values: { people, groups, members, role, projects } }) {
    if (role === '') return invalid({});
    const subjects: GiveRoleContent['subjects'] = [
      ...people.map((id) => ({ subject: { kind: 'person', id } as const, field: 'people' as const })),
      ...groups.map(({ id }) => ({ subject: { kind: 'group', id } as const, field: 'groups' as const })),
      ...(members.length > 0
        ? [{ subject: { kind: 'members', id: '' } as const, field: 'members' as const }]
        : []),
    ];
    if (subjects.length === 0) return invalid({ people: 'Choose people, a user group or everybody.' });
    if (role === 'owner' && projects.length > 0)
      return invalid({ projects: 'Owners always own the whole workspace. Leave the project empty.' });
    if (role === NO_ROLE && (subjects.some(({ field }) => field !== 'members') || projects.length > 0))
      return invalid({ role: '“No role” works only for everybody in the whole workspace.' });
    return valid({ subjects, role, projects });
  },
  createConfirmation([content]) {
    if (!content) return undefined;
    const { subjects, role } = content;
    const includesEverybody = subjects.some(({ subject }) => subject.kind === 'members') && role !== NO_ROLE;
    if (role !== 'owner' && !includesEverybody) return undefined;
    const everybodyWarning = 'Every full member gets this role, now and later.';
    return {
      title: 'Give this role?',
      blocks: [
        section(
          [role === 'owner' && OWNER_WARNING, includesEverybody && everybodyWarning]
            .filter(Boolean)
            .join('\n'),
        ),
      ],
      submitLabel: 'Give',
    };
  },
  onSubmit: { respond: giveChosenRoles },
};

const MAX_CONCURRENT_LOOKUPS = 10;

/** Gives the role to every chosen subject, or shows an error and gives it to none. Thousands of grants take a while. */
function giveChosenRoles(call: SubmissionCall, content: GiveRoleContent): Promise<FormAnswer> {
  const interimView = renderResult('Give a role', 'I’m still giving this role. The result follows here.');
  return answerFormWhenReady(call, tryToGive(call, content), interimView, {
    command: giveForm.command,
    errorTitle: 'Not given',
  });
}

const renderResult = (title: string, text: string) => buildModal(title, [section(text)]);

async function tryToGive(
  call: SubmissionCall,
  { subjects: chosenSubjects, projects: chosenProjects, role }: GiveRoleContent,
): Promise<FormResult> {
  const findError = async ({ subject, field }: GiveRoleContent['subjects'][number]) => {
    const isOnly = chosenSubjects.filter((other) => other.field === field).length === 1;
    return { field, text: await findSubjectError(call, subject, isOnly) };
  };
  const subjectErrors = await mapLimited(chosenSubjects, findError, MAX_CONCURRENT_LOOKUPS);
  const firstError = subjectErrors.find(({ text }) => text !== undefined);
  if (firstError?.text !== undefined) return { errors: { [firstError.field]: firstError.text } };
  const isForWorkspace = chosenProjects.length === 0;
  const subjects = chosenSubjects.map(({ subject }) => subject);
  const projects = isForWorkspace ? [{ id: '' }] : chosenProjects;
  const given = await giveRoles(call, { subjects, projects, role });
  // Without a condition the role is always given, unless the last owner would lose theirs.
  if (given === 'not-given') throw new Error('a role without a condition was not given');
  if (typeof given === 'string') return { errors: { role: OWNER_FAULT_TEXTS[given] } };
  const scopeText = isForWorkspace
    ? ''
    : ` in ${joinNames(
        chosenProjects.map(({ name }) => escapeText(name)),
        MAX_NAMED_PROJECTS,
      )}`;
  const people = subjects.flatMap(({ kind, id }) => (kind === 'person' ? [id] : []));
  const keepsHigherRole = await mapLimited(people, (user) => hasHigherRole(call, user, { role, projects }));
  const note = keepsHigherRole.includes(true) ? `\n${HIGHER_ROLE_NOTE}` : '';
  return {
    view: renderResult('Given', `${renderAssignment(subjects, role)}${scopeText}.${note}`),
    finish: given.notifyPeople,
  };
}

const HIGHER_ROLE_NOTE =
  'A higher role that somebody has elsewhere, or from a group, still counts: see `/upnext roles`.';

/** Whether a person still has a higher role than the given one. The role is given, so a failure must not say otherwise. */
async function hasHigherRole(
  { context, actor: { workspace }, client }: Call,
  user: string,
  given: { role: GiveRoleContent['role']; projects: readonly { id: string }[] },
): Promise<boolean> {
  const access = await context.access
    .findAccess({ workspace, user }, client, 'nothing')
    .catch(() => undefined);
  if (access?.kind !== 'member') return false;
  const { role, projects } = given;
  const held = projects.flatMap(({ id }) => findRole(access, id === '' ? undefined : id) ?? []);
  return role !== NO_ROLE && held.some((each) => !includesRole(role, each));
}

/** Renders the new role of the subjects (mrkdwn), such as "@Ben is now a Manager". */
function renderAssignment(subjects: readonly Subject[], role: GiveRoleContent['role']): string {
  const [firstSubject] = subjects;
  if (role !== NO_ROLE && subjects.length === 1 && firstSubject?.kind === 'person') {
    return `<@${firstSubject.id}> is now ${renderRoleHolder(role)}`;
  }
  const names = subjects.map(({ kind, id }) =>
    kind === 'members' ? 'all full members' : kind === 'group' ? `<!subteam^${id}>` : `<@${id}>`,
  );
  return role === NO_ROLE
    ? 'Full members no longer have a role by default'
    : `${renderRole(role)} role given to ${joinWithAnd(names)}`;
}

/** Asks Slack why a subject can't get a role (plain text). Undefined if it can. `isOnly`: the only one of its kind. */
async function findSubjectError(call: Call, subject: Subject, isOnly: boolean): Promise<string | undefined> {
  if (subject.kind === 'members') return undefined;
  if (subject.kind === 'person') {
    const { context, actor, client } = call;
    const { workspace } = actor;
    const access = await context.access.findAccess({ workspace, user: subject.id }, client, 'everything');
    const who = isOnly ? 'This person' : 'One of them';
    return access.kind === 'outsider' ? renderNoRolePossible(access.reason, who) : undefined;
  }
  const members = await fetchGroupMembers(call, subject.id);
  return typeof members === 'string' ? UNREAD_GROUP_FAULTS[members] : undefined;
}
