import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import { fullName, type InvitationContent, invitationSubmission } from './invitation.ts';
import { type UserUpdateContent, userUpdateSubmission } from './user-update.ts';

/** A user of a project, from stored invitations and changes. The service has no list of users. */
const person = z.object({
  /** Absent if the service didn't return it. */
  id: z.string().optional(),
  name: z.string(),
  /** Absent for a user whose id was typed, not invited from Upnext. */
  email: z.string().optional(),
  role: z.string(),
  status: z.string(),
  lastSet: z.enum(['invited', 'changed']),
});
export type Person = z.infer<typeof person>;

const known = formContextSchema.extend({
  /** The known users of the form's project. */
  people: z.object({ project: z.string(), all: z.array(person) }).optional(),
});
export type PeopleFacts = z.infer<typeof known>;

/** Adds the known users of the initial project to `cachedProjectLoader`. */
export const peopleFacts: ContextLoader<PeopleFacts> = {
  schema: known,
  async load(call, begin) {
    const base = await cachedProjectLoader.load(call, begin);
    if ('trouble' in base) return base;
    const { formContext } = base;
    const begun = namedRecord.safeParse(begin.prefill?.project).data;
    const project = formContext.projects.find(({ id }) => id === begun?.id) ?? formContext.chosen;
    return {
      formContext: { ...formContext, ...(project && { people: await loadPeople(call, project.id) }) },
    };
  },
};

/** Loads the known users again if another project was chosen. */
export async function updatePeople(
  {
    values: { project },
    formContext,
  }: { values: { project: NamedRecord | undefined }; formContext: PeopleFacts },
  call: Call,
): Promise<PeopleFacts> {
  if (!project || project.id === formContext.people?.project) return formContext;
  return { ...formContext, people: await loadPeople(call, project.id) };
}

/** The loaded users of a project; empty if another project's were loaded. */
export function loadedPeople({ people }: PeopleFacts, project: string | undefined): readonly Person[] {
  return people && people.project === project ? people.all : [];
}

/** The invitations and changes that Upnext sent for a project, newest first. */
async function findSent({ context, actor }: Call, project: string) {
  const at = { workspace: actor.workspace, project };
  const [invited, changed] = await Promise.all([
    context.submissions.confirmedResults(invitationSubmission, at),
    context.submissions.confirmedResults(userUpdateSubmission, at),
  ]);
  return { invited, changed };
}

/** The roles and statuses that Upnext has set in a project. */
export async function findUsedValues(
  call: Call,
  project: string,
): Promise<readonly { role: string; status: string }[]> {
  const { invited, changed } = await findSent(call, project);
  return [...invited, ...changed].map(({ content: { role, status } }) => ({ role, status }));
}

/** The known users of a project, with their last known role and status. */
export async function loadPeople(call: Call, project: string): Promise<{ project: string; all: Person[] }> {
  const { invited, changed } = await findSent(call, project);
  const changes = new Map(changed.toReversed().map(({ content }) => [content.user.id, content]));
  const all = invited.map(({ result, content }) => invitedPerson(result, content, changes.get(result)));
  const ids = new Set(all.map(({ id }) => id));
  const others = [...changes.values()].filter(({ user }) => !ids.has(user.id));
  return { project, all: [...all, ...others.map(changedPerson)] };
}

function invitedPerson(
  id: string,
  content: InvitationContent,
  change: UserUpdateContent | undefined,
): Person {
  const { role, status } = change ?? content;
  const lastSet = change ? 'changed' : 'invited';
  return { ...(id !== '' && { id }), name: fullName(content), email: content.email, role, status, lastSet };
}

function changedPerson({ user, role, status }: UserUpdateContent): Person {
  return { id: user.id, name: user.name, role, status, lastSet: 'changed' };
}
