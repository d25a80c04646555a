import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import type { NamedRecord } from '../../forms/field.ts';
import type { Confirmation, Form } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import {
  loadedPeople,
  loadPeople,
  type PeopleFacts,
  type Person,
  peopleFacts,
  updatePeople,
} from './people.ts';
import { isAdmin, roleField, statusField } from './role-and-status.ts';
import { changeLines, type UserUpdateContent, userUpdateSubmission } from './user-update.ts';

const fields = {
  project: projectField({ isLive: true }),
  user: searchableField({
    label: 'Person',
    api: 'user_id',
    isLive: true,
    needsProject: true,
    placeholder: 'Choose, or type an id',
    none: 'None invited from here yet: type an id',
    renderQueryLabel: (words) => `Use the id “${words}”`,
    hint: 'The service lists nobody: here are those who were invited from here. For another, type the id.',
    find: async ({ call, project: id = '' }) => {
      const { all } = await loadPeople(call, id);
      return all.flatMap(toChoices);
    },
  }),
  role: roleField(),
  status: statusField(),
};

/** Changes the role and status of a user. */
const updateForm: Form<typeof fields, PeopleFacts, UserUpdateContent> = {
  name: 'user',
  version: 1,
  title: 'Role and status',
  submitLabel: 'Change',
  command: '/upnext user',
  fields,
  contextLoader: peopleFacts,
  refreshContext: updatePeople,
  renderAboveFields: ({ formContext, values }) =>
    missingIdsNotice(loadedPeople(formContext, values.project?.id)),
  renderBelowFields: ({ formContext, values: { project: chosen, user } }) =>
    user
      ? { user: [context(plain(lastKnownText(findPerson(user, loadedPeople(formContext, chosen?.id)))))] }
      : {},
  // "/upnext user ana@example.com" can be resolved once a project is chosen.
  deriveChanges({ formContext, values: { project: chosen, user } }) {
    const found = user && findPerson(user, loadedPeople(formContext, chosen?.id));
    const [choice] = found ? toChoices(found) : [];
    return choice && choice.id !== user?.id ? { values: { user: choice } } : {};
  },
  check({ values: { project: chosen, user, role, status }, formContext }) {
    if (!chosen || !user || !role || !status) return { kind: 'invalid', errors: {} };
    const before = findPerson(user, loadedPeople(formContext, chosen.id));
    const was = before && { before: { role: before.role, status: before.status } };
    return { kind: 'valid', contents: [{ project: chosen, user, role: role.id, status: status.id, ...was }] };
  },
  createConfirmation: ([change]) => change && confirmChange(change),
  destination: {
    kind: userUpdateSubmission,
    toValues: ({ project: chosen, user, role, status }) => ({
      project: chosen,
      user,
      role: { id: role, name: role },
      status: { id: status, name: status },
    }),
  },
};

/** Finds a user by id, or by e-mail address. */
function findPerson({ id }: NamedRecord, people: readonly Person[]): Person | undefined {
  const address = id.trim().toLowerCase();
  return people.find((one) => one.id === id) ?? people.find(({ email }) => email?.toLowerCase() === address);
}

function toChoices({ id, name, email }: Person): NamedRecord[] {
  if (id === undefined) return [];
  return [{ id, name: email === undefined ? name : `${name}, ${email}` }];
}

const CURRENT_UNKNOWN = 'The service does not tell what they are now';

function lastKnownText(person: Person | undefined): string {
  if (!person) return `${CURRENT_UNKNOWN}, and I remember nothing that was set from here.`;
  const { lastSet, role, status } = person;
  const how = lastSet === 'invited' ? 'they were invited as' : 'they were last set to';
  return `${CURRENT_UNKNOWN}. From here ${how} ${role}, ${status}.`;
}

function missingIdsNotice(people: readonly Person[]) {
  const count = people.filter(({ id }) => id === undefined).length;
  if (count === 0) return [];
  const actor = count === 1 ? 'For one person' : `For ${count} people`;
  return [context(`${actor} invited from here the service told no id: they are not in the list.`)];
}

/** Shows the last known and the new values. */
function confirmChange(change: UserUpdateContent): Confirmation {
  const { user, role, project: chosen } = change;
  const admin = isAdmin(role) ? [plainSection(`⚠️ They would be ${role} of ${chosen.name}.`)] : [];
  return {
    title: 'Change this person?',
    submitLabel: 'Yes, change',
    blocks: [
      section('*Please look once more.* Nothing has been sent yet.'),
      plainSection(`${user.name}\nProject: ${chosen.name}`),
      plainSection(changeLines(change)),
      ...admin,
      context(`${CURRENT_UNKNOWN}: what stands first was last set from here.`),
    ],
  };
}

const form = createForm(updateForm);

/** Changes the role and status of a user of a project. */
export const updateUser: Feature = {
  name: 'update-user',
  commands: [
    {
      name: 'user',
      aliases: ['users', 'update-user', 'change-user'],
      summary: 'Change somebody’s role and status in a project',
      usage: '[e-mail or id]',
      examples: ['/upnext user', '/upnext user ana@example.com'],
      opensForm: true,
      button: 'Role and status',
      run: begin,
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};

async function begin(call: CommandCall): Promise<void> {
  const { words } = call;
  await form.openForm(call, words === '' ? {} : { prefill: { user: { id: words, name: words } } });
}
