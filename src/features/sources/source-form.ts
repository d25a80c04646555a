import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { FieldProblem } from '../../api/problems.ts';
import { listSources, updateSource } from '../../api/sources.ts';
import { namedRecord } from '../../forms/field.ts';
import {
  type CheckResult,
  type Confirmation,
  type Form,
  type FormState,
  invalid,
  type KeptOpen,
  valid,
} from '../../forms/form.ts';
import { projectField, searchableField } from '../../forms/inputs/searched.ts';
import { isBlank, textField } from '../../forms/inputs/text.ts';
import type { SubmissionCall } from '../../handlers/call.ts';
import { within } from '../../promises.ts';
import { context, escapeText, plain, plainSection, section } from '../../slack/blocks.ts';
import { renderReadFailure, renderServiceFailure } from '../../slack/service-failure.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { wasFormSent } from '../../submissions/sql/lists.ts';
import { clip } from '../../words.ts';
import {
  findPrefillObstacle,
  getVisibleValue,
  isSameText,
  type ListedSource,
  looksMasked,
  MASK,
  SOURCE_EXPLANATION,
  type SourceFormContext,
  sourceContextLoader,
  toListedSources,
} from './source-context.ts';

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

function findChangedFields({ to, before }: Pick<SourceContent, 'to' | 'before'>) {
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

export const FORM_NAME = 'source';

const fields = {
  project: projectField({ isLive: true }),
  source: searchableField({
    label: 'Source',
    apiFields: 'source_id',
    isLive: true,
    needsProject: true,
    placeholder: 'Choose a source',
    emptyText: 'No sources in this project',
    find: async ({ call: { context }, project: id = '' }) =>
      toListedSources(await context.reads.listSources(context.api, id)),
  }),
  description: textField({ label: 'Description', apiFields: 'Description', multiline: true, optional: true }),
  value: textField({
    label: 'Value',
    apiFields: 'Source',
    multiline: true,
    optional: true,
    hint: 'Stored encrypted.',
  }),
};

type SourceFields = typeof fields;

export const sourceForm: Form<SourceFields, SourceFormContext, SourceContent> = {
  name: FORM_NAME,
  version: 1,
  noun: 'source form',
  title: 'Update a source',
  submitLabel: 'Review',
  command: '/update-source',
  fields,
  contextLoader: sourceContextLoader,
  hideableFields: ['description', 'value'],
  findHiddenFields: ({ formContext }) => (formContext.source ? [] : ['description', 'value']),
  // A value that people see in the form can be changed, but not deleted.
  findRequiredFields: ({ formContext: { source } }) =>
    source && findPrefillObstacle(source) === undefined ? ['value'] : [],
  renderAboveFields: ({ formContext: { notice } }) => [
    context(notice === undefined ? SOURCE_EXPLANATION : plain(`⚠️ ${notice}`)),
  ],
  renderBelowFields: ({ formContext }) => ({
    description: isTooLong(formContext.source?.description)
      ? [context(`The current description ${TOO_LONG_NOTE}`)]
      : [],
    value: renderValueNotes(formContext),
  }),
  check: checkSource,
  createConfirmation: ([content]) => content && buildConfirmation(content),
  onSubmit: {
    kind: sourceSubmission,
    intercept: (call, _contents, { formContext }, { formId }) => findLaterChange(call, formContext, formId),
    toValues: ({ project, source, to }) => ({
      project,
      source,
      description: to.description ?? '',
      value: to.value ?? '',
    }),
  },
};

const MASKED_NOTE = 'The current value looks masked, so it isn’t shown. Leave empty to keep it.';
const TOO_LONG_NOTE = 'is too long to show here. Leave empty to keep it.';

function renderValueNotes({ source }: SourceFormContext): KnownBlock[] {
  const obstacle = source && findPrefillObstacle(source);
  if (obstacle === undefined) return [];
  if (obstacle === 'no-value') return [context('The service shows no value. Leave empty to keep it.')];
  return [context(obstacle === 'masked' ? MASKED_NOTE : `The current value ${TOO_LONG_NOTE}`)];
}

/** Whether a text is too long for a field. The field is then shown empty, and an empty field keeps the long text. */
function isTooLong(text: string | undefined): boolean {
  return text !== undefined && findPrefillObstacle({ value: text }) === 'too-long';
}

function checkSource({
  values,
  formContext,
}: FormState<SourceFields, SourceFormContext>): CheckResult<SourceFields, SourceContent> {
  const { project: chosenProject, source: chosenSource, description, value } = values;
  const { source } = formContext;
  if (!chosenProject || !chosenSource) return invalid({});
  if (!source || source.id !== chosenSource.id || formContext.projectId !== chosenProject.id)
    return invalid({ source: 'Its values haven’t loaded yet. Choose it again.' });
  const currentValue = getVisibleValue(source);
  if (isBlank(value) && findPrefillObstacle(source) === undefined)
    return invalid({ value: 'Enter a value. A source can’t be read without one.' });
  // Another value that looks masked may be a real one. The confirmation shows it.
  if (looksMasked(value) && (isSameText(value, source.value) || !/[\p{L}\p{N}]/u.test(value)))
    return invalid({ value: 'This looks like a masked value. Enter the whole value.' });
  const { description: currentDescription } = source;
  const isDescriptionUnchanged =
    isSameText(description, currentDescription) || (description === '' && isTooLong(currentDescription));
  const newDescription = isDescriptionUnchanged ? currentDescription : description;
  const newValue = isBlank(value) || isSameText(value, currentValue) ? currentValue : value;
  const content: SourceContent = {
    project: chosenProject,
    source: { id: source.id, name: source.name },
    to: { description: newDescription, value: newValue },
    before: { description: currentDescription, value: currentValue },
  };
  const changedFields = findChangedFields(content);
  if (!changedFields.description && !changedFields.value)
    return invalid({ description: 'Nothing has changed.' });
  return valid(content);
}

const NONE_TEXT = '(none)';
const orElse = (text: string | undefined, emptyText: string) =>
  text === undefined || isBlank(text) ? emptyText : text;
const NOT_SHOWN_TEXT = '(not shown)';

/** Builds the confirmation with the full values before and after the change. */
function buildConfirmation(content: SourceContent): Confirmation {
  const { to, before, project } = content;
  const changedFields = findChangedFields(content);
  const emptyValueText = before.value === undefined ? NOT_SHOWN_TEXT : NONE_TEXT;
  return {
    title: 'Update this source?',
    submitLabel: 'Update',
    blocks: [
      context(plain(`Source: ${content.source.name}`), plain(`Project: ${project.name}`)),
      ...(changedFields.description
        ? renderChange('Description', before.description, to.description, NONE_TEXT)
        : [context('Description: stays as it is.')]),
      ...(changedFields.value
        ? renderChange('Value', before.value, to.value, emptyValueText)
        : [context('Value: stays as it is.')]),
      context('You can’t undo this.'),
    ],
  };
}

/** Renders the texts before and after a change. `emptyText` is shown in place of a missing or empty text. */
function renderChange(
  label: string,
  textBefore: string | undefined,
  textAfter: string | undefined,
  emptyText: string,
): KnownBlock[] {
  return [
    section(`*${label}, before:*`),
    plainSection(orElse(textBefore, emptyText)),
    section(`*${label}, after:*`),
    plainSection(orElse(textAfter, emptyText)),
  ];
}

/** Maximum length of a new text in the form's banner. Slack allows 3,000 characters for the whole banner. */
const MAX_BANNER_TEXT_LENGTH = 1_000;

/**
 * Reads the source once more before the update is sent. If somebody else has changed it, or if it can't be read, nothing
 * is sent, and the form says what happened. A second submission replaces the new values, which the person has seen.
 */
async function findLaterChange(
  { context: { api, db, pace, reads }, actor: { workspace } }: SubmissionCall,
  formContext: SourceFormContext,
  formId: string,
): Promise<KeptOpen<SourceFields, SourceFormContext> | 'send'> {
  const { source: knownSource, projectId } = formContext;
  if (!knownSource || projectId === undefined) throw new Error('the submitted form has no source');
  // A copy of a sent form finds the change that it made itself. It is answered with the state of that update.
  if (await wasFormSent(db, { workspace, origin: formId })) return 'send';
  // The other half of the response time is for sending the update.
  const reading = listSources(api, projectId).then(toListedSources);
  const outcome = await within(pace.acknowledgementTimeoutMs / 2, reading);
  const listed = outcome?.kind === 'done' && outcome.data.isReadable ? outcome.data : undefined;
  const source = listed?.items.find(({ id }) => id === knownSource.id);
  if (source) {
    const changes = describeChanges(knownSource, source);
    if (changes.length === 0) {
      reads.drop(api, projectId);
      return 'send';
    }
    const lines = ['Somebody else changed this source. To replace their version, submit again.', ...changes];
    const banner = `:warning: *Nothing was saved.* ${lines.join('\n')}`;
    return { banner, formContext: { ...formContext, source } };
  }
  const reason =
    listed && !listed.isTruncated && listed.unreadableCount === 0
      ? 'This source no longer exists. Choose another.'
      : `I couldn’t check for changes. ${explainFailure(outcome)} Your text is still here: submit it again.`;
  return { banner: `:warning: *Nothing was saved.* ${escapeText(reason)}`, formContext };
}

function describeChanges(known: ListedSource, current: ListedSource): string[] {
  const renderText = (text: string | undefined, emptyText: string) =>
    escapeText(clip(orElse(text, emptyText), MAX_BANNER_TEXT_LENGTH));
  return [
    ...(isSameText(known.description, current.description)
      ? []
      : [`*Description now:* ${renderText(current.description, NONE_TEXT)}`]),
    ...(isSameText(known.value, current.value)
      ? []
      : [`*Value now:* ${renderText(getVisibleValue(current), NOT_SHOWN_TEXT)}`]),
  ];
}

/** Explains why the source couldn't be read (plain text). */
function explainFailure(outcome: ReturnType<typeof toListedSources> | undefined): string {
  if (!outcome) return 'The scheduling service hasn’t answered yet.';
  if (outcome.kind !== 'done') return renderServiceFailure(outcome);
  return outcome.data.isReadable
    ? 'I couldn’t read all sources of the project, and this one isn’t among the others.'
    : renderReadFailure('unreadable', 'sources');
}
