import { TWO_ROLES_NOTE } from '../../access/roles.ts';
import { createForm } from '../../forms/create-form.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { type Confirmation, type Form, invalid, valid } from '../../forms/form.ts';
import { projectField, searchableField } from '../../forms/inputs/searched.ts';
import type { Feature } from '../../handlers/feature.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name.ts';
import {
  getLoadedPeople,
  isAdmin,
  loadPeople,
  type PeopleContext,
  type Person,
  peopleLoader,
  refreshPeople,
  renderChange,
  roleField,
  statusField,
  toChoice,
  type UserUpdateContent,
  userUpdateSubmission,
} from './people.ts';

const fields = {
  project: projectField({ isLive: true }),
  user: searchableField({
    label: 'Person',
    apiFields: 'user_id',
    isLive: true,
    needsProject: true,
    placeholder: 'Choose a person',
    emptyText: 'Nobody is listed. Paste an ID',
    renderQueryLabel: (query) => `Somebody else: “${query}”`,
    hint: 'People invited from Slack. For anybody else, paste their ID from the scheduling service.',
    find: async ({ call, project: id = '' }) => {
      const { items } = await loadPeople(call, id);
      return items.flatMap(toChoices);
    },
  }),
  role: roleField,
  status: statusField,
};

const updateForm: Form<typeof fields, PeopleContext, UserUpdateContent> = {
  name: 'user',
  version: 1,
  noun: 'form for a person’s role',
  title: 'Service access',
  submitLabel: 'Change',
  command: '/upnext user',
  fields,
  contextLoader: peopleLoader,
  refreshContext: refreshPeople,
  renderAboveFields: ({ formContext, values }) => [
    context(TWO_ROLES_NOTE),
    ...renderMissingIds(getLoadedPeople(formContext, values.project?.id)),
  ],
  renderBelowFields: ({ formContext, values: { project: chosenProject, user } }) =>
    user
      ? {
          user: [
            context(
              plain(renderLastKnown(findPerson(user, getLoadedPeople(formContext, chosenProject?.id)))),
            ),
          ],
        }
      : {},
  // Replaces the address in "/upnext user ana@example.com" with the person, once a project is chosen.
  deriveChanges({ formContext, values: { project: chosenProject, user } }) {
    const person = user && findPerson(user, getLoadedPeople(formContext, chosenProject?.id));
    const [choice] = person ? toChoices(person) : [];
    return choice && choice.id !== user?.id ? { values: { user: choice } } : {};
  },
  check({ values: { project: chosenProject, user, role, status }, formContext }) {
    if (!chosenProject || !user || !role || !status) return invalid({});
    const person = findPerson(user, getLoadedPeople(formContext, chosenProject.id));
    const previous = person && { role: person.role, status: person.status };
    return valid({ project: chosenProject, user, role: role.id, status: status.id, previous });
  },
  createConfirmation: ([change]) => change && createConfirmation(change),
  onSubmit: {
    kind: userUpdateSubmission,
    toValues: ({ project: chosenProject, user, role, status }) => ({
      project: chosenProject,
      user,
      role: toChoice(role),
      status: toChoice(status),
    }),
  },
};

/** Finds a person by id, or else by email address. */
function findPerson({ id }: NamedRecord, people: readonly Person[]): Person | undefined {
  const address = id.trim().toLowerCase();
  return (
    people.find((person) => person.id === id) ?? people.find(({ email }) => email?.toLowerCase() === address)
  );
}

/** Converts a person to a choice. Returns no choice for a person without an id. */
function toChoices({ id, name, email }: Person): NamedRecord[] {
  if (id === undefined) return [];
  return [{ id, name: email === undefined ? name : `${name}, ${email}` }];
}

/** Renders the values that were last set from Slack. The service doesn't return the current ones (plain text). */
function renderLastKnown(person: Person | undefined): string {
  if (!person) return 'Current role unknown.';
  const { lastAction, role, status } = person;
  return `${lastAction === 'invited' ? 'Invited as' : 'Last set to'} ${renderNameInWords(role)}, ${renderNameInWords(status)}. This may have changed since.`;
}

/** Says how many invited people aren't in the list. The service's response to their invitation had no id. */
function renderMissingIds(people: readonly Person[]) {
  const count = people.filter(({ id }) => id === undefined).length;
  if (count === 0) return [];
  const text =
    count === 1
      ? 'One invited person isn’t listed. Change their role in the scheduling service.'
      : `${count} invited people aren’t listed. Change their roles in the scheduling service.`;
  return [context(text)];
}

/** Asks to confirm a change, with the last known and the new values. */
function createConfirmation(change: UserUpdateContent): Confirmation {
  const { user, role, project: chosenProject } = change;
  const adminWarning = isAdmin(role)
    ? [plainSection(`⚠️ They’ll have the role ${renderNameInWords(role)} in ${chosenProject.name}.`)]
    : [];
  return {
    title: 'Change this person?',
    submitLabel: 'Yes, change',
    blocks: [
      section('*Check before sending.*'),
      plainSection(`${user.name}\nProject: ${chosenProject.name}`),
      plainSection(renderChange(change)),
      ...adminWarning,
      ...(change.previous
        ? [context('Before: the values last set from Slack. They may have changed since.')]
        : []),
    ],
  };
}

const form = createForm(updateForm);

/** `/upnext user` changes a person's role and status in a project. */
export const updateUser: Feature = {
  name: 'update-user',
  commands: [
    {
      name: 'user',
      aliases: ['users', 'update-user', 'change-user'],
      summary: 'Change somebody’s role and status in the scheduling service',
      usage: '[email]',
      examples: {
        '/upnext user': 'Choose a person.',
        '/upnext user ana@example.com': 'Change the role of one person.',
      },
      button: 'Service access',
      isListed: false,
      ...form.command,
      run: (call) => form.open.run(call, { user: call.text || undefined }),
    },
  ],
  role: 'owner',
  ...form,
};
