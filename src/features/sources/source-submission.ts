import { z } from 'zod';
import type { FieldProblem } from '../../api/problems.ts';
import { updateSource } from '../../api/sources.ts';
import { namedRecord } from '../../forms/field.ts';
import { button, context, plain, plainSection } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { isSameText, MASK } from './seen-source.ts';

/** How long the old values can be put back, ms. */
export const PUT_BACK_MS = 24 * 60 * 60 * 1000;
export const PUT_BACK = 'sources.put-back';
export const PUT_BACK_LABEL = 'Put the old values back';
/** Where that is still to be found when the form is closed. */
const BACK_AGAIN =
  'For 24 hours one press puts the old values back: here, and in the list of /upnext sources.';

const values = z.object({ description: z.string().optional(), value: z.string().optional() });

const content = z.object({
  project: namedRecord,
  source: namedRecord,
  /** What is sent; what is not known and not written stays out of it. */
  to: values,
  /** What was there, as far as the service shows it. */
  before: values,
  /** It puts old values back. */
  back: z.boolean(),
});
export type SourceContent = z.infer<typeof content>;

/** Enough to recognize it by. */
const SHOWN = 300;

/** What changes, part by part. */
export function changes({ to, before }: Pick<SourceContent, 'to' | 'before'>) {
  return {
    description: to.description !== undefined && !isSameText(to.description, before.description),
    value: to.value !== undefined && !isSameText(to.value, before.value),
  };
}

/** What would put it back as it was; undefined where nothing that has changed is known. */
export function oldValues({
  to,
  before,
}: Pick<SourceContent, 'to' | 'before'>): SourceContent['to'] | undefined {
  const changed = changes({ to, before });
  // A source that had no description gets an empty one: a part that is left out stays as it is.
  const description = to.description === undefined ? undefined : (before.description ?? '');
  const isKnown = changed.description || (changed.value && before.value !== undefined);
  if (!isKnown) return undefined;
  return {
    ...(description !== undefined && { description }),
    ...(before.value !== undefined && { value: before.value }),
  };
}

/** New values of a source, on their way to the service. Its value may be a secret and stands nowhere in words. */
export const sourceSubmission: SubmissionKind<SourceContent> = {
  name: 'source-update',
  feature: 'sources',
  content,
  project: ({ project }) => project,
  role: () => 'manager',
  async send(api, { project, source, to, before }) {
    const outcome = await updateSource(api, { projectId: project.id, sourceId: source.id, ...to });
    if (outcome.kind !== 'invalid') return outcome;
    const secrets = [to.value, before.value].filter((value) => value !== undefined && value.length >= 4);
    return { ...outcome, problems: outcome.problems.map((problem) => withoutValues(problem, secrets)) };
  },
  // All that is known of it is sent each time: absolute values.
  whenUnknown: { way: 'repeat', target: ({ source }) => source.id },
  words: {
    title: ({ source, project, back }) =>
      `${back ? 'Old values of' : 'Update of'} the source “${source.name}” in ${project.name}`,
    renderDone: ({ source, back }) =>
      back ? `The old values of “${source.name}” are back.` : `The source “${source.name}” is updated.`,
    doneTitle: ({ back }) => (back ? 'Put back' : 'Updated'),
    doneNote: (update) => {
      if (changes(update).value && update.before.value === undefined)
        return 'The service did not show the old value, so I cannot put that back.';
      return BACK_AGAIN;
    },
    notFound: ({ source }) => `The service does not know the source “${source.name}” in this project.`,
    text: ({ to }) => to.description ?? '',
    details: (update) => {
      const { project, source, to, before } = update;
      const changed = changes(update);
      return [
        context(plain(`Project: ${project.name}`), plain(`Source: ${source.name}`)),
        ...(changed.description
          ? [plainSection(`Description: ${displayText(before.description)} → ${displayText(to.description)}`)]
          : []),
        context(plain(changed.value ? `Value: changed, not shown here (${MASK})` : 'Value: as it was')),
      ];
    },
    doneButtons: (update, { id }) => (oldValues(update) ? [button(PUT_BACK_LABEL, PUT_BACK, id)] : []),
  },
};

/** A service may repeat the value that it refuses, and what it says is shown in messages too. */
function withoutValues(problem: FieldProblem, values: readonly (string | undefined)[]): FieldProblem {
  const message = values.reduce((text: string, value) => text.replaceAll(value ?? '', MASK), problem.message);
  return { ...problem, message };
}

function displayText(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '(none)' : `“${clip(text, SHOWN)}”`;
}
