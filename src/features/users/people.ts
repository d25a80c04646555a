import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { updateProjectUser } from '../../api/users.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { clip, context, plain, plainSection } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { getFullName, type InvitationContent, invitationSubmission } from './invitation.ts';

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

/** Lists the roles and statuses that people in a project got with Upnext. */
export async function listAssignedRolesAndStatuses(
  call: Call,
  project: string,
): Promise<readonly { role: string; status: string }[]> {
  const { invitations, changes } = await listSentSubmissions(call, project);
  return [...invitations, ...changes].map(({ content: { role, status } }) => ({ role, status }));
}

/** Loads the known people in a project, with their last known role and status. */
export async function loadPeople(call: Call, project: string): Promise<{ project: string; items: Person[] }> {
  const { invitations, changes } = await listSentSubmissions(call, project);
  const latestChanges = new Map(changes.toReversed().map(({ content }) => [content.user.id, content]));
  const invitedPeople = invitations.map(({ serviceId, content }) =>
    toInvitedPerson(serviceId, content, latestChanges.get(serviceId)),
  );
  const ids = new Set(invitedPeople.map(({ id }) => id));
  const otherChanges = [...latestChanges.values()].filter(({ user }) => !ids.has(user.id));
  return { project, items: [...invitedPeople, ...otherChanges.map(toChangedPerson)] };
}

function toInvitedPerson(
  id: string,
  content: InvitationContent,
  change: UserUpdateContent | undefined,
): Person {
  const { role, status } = change ?? content;
  const lastAction = change ? 'changed' : 'invited';
  return {
    ...(id !== '' && { id }),
    name: getFullName(content),
    email: content.email,
    role,
    status,
    lastAction,
  };
}

function toChangedPerson({ user, role, status }: UserUpdateContent): Person {
  return { id: user.id, name: user.name, role, status, lastAction: 'changed' };
}

const contentSchema = z.object({
  project: namedRecord,
  user: namedRecord,
  role: z.string(),
  status: z.string(),
  /** The values that were last set with Upnext, if still stored. The service doesn't return the current values. */
  previous: z.object({ role: z.string(), status: z.string() }).optional(),
});
export type UserUpdateContent = z.infer<typeof contentSchema>;

/** Maximum length of a name or id in a sentence. */
const MAX_NAME_LENGTH = 80;
/** Maximum length of a name or id in the change's details. */
const MAX_DETAIL_LENGTH = 300;

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
  content: contentSchema,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  async send(api, { project, user, role, status }) {
    const outcome = await updateProjectUser(api, { projectId: project.id, userId: user.id, role, status });
    return toUserFieldProblem(mapDone(outcome, () => user.id));
  },
  parseServiceId: (id) => z.string().parse(id),
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
