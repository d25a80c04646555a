import { z } from 'zod';
import type { FieldProblem } from '../../api/problems.ts';
import { updateSource } from '../../api/sources.ts';
import { namedRecord } from '../../forms/field.ts';
import { clip, context, plain, plainSection } from '../../slack/blocks.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { isSameText, MASK } from './listed-source.ts';

const valuesSchema = z.object({ description: z.string().optional(), value: z.string().optional() });

const contentSchema = z.object({
  project: namedRecord,
  source: namedRecord,
  /** The values to send. A value that is neither known nor typed is omitted, so that the service doesn't change it. */
  to: valuesSchema,
  /** The values before the update. A value that the service doesn't show is omitted. */
  before: valuesSchema,
});
export type SourceContent = z.infer<typeof contentSchema>;

/** Maximum length of a description in the submission's details. It is enough to recognize the description. */
const MAX_SHOWN_LENGTH = 300;

/** Finds the fields of the source that the update changes. */
export function findChangedFields({ to, before }: Pick<SourceContent, 'to' | 'before'>) {
  return {
    description: to.description !== undefined && !isSameText(to.description, before.description),
    value: to.value !== undefined && !isSameText(to.value, before.value),
  };
}

/** Shorter values aren't masked in the service's messages, because they may be parts of ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** Updates sources. The value may be a secret, so text for people never contains the value. */
export const sourceSubmission: SubmissionKind<SourceContent> = {
  name: 'source-update',
  feature: 'sources',
  content: contentSchema,
  getProject: ({ project }) => project,
  getRole: () => 'manager',
  async send(api, { project, source, to, before }) {
    const outcome = await updateSource(api, { projectId: project.id, sourceId: source.id, ...to });
    if (!('problems' in outcome)) return outcome;
    const secrets = [to.value, before.value].filter(
      (value) => value !== undefined && value.length >= MIN_SECRET_LENGTH,
    );
    return { ...outcome, problems: outcome.problems.map((problem) => maskValues(problem, secrets)) };
  },
  // An update contains all known values, so sending it again has no further effect.
  unknownOutcome: { strategy: 'repeat', getTarget: ({ source }) => source.id },
  copy: {
    renderTitle: ({ source, project }) => `Update of the source “${source.name}” in ${project.name}`,
    renderDone: ({ source }) => `The source “${source.name}” is updated.`,
    renderDoneTitle: () => 'Updated',
    renderNotFound: ({ source }) => `The service doesn’t know the source “${source.name}” in this project.`,
    getText: ({ to }) => to.description ?? '',
    renderDetails: (update) => {
      const { project, source, to, before } = update;
      const changedFields = findChangedFields(update);
      return [
        context(plain(`Project: ${project.name}`), plain(`Source: ${source.name}`)),
        ...(changedFields.description
          ? [plainSection(`Description: ${quoteText(before.description)} → ${quoteText(to.description)}`)]
          : []),
        context(plain(changedFields.value ? `Value: changed, not shown here (${MASK})` : 'Value: unchanged')),
      ];
    },
  },
};

/** Masks values in a problem's message. People read the message, and the service may quote a refused value in it. */
function maskValues(problem: FieldProblem, values: readonly (string | undefined)[]): FieldProblem {
  const message = values.reduce((text: string, value) => text.replaceAll(value ?? '', MASK), problem.message);
  return { ...problem, message };
}

function quoteText(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '(none)' : `“${clip(text, MAX_SHOWN_LENGTH)}”`;
}
