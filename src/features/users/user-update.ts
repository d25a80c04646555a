import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { updateProjectUser } from '../../api/users.ts';
import { namedRecord } from '../../forms/field.ts';
import { clip, context, plain, plainSection } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

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
