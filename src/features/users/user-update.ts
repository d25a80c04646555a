import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { updateProjectUser } from '../../api/users.ts';
import { namedRecord } from '../../forms/field.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const content = z.object({
  project: namedRecord,
  user: namedRecord,
  role: z.string(),
  status: z.string(),
  /** The values that Upnext last set, if still stored. The service doesn't return the current ones. */
  before: z.object({ role: z.string(), status: z.string() }).optional(),
});
export type UserUpdateContent = z.infer<typeof content>;

/** The length of a name or id in a sentence. */
const MAX_NAME_LENGTH = 80;

/** "Role: EDITOR → ADMIN" and the same for the status; plain text. */
export function changeLines({ role, status, before }: UserUpdateContent): string {
  const line = (label: string, was: string | undefined, will: string) =>
    `${label}: ${was ?? 'not known'} → ${will}`;
  return `${line('Role', before?.role, role)}\n${line('Status', before?.status, status)}`;
}

/** Sets the role and status of a user. Idempotent, because both are absolute values. */
export const userUpdateSubmission: SubmissionKind<UserUpdateContent> = {
  name: 'user-update',
  feature: 'update-user',
  content,
  project: ({ project }) => project,
  role: () => 'owner',
  async send(api, { project, user, role, status }) {
    const outcome = await updateProjectUser(api, { projectId: project.id, userId: user.id, role, status });
    return toUserFieldProblem(mapDone(outcome, () => user.id));
  },
  result: (id) => z.string().parse(id),
  summarize: ({ project, user, role, status }) => ({ project, user, role, status }),
  whenUnknown: { way: 'repeat', target: ({ user }) => user.id },
  words: {
    title: ({ user, project }) =>
      `Change of ${clip(user.name, MAX_NAME_LENGTH)} in ${clip(project.name, MAX_NAME_LENGTH)}`,
    renderDone: ({ user, role, status }) =>
      `${clip(user.name, MAX_NAME_LENGTH)} now has the role ${role} and the status ${status}.`,
    doneTitle: () => 'Changed',
    text: ({ role, status }) => `${role}, ${status}`,
    details: (one) => [
      context(plain(`Project: ${one.project.name}`, 300), plain(`Id: ${one.user.id}`, 300)),
      plainSection(changeLines(one)),
    ],
  },
};

/** Turns 404 into an error under the field of the user id. */
function toUserFieldProblem(outcome: Outcome<string>): Outcome<string> {
  if (outcome.kind !== 'refused' || outcome.status !== 404) return outcome;
  const problem = {
    field: 'user_id',
    loc: ['path', 'user_id'],
    message: 'The service knows nobody with this id in this project.',
    type: 'not_found',
  };
  return { kind: 'invalid', problems: [problem], requestId: outcome.requestId };
}
