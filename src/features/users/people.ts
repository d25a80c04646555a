import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { type Named, named } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import { type InvitationContent, invitationSubmission, nameOf } from './invitation.ts';
import { type UserUpdateContent, userUpdateSubmission } from './user-update.ts';

/** Somebody in a project, as far as the bot remembers: the service lists nobody. */
const person = z.object({
  /** Absent where the service did not tell it. */
  id: z.string().optional(),
  name: z.string(),
  /** Absent for who was changed by an id that somebody typed. */
  email: z.string().optional(),
  role: z.string(),
  status: z.string(),
  lastSet: z.enum(['invited', 'changed']),
});
export type Person = z.infer<typeof person>;

const known = formContextSchema.extend({
  /** Who is known of the project that the form is about. */
  people: z.object({ project: z.string(), all: z.array(person) }).optional(),
});
export type PeopleFacts = z.infer<typeof known>;

/** What cachedProjectLoader has, and who is known of the project that the form begins with. */
export const peopleFacts: ContextLoader<PeopleFacts> = {
  schema: known,
  async load(call, begin) {
    const base = await cachedProjectLoader.load(call, begin);
    if ('trouble' in base) return base;
    const { formContext } = base;
    const begun = named.safeParse(begin.prefill?.project).data;
    const project = formContext.projects.find(({ id }) => id === begun?.id) ?? formContext.chosen;
    return { formContext: { ...formContext, ...(project && { people: await peopleOf(call, project.id) }) } };
  },
};

/** With who is known of the project that is chosen by now. */
export async function withPeople(
  { typed: { project }, formContext }: { typed: { project: Named | undefined }; formContext: PeopleFacts },
  call: Call,
): Promise<PeopleFacts> {
  if (!project || project.id === formContext.people?.project) return formContext;
  return { ...formContext, people: await peopleOf(call, project.id) };
}

/** Who is known of this project; none where that was not looked up for it. */
export function peopleIn({ people }: PeopleFacts, project: string | undefined): readonly Person[] {
  return people && people.project === project ? people.all : [];
}

/** What was set from here in a project, newest first. */
async function remembered({ context, who }: Call, project: string) {
  const at = { workspace: who.workspace, project };
  const [invited, changed] = await Promise.all([
    context.submissions.remembered(invitationSubmission, at),
    context.submissions.remembered(userUpdateSubmission, at),
  ]);
  return { invited, changed };
}

/** The roles and statuses that were set from here in a project. */
export async function seenIn(
  call: Call,
  project: string,
): Promise<readonly { role: string; status: string }[]> {
  const { invited, changed } = await remembered(call, project);
  return [...invited, ...changed].map(({ content: { role, status } }) => ({ role, status }));
}

export async function peopleOf(call: Call, project: string): Promise<{ project: string; all: Person[] }> {
  const { invited, changed } = await remembered(call, project);
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
  return { ...(id !== '' && { id }), name: nameOf(content), email: content.email, role, status, lastSet };
}

function changedPerson({ user, role, status }: UserUpdateContent): Person {
  return { id: user.id, name: user.name, role, status, lastSet: 'changed' };
}
