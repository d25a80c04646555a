import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import type { Field } from '../../forms/field.ts';
import type { Confirmation, Form } from '../../forms/form.ts';
import { project } from '../../forms/inputs/project.ts';
import { text } from '../../forms/inputs/text.ts';
import { quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import {
  domainOf,
  EMAIL_LENGTH,
  emailFault,
  type InvitationContent,
  invitationLines,
  invitationSubmission,
  readInvitationWords,
} from './invitation.ts';
import { type PeopleFacts, type Person, peopleFacts, peopleIn, withPeople } from './people.ts';
import { FIRST_STATUS, isAdmin, roleField, statusField } from './role-and-status.ts';

const fields = {
  project: project({ live: true }),
  first: checked(text({ label: 'First name', api: 'FirstName' }), lineFault),
  last: checked(text({ label: 'Last name', api: 'LastName' }), lineFault),
  // Slack's own field for addresses turns away international ones.
  email: checked(
    text({ label: 'E-mail', api: 'Email', maxLength: EMAIL_LENGTH, placeholder: 'ana@example.com' }),
    emailFault,
  ),
  phone: checked(text({ label: 'Phone number', api: 'PhoneNumber', optional: true }), phoneFault),
  role: roleField(),
  status: { ...statusField(), empty: FIRST_STATUS },
};

/** Somebody is invited into a project. */
const inviteForm: Form<typeof fields, PeopleFacts, InvitationContent> = {
  name: 'invite',
  version: 1,
  title: 'Invite somebody',
  send: 'Invite',
  command: '/invite-user',
  fields,
  contextLoader: peopleFacts,
  refreshContext: withPeople,
  footer: 'An invitation cannot be taken back from here; role and status can be changed with `/upnext user`.',
  check({ typed: { project: chosen, first, last, email, phone, role, status } }) {
    if (!chosen || !role || !status) return { kind: 'faulty', errors: {} };
    const words = { first: first.trim(), last: last.trim(), email: email.trim(), phone: phone.trim() };
    return { kind: 'good', contents: [{ project: chosen, ...words, role: role.id, status: status.id }] };
  },
  confirm: ([invitation], { formContext }) =>
    invitation && secondLook(invitation, peopleIn(formContext, invitation.project.id)),
  destination: {
    kind: invitationSubmission,
    typedOf: ({ role, status, ...content }) => ({
      ...content,
      role: { id: role, name: role },
      status: { id: status, name: status },
    }),
  },
};

function checked(field: Field<string>, fault: (value: string) => string | undefined): Field<string> {
  return { ...field, validate: (value, at) => field.validate?.(value, at) ?? fault(value) };
}

function lineFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'This belongs on one line.' : undefined;
}

function phoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'There is no digit in this phone number.';
  return lineFault(value);
}

/** So many domains are worth reading, and so much of a name. */
const LISTED = 5;
const NAME = 100;

/** What is worth a second look before somebody is let in; undefined where nothing is. Pure. */
function secondLook(invitation: InvitationContent, people: readonly Person[]): Confirmation | undefined {
  const doubts = [adminDoubt(invitation), domainDoubt(invitation, people)].filter((one) => one !== undefined);
  if (doubts.length === 0) return undefined;
  return {
    title: 'Invite them?',
    send: 'Yes, invite',
    blocks: [
      section('*Please look once more.* Nothing has been sent yet.'),
      quoted(`${invitationLines(invitation)}\nProject: ${clip(invitation.project.name, NAME)}`),
      ...doubts.map((doubt) => quoted(`⚠️ ${doubt}`)),
    ],
  };
}

function adminDoubt({ role, project }: InvitationContent): string | undefined {
  return isAdmin(role) ? `They would be ${role} of ${clip(project.name, NAME)}.` : undefined;
}

function domainDoubt({ email, project }: InvitationContent, people: readonly Person[]): string | undefined {
  const domain = domainOf(email);
  const seen = [...new Set(people.flatMap((one) => (one.email === undefined ? [] : domainOf(one.email))))];
  if (seen.includes(domain)) return undefined;
  const name = clip(project.name, NAME);
  const written = clip(email.slice(email.lastIndexOf('@') + 1), NAME);
  const shown = written.toLowerCase() === domain ? written : `${written} (${clip(domain, NAME)})`;
  if (seen.length === 0) {
    return `I remember no invitation to ${name} yet, so I cannot tell whether ${shown} is one of its own domains.`;
  }
  const listed = seen.slice(0, LISTED).map((one) => clip(one, NAME));
  const rest = seen.length - listed.length;
  return `${shown} is new in ${name}. People were invited at: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

const form = createForm(inviteForm);

/** Somebody without a platform account is invited into a project. */
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
      run: (call) => form.openForm(call, { prefill: readInvitationWords(call.words) }),
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};
