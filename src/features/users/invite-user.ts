import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import type { Field } from '../../forms/field.ts';
import type { Confirmation, Form } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { textField } from '../../forms/inputs/text.ts';
import { plainSection, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import {
  emailFault,
  type InvitationContent,
  invitationLines,
  invitationSubmission,
  MAX_EMAIL_LENGTH,
  parseDomain,
  parseInvitation,
} from './invitation.ts';
import { loadedPeople, type PeopleFacts, type Person, peopleFacts, updatePeople } from './people.ts';
import { DEFAULT_STATUS, isAdmin, roleField, statusField } from './role-and-status.ts';

const fields = {
  project: projectField({ isLive: true }),
  first: withFault(textField({ label: 'First name', api: 'FirstName' }), lineFault),
  last: withFault(textField({ label: 'Last name', api: 'LastName' }), lineFault),
  // Slack's input for e-mail addresses rejects international ones.
  email: withFault(
    textField({ label: 'E-mail', api: 'Email', maxLength: MAX_EMAIL_LENGTH, placeholder: 'ana@example.com' }),
    emailFault,
  ),
  phone: withFault(textField({ label: 'Phone number', api: 'PhoneNumber', optional: true }), phoneFault),
  role: roleField(),
  status: { ...statusField(), emptyValue: DEFAULT_STATUS },
};

/** Invites a user into a project. */
const inviteForm: Form<typeof fields, PeopleFacts, InvitationContent> = {
  name: 'invite',
  version: 1,
  title: 'Invite somebody',
  submitLabel: 'Invite',
  command: '/invite-user',
  fields,
  contextLoader: peopleFacts,
  refreshContext: updatePeople,
  footer: 'An invitation cannot be taken back from here; role and status can be changed with `/upnext user`.',
  check({ values: { project: chosen, first, last, email, phone, role, status } }) {
    if (!chosen || !role || !status) return { kind: 'invalid', errors: {} };
    const words = { first: first.trim(), last: last.trim(), email: email.trim(), phone: phone.trim() };
    return { kind: 'valid', contents: [{ project: chosen, ...words, role: role.id, status: status.id }] };
  },
  createConfirmation: ([invitation], { formContext }) =>
    invitation && confirmInvitation(invitation, loadedPeople(formContext, invitation.project.id)),
  destination: {
    kind: invitationSubmission,
    toValues: ({ role, status, ...content }) => ({
      ...content,
      role: { id: role, name: role },
      status: { id: status, name: status },
    }),
  },
};

function withFault(field: Field<string>, fault: (value: string) => string | undefined): Field<string> {
  return { ...field, validate: (value, at) => field.validate?.(value, at) ?? fault(value) };
}

function lineFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'This belongs on one line.' : undefined;
}

function phoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'There is no digit in this phone number.';
  return lineFault(value);
}

/** The number of known domains that a warning lists. */
const MAX_LISTED_DOMAINS = 5;
const MAX_NAME_LENGTH = 100;

/** Asks for a confirmation of an admin or an unknown e-mail domain. Otherwise undefined. Pure. */
function confirmInvitation(
  invitation: InvitationContent,
  people: readonly Person[],
): Confirmation | undefined {
  const warnings = [adminWarning(invitation), domainWarning(invitation, people)].filter(
    (one) => one !== undefined,
  );
  if (warnings.length === 0) return undefined;
  return {
    title: 'Invite them?',
    submitLabel: 'Yes, invite',
    blocks: [
      section('*Please look once more.* Nothing has been sent yet.'),
      plainSection(
        `${invitationLines(invitation)}\nProject: ${clip(invitation.project.name, MAX_NAME_LENGTH)}`,
      ),
      ...warnings.map((warning) => plainSection(`⚠️ ${warning}`)),
    ],
  };
}

function adminWarning({ role, project }: InvitationContent): string | undefined {
  return isAdmin(role) ? `They would be ${role} of ${clip(project.name, MAX_NAME_LENGTH)}.` : undefined;
}

function domainWarning({ email, project }: InvitationContent, people: readonly Person[]): string | undefined {
  const domain = parseDomain(email);
  const seen = [...new Set(people.flatMap((one) => (one.email === undefined ? [] : parseDomain(one.email))))];
  if (seen.includes(domain)) return undefined;
  const name = clip(project.name, MAX_NAME_LENGTH);
  const written = clip(email.slice(email.lastIndexOf('@') + 1), MAX_NAME_LENGTH);
  const shown = written.toLowerCase() === domain ? written : `${written} (${clip(domain, MAX_NAME_LENGTH)})`;
  if (seen.length === 0) {
    return `I remember no invitation to ${name} yet, so I cannot tell whether ${shown} is one of its own domains.`;
  }
  const listed = seen.slice(0, MAX_LISTED_DOMAINS).map((one) => clip(one, MAX_NAME_LENGTH));
  const rest = seen.length - listed.length;
  return `${shown} is new in ${name}. People were invited at: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

const form = createForm(inviteForm);

/** Invites somebody without a platform account into a project. */
export const inviteUser: Feature = {
  name: 'invite-user',
  commands: [
    {
      name: 'invite',
      aliases: ['invite-user', 'add-user'],
      summary: 'Invite somebody into a project',
      usage: '[e-mail name]',
      examples: ['/invite-user', '/invite-user ana@example.com Ana Ferreira'],
      ownCommand: '/invite-user',
      opensForm: true,
      button: 'Invite somebody',
      run: (call) => form.openForm(call, { prefill: parseInvitation(call.words) }),
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};
