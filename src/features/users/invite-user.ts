import { z } from 'zod';
import type { OutsiderReason } from '../../access/access.ts';
import { TWO_ROLES_NOTE } from '../../access/roles.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildActionId, type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type Confirmation, type Form, invalid, valid } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import { userField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { joinNames, renderNameInWords } from '../../slack/name.ts';
import { limitText } from '../../text-limits.ts';
import { clip } from '../../words.ts';
import {
  DEFAULT_STATUS,
  findEmailFault,
  findLineBreakFault,
  findPhoneFault,
  getLoadedPeople,
  type InvitationContent,
  invitationSubmission,
  isAdmin,
  MAX_EMAIL_LENGTH,
  type Person,
  parseDomain,
  parseInvitation,
  peopleContextSchema,
  peopleLoader,
  refreshPeople,
  renderInvitation,
  roleField,
  statusField,
  toChoice,
} from './people.ts';

/** The values that a profile in Slack fills in. '' for a value that Slack doesn't return. */
const detailsSchema = z.object({ first: z.string(), last: z.string(), email: z.string() });

/** The person chosen in Slack's people picker. */
const slackMemberSchema = z.object({
  /** Slack's user id. */
  id: z.string(),
  details: detailsSchema,
  /** Whether the person is a full member of the workspace. */
  isColleague: z.boolean(),
  /** A warning for whoever invites the person (plain text). */
  note: z.string().optional(),
});

const fields = {
  project: projectField({ isLive: true }),
  first: textField({ label: 'First name', apiFields: 'FirstName', findFault: findLineBreakFault }),
  last: textField({ label: 'Last name', apiFields: 'LastName', findFault: findLineBreakFault }),
  // A text field, because Slack's input for email addresses rejects international addresses.
  email: textField({
    label: 'Email',
    apiFields: 'Email',
    maxLength: MAX_EMAIL_LENGTH,
    placeholder: 'ana@example.com',
    findFault: findEmailFault,
  }),
  role: roleField,
  member: userField({
    label: 'Somebody in Slack',
    placeholder: 'Choose a person',
    hint: 'Fills in their name and email.',
    optional: true,
    isLive: true,
  }),
  phone: textField({
    label: 'Phone number',
    apiFields: 'PhoneNumber',
    optional: true,
    findFault: findPhoneFault,
  }),
  status: { ...statusField, emptyValue: DEFAULT_STATUS },
};

const inviteContextSchema = peopleContextSchema.extend({
  member: slackMemberSchema.optional(),
  /** The person whose details were filled in last. */
  filled: slackMemberSchema.optional(),
  /** Whether the form shows the fields that are rarely needed. */
  areOptionsShown: z.boolean().optional(),
  /** The role that was preselected last, if there was one, and the id of its project. */
  preselected: z.object({ project: z.string(), role: namedRecord.optional() }).optional(),
});
type InviteContext = z.infer<typeof inviteContextSchema>;

const FORM_NAME = 'invite';
/** The fields that [More options] shows. A project that has to be chosen is always shown. */
const OPTION_FIELDS = ['project', 'member', 'phone', 'status'] as const;
const MORE_OPTIONS_BUTTON = 'more-options';

const inviteForm: Form<typeof fields, InviteContext, InvitationContent> = {
  name: FORM_NAME,
  version: 2,
  noun: 'invitation form',
  title: 'Invite to service',
  submitLabel: 'Invite',
  command: '/invite-user',
  fields,
  findFocusedField: () => 'first',
  hideableFields: OPTION_FIELDS,
  findHiddenFields: ({ formContext }) =>
    formContext.areOptionsShown
      ? []
      : OPTION_FIELDS.filter((name) => name !== 'project' || isProjectNamed(formContext)),
  computeHiddenValues: (hiddenFields, { formContext: { preselectedProject } }) => ({
    ...(hiddenFields.includes('project') && { project: preselectedProject }),
    ...(hiddenFields.includes('status') && { status: DEFAULT_STATUS }),
  }),
  buttonHandlers: {
    [MORE_OPTIONS_BUTTON]: (_value, { formContext }) => ({
      formContext: { ...formContext, areOptionsShown: true },
    }),
  },
  contextLoader: { schema: inviteContextSchema, load: peopleLoader.load },
  async refreshContext({ values, formContext }, call) {
    const { member: knownMember, ...otherContext } = await refreshPeople({ values, formContext }, call);
    if (values.member === '') return otherContext;
    const member =
      knownMember?.id === values.member ? knownMember : await findSlackMember(call, values.member);
    return { ...otherContext, member };
  },
  deriveChanges({
    values: { project: chosenProject, first, last, email, role, phone, status },
    formContext,
  }) {
    const { member, filled, preselectedProject } = formContext;
    // Without a preselected project, the form always shows the field.
    const isOtherProject = preselectedProject !== undefined && chosenProject?.id !== preselectedProject.id;
    const details = fillDetails({ first, last, email }, member, filled);
    const roleChange = preselectRole(chosenProject, role, formContext);
    return {
      values: { ...details, ...(roleChange && { role: roleChange.role }) },
      formContext: {
        ...formContext,
        ...((phone !== '' || status?.id !== DEFAULT_STATUS.id || isOtherProject) && {
          areOptionsShown: true,
        }),
        ...(details && { filled: member }),
        ...(roleChange && { preselected: roleChange.preselected }),
      },
    };
  },
  renderAboveFields: ({ formContext }) => [
    context(
      ...(isProjectNamed(formContext) ? [plain(`Project: ${formContext.preselectedProject?.name}`)] : []),
      TWO_ROLES_NOTE,
    ),
  ],
  renderBelowFields: ({ formContext: { member, areOptionsShown } }) => ({
    ...(member?.note !== undefined && { member: [context(plain(member.note))] }),
    ...(!areOptionsShown && {
      role: [actions(button('More options', buildActionId(FORM_NAME, MORE_OPTIONS_BUTTON)))],
    }),
  }),
  footer: 'You can’t undo an invitation.',
  check({ values: { project: chosenProject, first, last, email, phone, role, status } }) {
    if (!chosenProject || !role || !status) return invalid({});
    const values = { first: first.trim(), last: last.trim(), email: email.trim(), phone: phone.trim() };
    return valid({ project: chosenProject, ...values, role: role.id, status: status.id });
  },
  createConfirmation: ([invitation], { formContext }) =>
    invitation &&
    createConfirmation(invitation, {
      people: getLoadedPeople(formContext, invitation.project.id),
      isEmailFromSlack: isEmailOfColleague(invitation.email, formContext),
    }),
  onSubmit: {
    kind: invitationSubmission,
    toValues: ({ role, status, ...content }) => ({
      ...content,
      role: toChoice(role),
      status: toChoice(status),
    }),
  },
};

/** Whether the form names the channel's project above its fields. An only project is named as a field. */
function isProjectNamed({ areOptionsShown, preselectedProject, projects, hasMore }: InviteContext): boolean {
  return !areOptionsShown && preselectedProject !== undefined && (projects.length > 1 || hasMore);
}

/**
 * Preselects the role of the project's latest invitation once, unless somebody has chosen another role. ADMIN is never
 * preselected, so that people choose it deliberately. Returns undefined if nothing changes.
 */
function preselectRole(
  project: NamedRecord | undefined,
  role: NamedRecord | undefined,
  { people, preselected }: InviteContext,
): { role: NamedRecord | undefined; preselected: InviteContext['preselected'] } | undefined {
  if (!project || people?.project !== project.id || preselected?.project === project.id) return undefined;
  const { role: name } = people.items.find(({ lastAction }) => lastAction === 'invited') ?? {};
  const latestRole = name === undefined || isAdmin(name) ? undefined : toChoice(name);
  return {
    role: role?.id === preselected?.role?.id ? latestRole : role,
    preselected: { project: project.id, ...(latestRole && { role: latestRole }) },
  };
}

/** Whether the email was filled in for a full member of the workspace, and not changed afterwards. */
function isEmailOfColleague(email: string, { member, filled }: InviteContext): boolean {
  return member?.isColleague === true && member.id === filled?.id && member.details.email === email;
}

const form = createForm(inviteForm);

/** `/invite-user` invites a person into a project. */
export const inviteUser: Feature = {
  name: 'invite-user',
  commands: [
    {
      name: 'invite',
      aliases: ['invite-user', 'add-user'],
      summary: 'Invite somebody to a project in the scheduling service',
      usage: '[email name]',
      examples: { '/invite-user ana@example.com Ana Ferreira': 'Open the form with an email and a name.' },
      slashCommand: '/invite-user',
      button: 'Invite to service',
      ...form.command,
      run: (call) => form.openForm(call, { prefill: parseInvitation(call.text) }),
    },
  ],
  role: 'owner',
  optionalScopes: {
    'users:read.email': {
      purpose: 'to fill in the email address of a colleague whom somebody invites to a project',
      missingAbility: 'fill in a colleague’s email in invitations',
    },
  },
  ...form,
};

/** Maximum number of known domains in a warning. */
const MAX_LISTED_DOMAINS = 5;
/** Maximum length of a project's name or a domain in a sentence. */
const MAX_NAME_LENGTH = 100;

/**
 * Creates a confirmation for an admin, or for an email domain that is new in the project. Undefined for others, and for
 * a colleague's email that comes from Slack, because nobody typed it.
 */
function createConfirmation(
  invitation: InvitationContent,
  { people, isEmailFromSlack }: { people: readonly Person[]; isEmailFromSlack: boolean },
): Confirmation | undefined {
  const warnings = [
    isAdmin(invitation.role)
      ? `They’ll have the role ${renderNameInWords(invitation.role)} in ${clip(invitation.project.name, MAX_NAME_LENGTH)}.`
      : undefined,
    isEmailFromSlack ? undefined : renderDomainWarning(invitation, people),
  ].filter((warning) => warning !== undefined);
  if (warnings.length === 0) return undefined;
  return {
    title: 'Invite them?',
    submitLabel: 'Yes, invite',
    blocks: [
      section('*Check before sending.*'),
      plainSection(
        `${renderInvitation(invitation)}\nProject: ${clip(invitation.project.name, MAX_NAME_LENGTH)}`,
      ),
      ...warnings.map((warning) => plainSection(`⚠️ ${warning}`)),
    ],
  };
}

function renderDomainWarning(
  { email, project }: InvitationContent,
  people: readonly Person[],
): string | undefined {
  const domain = parseDomain(email);
  const knownDomains = [
    ...new Set(people.flatMap(({ email: known }) => (known === undefined ? [] : parseDomain(known)))),
  ];
  if (knownDomains.includes(domain)) return undefined;
  const name = clip(project.name, MAX_NAME_LENGTH);
  const typedDomain = clip(email.slice(email.lastIndexOf('@') + 1), MAX_NAME_LENGTH);
  const domainText =
    typedDomain.toLowerCase() === domain ? typedDomain : `${typedDomain} (${clip(domain, MAX_NAME_LENGTH)})`;
  if (knownDomains.length === 0) {
    return `First invite from Slack to ${domainText} for ${name}. Is that right?`;
  }
  const listed = joinNames(
    knownDomains.map((known) => clip(known, MAX_NAME_LENGTH)),
    MAX_LISTED_DOMAINS,
  );
  return `${domainText} isn’t among the latest invites from Slack to ${name}: ${listed}.`;
}

type Details = z.infer<typeof detailsSchema>;

type SlackMember = z.infer<typeof slackMemberSchema>;

const NO_DETAILS: Details = { first: '', last: '', email: '' };

const OUTSIDER_NOTES: Readonly<Record<OutsiderReason, string>> = {
  guest: 'This person is a guest in this Slack workspace.',
  stranger: 'This person belongs to another Slack workspace.',
  bot: 'That’s an app. Choose a person, or type the details.',
  deactivated: 'This Slack account is deactivated. Choose somebody else, or type the details.',
  'not-checked': 'I couldn’t look up this person in Slack. Type the details.',
};

/** Looks up a person in Slack. Never rejects: without Slack's answer, people type the details. */
export async function findSlackMember({ context, actor, client }: Call, id: string): Promise<SlackMember> {
  const { workspace } = actor;
  const [access, details] = await Promise.all([
    context.access.findAccess({ workspace, user: id }, client, 'everything').catch(() => undefined),
    fetchDetails(client, id).catch(() => undefined),
  ]);
  const reason = access?.kind === 'outsider' ? access.reason : undefined;
  if (!access || !details || reason === 'not-checked')
    return { id, details: NO_DETAILS, isColleague: false, note: OUTSIDER_NOTES['not-checked'] };
  if (reason === 'bot' || reason === 'deactivated')
    return { id, details: NO_DETAILS, isColleague: false, note: OUTSIDER_NOTES[reason] };
  const notes = [
    ...(reason === undefined ? [] : [OUTSIDER_NOTES[reason]]),
    ...(details.email === '' ? ['Slack doesn’t share this person’s email with me. Type it.'] : []),
  ];
  return {
    id,
    details,
    isColleague: reason === undefined,
    ...(notes.length > 0 && { note: notes.join('\n') }),
  };
}

/**
 * Fetches a profile. Slack leaves out the email without the scope `users:read.email`, and may leave out any name
 * (https://docs.slack.dev/reference/methods/users.info).
 */
async function fetchDetails(client: Call['client'], user: string): Promise<Details> {
  const { profile, real_name: accountName } = (await client.users.info({ user })).user ?? {};
  const fullName = limitText(profile?.real_name || accountName || '', 'name') ?? '';
  const [firstWord = '', ...otherWords] = fullName.trim().split(/\s+/);
  return {
    first: profile?.first_name || firstWord,
    last: profile?.last_name || (profile?.first_name ? '' : otherWords.join(' ')),
    email: profile?.email ?? '',
  };
}

/**
 * Fills in the details of a newly chosen person. Replaces only empty values, and values that were filled in for the
 * person chosen before. Returns undefined if the details were filled in already.
 */
function fillDetails(
  typedDetails: Details,
  member: SlackMember | undefined,
  previousMember: SlackMember | undefined,
): Details | undefined {
  if (!member || member.id === previousMember?.id) return undefined;
  const choose = (name: keyof Details) => {
    const typedValue = typedDetails[name];
    return typedValue === '' || typedValue === previousMember?.details[name]
      ? member.details[name]
      : typedValue;
  };
  return { first: choose('first'), last: choose('last'), email: choose('email') };
}
