import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { updateProjectUser } from '../../api/users.ts';
import { named } from '../../forms/field.ts';
import { context, plain, quoted } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const content = z.object({
  project: named,
  user: named,
  role: z.string(),
  status: z.string(),
  /** What was last set from here, as far as that is remembered; the service does not tell. */
  before: z.object({ role: z.string(), status: z.string() }).optional(),
});
export type UserUpdateContent = z.infer<typeof content>;

/** So much of a name or id stands in a sentence. */
const NAME = 80;

/** "Role: EDITOR → ADMIN" and the same for the status; plain text. */
export function changeLines({ role, status, before }: UserUpdateContent): string {
  const line = (label: string, was: string | undefined, will: string) =>
    `${label}: ${was ?? 'not known'} → ${will}`;
  return `${line('Role', before?.role, role)}\n${line('Status', before?.status, status)}`;
}

/** Another role and status for somebody in a project: absolute values, so that sending them twice changes nothing. */
export const userUpdateSubmission: SubmissionKind<UserUpdateContent> = {
  name: 'user-update',
  feature: 'update-user',
  content,
  project: ({ project }) => project,
  role: () => 'owner',
  async send(api, { project, user, role, status }) {
    const outcome = await updateProjectUser(api, { projectId: project.id, userId: user.id, role, status });
    return saidOfUser(mapDone(outcome, () => user.id));
  },
  result: (id) => z.string().parse(id),
  summarize: ({ project, user, role, status }) => ({ project, user, role, status }),
  whenUnknown: { way: 'repeat', target: ({ user }) => user.id },
  words: {
    title: ({ user, project }) => `Change of ${clip(user.name, NAME)} in ${clip(project.name, NAME)}`,
    done: ({ user, role, status }) =>
      `${clip(user.name, NAME)} now has the role ${role} and the status ${status}.`,
    doneTitle: () => 'Changed',
    text: ({ role, status }) => `${role}, ${status}`,
    details: (one) => [
      context(plain(`Project: ${one.project.name}`, 300), plain(`Id: ${one.user.id}`, 300)),
      quoted(changeLines(one)),
    ],
  },
};

/** An id that the service does not know stands under the field that it was chosen in. */
function saidOfUser(outcome: Outcome<string>): Outcome<string> {
  if (outcome.kind !== 'refused' || outcome.status !== 404) return outcome;
  const problem = {
    field: 'user_id',
    loc: ['path', 'user_id'],
    message: 'The service knows nobody with this id in this project.',
    type: 'not_found',
  };
  return { kind: 'invalid', problems: [problem], requestId: outcome.requestId };
}
