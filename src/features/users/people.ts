import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { inviteUser, updateProjectUser } from '../../api/users.ts';
import { type Field, type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import type { Call } from '../../handlers/call.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { clip } from '../../words.ts';

/** A person in a project, known from stored invitations and changes. The service has no list of users. */
const personSchema = z.object({
  /** Absent if the response to the invitation had no id. */
  id: z.string().optional(),
  name: z.string(),
  /** Absent if the person wasn't invited with Upnext. */
  email: z.string().optional(),
  role: z.string(),
  status: z.string(),
  /** The action that set the role and status. */
  lastAction: z.enum(['invited', 'changed']),
});
export type Person = z.infer<typeof personSchema>;

export const peopleContextSchema = formContextSchema.extend({
  /** The known people in the form's project. `project` is the project's id. */
  people: z.object({ project: z.string(), items: z.array(personSchema) }).optional(),
});
export type PeopleContext = z.infer<typeof peopleContextSchema>;

/** Loads the projects like `cachedProjectLoader`, and the known people in the initial project. */
export const peopleLoader: ContextLoader<PeopleContext> = {
  schema: peopleContextSchema,
  async load(call, openOptions) {
    const projectResult = await cachedProjectLoader.load(call, openOptions);
    if ('failureText' in projectResult) return projectResult;
    const { formContext } = projectResult;
    const initialProject = namedRecord.safeParse(openOptions.prefill?.project).data;
    const project =
      formContext.projects.find(({ id }) => id === initialProject?.id) ?? formContext.preselectedProject;
    return {
      formContext: { ...formContext, ...(project && { people: await loadPeople(call, project.id) }) },
    };
  },
};

/** Loads the known people in the chosen project, unless they are loaded already. */
export async function refreshPeople<Context extends PeopleContext>(
  {
    values: { project },
    formContext,
  }: { values: { project: NamedRecord | undefined }; formContext: Context },
  call: Call,
): Promise<Context> {
  if (!project || project.id === formContext.people?.project) return formContext;
  return { ...formContext, people: await loadPeople(call, project.id) };
}

/** Returns the loaded people in a project. Empty if the people in another project were loaded. */
export function getLoadedPeople({ people }: PeopleContext, project: string | undefined): readonly Person[] {
  return people && people.project === project ? people.items : [];
}

/** Lists a project's confirmed invitations and changes from Upnext, newest first. */
async function listSentSubmissions({ context, actor }: Call, project: string) {
  const query = { workspace: actor.workspace, project };
  const [invitations, changes] = await Promise.all([
    context.submissions.listConfirmed(invitationSubmission, query),
    context.submissions.listConfirmed(userUpdateSubmission, query),
  ]);
  return { invitations, changes };
}

/** Loads the known people in a project, with their last known role and status. */
export async function loadPeople(call: Call, project: string): Promise<{ project: string; items: Person[] }> {
  const { invitations, changes } = await listSentSubmissions(call, project);
  const latestChanges = new Map(changes.toReversed().map(({ content }) => [content.user.id, content]));
  const invitedPeople = invitations.map(({ serviceId: id, content }): Person => {
    const change = latestChanges.get(id);
    const { role, status } = change ?? content;
    const person = { name: getFullName(content), email: content.email, role, status };
    return { ...(id !== '' && { id }), ...person, lastAction: change ? 'changed' : 'invited' };
  });
  const ids = new Set(invitedPeople.map(({ id }) => id));
  const otherPeople = [...latestChanges.values()]
    .filter(({ user }) => !ids.has(user.id))
    .map(({ user, role, status }): Person => ({ ...user, role, status, lastAction: 'changed' }));
  return { project, items: [...invitedPeople, ...otherPeople] };
}

/** Maximum length of a line in the details of an invitation or a change. */
const MAX_DETAIL_LENGTH = 300;

/** Maximum length of an email address: 64 characters, "@" and 255 characters (RFC 5321, 4.5.3.1). */
export const MAX_EMAIL_LENGTH = 320;

/** Matches every address that may be valid. A quoted local part may contain blanks. The service checks the details. */
const ADDRESS_PATTERN = /^(?:"[^"\p{Cc}]+"|[^\s@"<>(),;:\p{Cc}]+)@[^\s@"<>(),;\p{Cc}]+$/u;

/** Explains why an address can't be valid (plain text). Undefined for every address that may be valid. */
export function findEmailFault(value: string): string | undefined {
  const address = value.trim();
  // Some scripts need the two zero-width joiners. Other format characters only hide text or change its direction.
  if (/(?!\u200c|\u200d)\p{Cf}/u.test(address)) {
    return 'This address contains an invisible character. Type it again.';
  }
  return ADDRESS_PATTERN.test(address) ? undefined : 'Enter a valid email, such as ana@example.com.';
}

/** Explains why a phone number can't be valid (plain text). Undefined for an empty one. */
export function findPhoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'This phone number has no digits.';
  return findLineBreakFault(value);
}

export function findLineBreakFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'Use a single line.' : undefined;
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const MAX_DOMAIN_LENGTH = 253;

/** Parses the domain of an address. The result is in lower-case ASCII, so that equal domains compare as equal. */
export function parseDomain(address: string): string {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .replace(/\.$/, '');
  if (domain.length > MAX_DOMAIN_LENGTH) return domain.toLowerCase();
  return domainToASCII(domain) || domain.toLowerCase();
}

/** Parses the text after `/invite-user`: "ana@example.com Ana Ferreira", or "Ana Ferreira <ana@example.com>". */
export function parseInvitation(text: string): { email?: string; first?: string; last?: string } {
  const textParts = text.split(/\s+/).filter((part) => part !== '');
  // A part that begins with "@" mentions somebody in Slack.
  const isAddress = (part: string) => part.indexOf('@') > 0;
  const email = textParts
    .find(isAddress)
    ?.replace(/^[<(]*(?:mailto:)?|(?<![>),;])[>),;]+$/gi, '')
    .replace(/\|.*$/, '');
  const [first, ...lastParts] = textParts
    .filter((part) => !isAddress(part))
    .map((part) => part.replace(/^@/, ''));
  return {
    ...(email !== undefined && { email: email.slice(0, MAX_EMAIL_LENGTH) }),
    ...(first !== undefined && { first }),
    ...(lastParts.length > 0 && { last: lastParts.join(' ') }),
  };
}

const invitationContent = z.object({
  project: namedRecord,
  first: z.string(),
  last: z.string(),
  email: z.string(),
  /** The phone number, or '' for none. */
  phone: z.string(),
  role: z.string(),
  status: z.string(),
});
export type InvitationContent = z.infer<typeof invitationContent>;

/** Maximum length of a name in a sentence about an invitation. */
const MAX_INVITED_NAME_LENGTH = 60;

function getFullName({ first, last }: Pick<InvitationContent, 'first' | 'last'>): string {
  return clip(`${first} ${last}`, MAX_INVITED_NAME_LENGTH);
}

/** Renders the invitation as plain text: one line for each value, and one for role and status. */
export function renderInvitation({ first, last, email, phone, role, status }: InvitationContent): string {
  const lines = [`${first} ${last}`, email, ...(phone === '' ? [] : [phone])];
  return [
    ...lines.map((line) => clip(line, MAX_DETAIL_LENGTH)),
    `Role: ${renderNameInWords(role)}, status: ${renderNameInWords(status)}`,
  ].join('\n');
}

/** Sends invitations. The service has no list of users, so only the response contains the id of the new user. */
export const invitationSubmission: SubmissionKind<InvitationContent> = {
  name: 'invitation',
  feature: 'invite-user',
  content: invitationContent,
  hasReceipt: true,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  async send(api, { project, first, last, email, phone, role, status }) {
    const outcome = await inviteUser(api, {
      projectId: project.id,
      firstName: first,
      lastName: last,
      email,
      ...(phone !== '' && { phoneNumber: phone }),
      role,
      status,
    });
    // An invitation without an id in the response is stored too, so that Upnext knows which addresses were invited.
    return mapDone(outcome, (id) => id ?? '');
  },
  summarize: (invitation) => ({ ...invitation, phone: '' }),
  // A retry may invite the user twice, so the author decides.
  unknownOutcome: { strategy: 'ask' },
  copy: {
    renderTitle: (invitation) =>
      `Invitation of ${getFullName(invitation)} (${clip(invitation.email, MAX_INVITED_NAME_LENGTH)}) to ${clip(invitation.project.name, MAX_INVITED_NAME_LENGTH)}`,
    renderDone: (invitation) =>
      `${getFullName(invitation)} is invited to ${clip(invitation.project.name, MAX_INVITED_NAME_LENGTH)}.`,
    renderDoneTitle: () => 'Invited',
    renderDoneNote: (_invitation, { serviceId }) =>
      serviceId ? 'Their role and status can be changed with /upnext user.' : undefined,
    getText: ({ email }) => email,
    renderResendWarning: () => 'Sending it again may invite them twice.',
    renderDetails: (invitation) => [
      context(plain(`Project: ${invitation.project.name}`, MAX_DETAIL_LENGTH)),
      plainSection(renderInvitation(invitation)),
    ],
  },
};

const updateContent = z.object({
  project: namedRecord,
  user: namedRecord,
  role: z.string(),
  status: z.string(),
  /** The values that were last set with Upnext, if still stored. The service doesn't return the current values. */
  previous: z.object({ role: z.string(), status: z.string() }).optional(),
});
export type UserUpdateContent = z.infer<typeof updateContent>;

/** Maximum length of a name or id in a sentence. */
const MAX_NAME_LENGTH = 80;

/** Renders "Role: EDITOR → ADMIN", and a second line for the status. Plain text. */
export function renderChange({ role, status, previous }: UserUpdateContent): string {
  const renderLine = (label: string, previousValue: string | undefined, newValue: string) =>
    `${label}: ${previousValue === undefined ? 'not known' : renderNameInWords(previousValue)} → ${renderNameInWords(newValue)}`;
  return `${renderLine('Role', previous?.role, role)}\n${renderLine('Status', previous?.status, status)}`;
}

/** Sets a person's role and status. Sending it again has no further effect, because both are absolute values. */
export const userUpdateSubmission: SubmissionKind<UserUpdateContent> = {
  name: 'user-update',
  feature: 'update-user',
  content: updateContent,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  async send(api, { project, user, role, status }) {
    const outcome = await updateProjectUser(api, { projectId: project.id, userId: user.id, role, status });
    return toUserFieldProblem(outcome);
  },
  summarize: ({ project, user, role, status }) => ({ project, user, role, status }),
  unknownOutcome: { strategy: 'repeat', getTarget: ({ user }) => user.id },
  copy: {
    renderTitle: ({ user, project }) =>
      `Role and status of ${clip(user.name, MAX_NAME_LENGTH)} in ${clip(project.name, MAX_NAME_LENGTH)}`,
    renderDone: ({ user, role, status }) =>
      `${clip(user.name, MAX_NAME_LENGTH)} now has the role ${renderNameInWords(role)} and the status ${renderNameInWords(status)}.`,
    renderDoneTitle: () => 'Changed',
    getText: ({ role, status }) => `${renderNameInWords(role)}, ${renderNameInWords(status)}`,
    renderDetails: (change) => [
      context(plain(`Project: ${change.project.name}`, MAX_DETAIL_LENGTH)),
      plainSection(renderChange(change)),
    ],
  },
};

/** Turns a 404 into an error on the user field. */
function toUserFieldProblem(outcome: Outcome<string>): Outcome<string> {
  if (outcome.kind !== 'refused' || outcome.status !== 404) return outcome;
  const problem = {
    field: 'user_id',
    loc: ['path', 'user_id'],
    message: 'The scheduling service doesn’t know this person in this project.',
    type: 'not_found',
  };
  return { kind: 'invalid', problems: [problem], requestId: outcome.requestId };
}

/** The values in the service's API description, which says that there are others. */
const DOCUMENTED_VALUES = { role: 'ADMIN', status: 'ACTIVE' } as const;

/** The service's default status for an invitation. There is no default role, so that people choose it deliberately. */
export const DEFAULT_STATUS: NamedRecord = toChoice(DOCUMENTED_VALUES.status);

export const roleField = createOpenChoiceField('role', {
  label: 'Role in the scheduling service',
  apiFields: 'Role',
});
export const statusField = createOpenChoiceField('status', { label: 'Status', apiFields: 'Status' });

/** Converts a role or a status to a choice of its field. */
export function toChoice(value: string): NamedRecord {
  return { id: value, name: renderNameInWords(value) };
}

/** Whether a role is ADMIN in any spelling, or contains ADMIN, such as SUPERADMIN. */
export function isAdmin(role: string): boolean {
  return normalizeUnicode(role, 'NFKC')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase()
    .includes(DOCUMENTED_VALUES.role);
}

/** Creates a menu of documented values and values that were set with Upnext before. People can also type a value. */
function createOpenChoiceField(
  property: 'role' | 'status',
  names: { label: string; apiFields: string },
): Field<NamedRecord | undefined> {
  const field = searchableField({
    ...names,
    placeholder: 'Choose or type',
    usesProject: true,
    emptyText: 'Type one',
    renderQueryLabel: (query) => `Use “${query}”`,
    async find({ call, project }) {
      const sent = project === undefined ? undefined : await listSentSubmissions(call, project);
      const assignments = [...(sent?.invitations ?? []), ...(sent?.changes ?? [])];
      const values = new Set([
        DOCUMENTED_VALUES[property],
        ...assignments.map(({ content }) => content[property]),
      ]);
      return [...values].map(toChoice);
    },
  });
  return {
    ...field,
    validate: (value, formContext) =>
      field.validate?.(value, formContext) ?? findCharacterFault(value?.id ?? ''),
  };
}

/** Returns the error for a value with invisible characters (plain text), or undefined. */
function findCharacterFault(value: string): string | undefined {
  const hasInvisible = /[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed();
  return hasInvisible ? 'This contains an invisible character. Type it again.' : undefined;
}
