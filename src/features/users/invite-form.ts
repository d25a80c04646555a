import type { Field } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { project } from '../../forms/inputs/project.ts';
import { text } from '../../forms/inputs/text.ts';
import { EMAIL_LENGTH, emailFault } from './email.ts';
import { type InvitationContent, invitationSubmission } from './invitation.ts';
import { secondLook } from './invite-doubts.ts';
import { type PeopleFacts, peopleFacts, peopleIn, withPeople } from './people.ts';
import { FIRST_STATUS, roleField, statusField } from './role-and-status.ts';

const fields = {
  project: project({ live: true }),
  first: checked(text({ label: 'First name', api: 'FirstName' }), lineFault),
  last: checked(text({ label: 'Last name', api: 'LastName' }), lineFault),
  // Slack's own field for addresses turns away international ones.
  email: checked(
    text({ label: 'E-mail', api: 'Email', most: EMAIL_LENGTH, placeholder: 'ana@example.com' }),
    emailFault,
  ),
  phone: checked(text({ label: 'Phone number', api: 'PhoneNumber', optional: true }), phoneFault),
  role: roleField(),
  status: { ...statusField(), empty: FIRST_STATUS },
};

/** Somebody is invited into a project. */
export const inviteForm: Form<typeof fields, PeopleFacts, InvitationContent> = {
  name: 'invite',
  version: 1,
  title: 'Invite somebody',
  send: 'Invite',
  command: '/invite-user',
  fields,
  facts: peopleFacts,
  look: withPeople,
  foot: 'An invitation cannot be taken back from here; role and status can be changed with `/upnext user`.',
  check({ typed: { project: chosen, first, last, email, phone, role, status } }) {
    if (!chosen || !role || !status) return { kind: 'faulty', errors: {} };
    const words = { first: first.trim(), last: last.trim(), email: email.trim(), phone: phone.trim() };
    return { kind: 'good', contents: [{ project: chosen, ...words, role: role.id, status: status.id }] };
  },
  confirm: ([invitation], { facts }) =>
    invitation && secondLook(invitation, peopleIn(facts, invitation.project.id)),
  ending: {
    kind: invitationSubmission,
    typedOf: ({ role, status, ...content }) => ({
      ...content,
      role: { id: role, name: role },
      status: { id: status, name: status },
    }),
  },
};

function checked(field: Field<string>, fault: (value: string) => string | undefined): Field<string> {
  return { ...field, fault: (value, at) => field.fault?.(value, at) ?? fault(value) };
}

function lineFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'This belongs on one line.' : undefined;
}

function phoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'There is no digit in this phone number.';
  return lineFault(value);
}
