import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import type { Field } from '../../forms/field.ts';
import type { Confirmation, Form } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { textField } from '../../forms/inputs/text.ts';
import { clip, plainSection, section } from '../../slack/blocks.ts';
import {
  findEmailFault,
  type InvitationContent,
  invitationSubmission,
  MAX_EMAIL_LENGTH,
  parseDomain,
  parseInvitation,
  renderInvitation,
} from './invitation.ts';
import { getLoadedPeople, type PeopleContext, type Person, peopleLoader, refreshPeople } from './people.ts';
import { createRoleField, createStatusField, DEFAULT_STATUS, isAdmin } from './role-and-status.ts';

const fields = {
  project: projectField({ isLive: true }),
  first: withFaultCheck(textField({ label: 'First name', apiFields: 'FirstName' }), findLineBreakFault),
  last: withFaultCheck(textField({ label: 'Last name', apiFields: 'LastName' }), findLineBreakFault),
  // A text field, because Slack's input for e-mail addresses rejects international addresses.
  email: withFaultCheck(
    textField({
      label: 'E-mail',
      apiFields: 'Email',
      maxLength: MAX_EMAIL_LENGTH,
      placeholder: 'ana@example.com',
    }),
    findEmailFault,
  ),
  phone: withFaultCheck(
    textField({ label: 'Phone number', apiFields: 'PhoneNumber', optional: true }),
    findPhoneFault,
  ),
  role: createRoleField(),
  status: { ...createStatusField(), emptyValue: DEFAULT_STATUS },
};

/** The form that invites a user into a project. */
const inviteForm: Form<typeof fields, PeopleContext, InvitationContent> = {
  name: 'invite',
  version: 1,
  title: 'Invite somebody',
  submitLabel: 'Invite',
  command: '/invite-user',
  fields,
  contextLoader: peopleLoader,
  refreshContext: refreshPeople,
  footer: 'You can’t undo an invitation. Change roles later with `/upnext user`.',
  check({ values: { project: chosenProject, first, last, email, phone, role, status } }) {
    if (!chosenProject || !role || !status) return { kind: 'invalid', errors: {} };
    const values = { first: first.trim(), last: last.trim(), email: email.trim(), phone: phone.trim() };
    return {
      kind: 'valid',
      contents: [{ project: chosenProject, ...values, role: role.id, status: status.id }],
    };
  },
  createConfirmation: ([invitation], { formContext }) =>
    invitation && createConfirmation(invitation, getLoadedPeople(formContext, invitation.project.id)),
  destination: {
    kind: invitationSubmission,
    toValues: ({ role, status, ...content }) => ({
      ...content,
      role: { id: role, name: role },
      status: { id: status, name: status },
    }),
  },
};

/** Adds a check to a text field. `findFault` returns the error for the person, or undefined (plain text). */
function withFaultCheck(
  field: Field<string>,
  findFault: (value: string) => string | undefined,
): Field<string> {
  return {
    ...field,
    validate: (value, formContext) => field.validate?.(value, formContext) ?? findFault(value),
  };
}

function findLineBreakFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'Use a single line.' : undefined;
}

function findPhoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'This phone number has no digits.';
  return findLineBreakFault(value);
}

/** Maximum number of known domains in a warning. */
const MAX_LISTED_DOMAINS = 5;
/** Maximum length of a project's name or a domain in a sentence. */
const MAX_NAME_LENGTH = 100;

/** Creates a confirmation for an admin, or for an e-mail domain that is new in the project. Undefined for others. */
function createConfirmation(
  invitation: InvitationContent,
  people: readonly Person[],
): Confirmation | undefined {
  const warnings = [renderAdminWarning(invitation), renderDomainWarning(invitation, people)].filter(
    (warning) => warning !== undefined,
  );
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

function renderAdminWarning({ role, project }: InvitationContent): string | undefined {
  return isAdmin(role) ? `They would be ${role} of ${clip(project.name, MAX_NAME_LENGTH)}.` : undefined;
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
    return `First invite to ${domainText} for ${name}. Is that right?`;
  }
  const listedDomains = knownDomains
    .slice(0, MAX_LISTED_DOMAINS)
    .map((known) => clip(known, MAX_NAME_LENGTH));
  const hiddenCount = knownDomains.length - listedDomains.length;
  return `${domainText} is new in ${name}. Earlier invites: ${listedDomains.join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}.`;
}

const form = createForm(inviteForm);

/** `/invite-user` invites a person into a project. */
export const inviteUser: Feature = {
  name: 'invite-user',
  commands: [
    {
      name: 'invite',
      aliases: ['invite-user', 'add-user'],
      summary: 'Invite somebody to a project',
      usage: '[e-mail name]',
      examples: ['/invite-user', '/invite-user ana@example.com Ana Ferreira'],
      slashCommand: '/invite-user',
      opensForm: true,
      button: 'Invite somebody',
      run: (call) => form.openForm(call, { prefill: parseInvitation(call.text) }),
    },
  ],
  role: () => 'owner',
  optionalScopes: {
    'users:read.email': {
      purpose: 'to fill in the email address of a colleague whom somebody invites to a project',
      missingAbility: 'fill in a colleague’s email in invitations',
    },
  },
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};
