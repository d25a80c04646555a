import type { KnownBlock } from '@slack/types';
import { mapDone } from '../../api/outcome.ts';
import type { CheckResult, Form, FormState } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { isBlank, textField } from '../../forms/inputs/text.ts';
import { context, plain } from '../../slack/blocks.ts';
import { buildConfirmation } from './confirm-change.ts';
import {
  findPrefillObstacle,
  getVisibleValue,
  isSameText,
  looksMasked,
  toListedSource,
} from './listed-source.ts';
import { type SourceFormContext, sourceContextLoader } from './source-context.ts';
import { SOURCE_EXPLANATION } from './source-messages.ts';
import { findChangedFields, type SourceContent, sourceSubmission } from './source-submission.ts';

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
      mapDone(await context.reads.listSources(context.api, id), ({ items, isTruncated }) => ({
        items: items.map(toListedSource),
        isTruncated,
      })),
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

/** The form that changes the description or the value of a source. */
export const sourceForm: Form<SourceFields, SourceFormContext, SourceContent> = {
  name: FORM_NAME,
  version: 1,
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
    description: renderDescriptionNotes(formContext),
    value: renderValueNotes(formContext),
  }),
  deriveChanges({ formContext: { initialValues, ...formContext } }) {
    if (!initialValues) return {};
    const { project, source, description, value } = initialValues;
    const initialTexts = {
      ...(description !== undefined && { description }),
      ...(value !== undefined && { value }),
    };
    return { values: { ...(project && { project }), source, ...initialTexts }, formContext };
  },
  check: checkSource,
  createConfirmation: ([content], { formContext }) => content && buildConfirmation(content, formContext),
  onSubmit: {
    kind: sourceSubmission,
    toValues: ({ project, source, to }) => ({
      project,
      source,
      description: to.description ?? '',
      value: to.value ?? '',
    }),
  },
};

const MASKED_NOTE = 'The service hides the current value. Leave empty to keep it.';
const TOO_LONG_NOTE = 'is too long to show here. Leave empty to keep it.';

function renderValueNotes({ source }: SourceFormContext): KnownBlock[] {
  const obstacle = source && findPrefillObstacle(source);
  if (obstacle === undefined) return [];
  if (obstacle === 'no-value') return [context('The service shows no value. Leave empty to keep it.')];
  return [context(obstacle === 'masked' ? MASKED_NOTE : `The current value ${TOO_LONG_NOTE}`)];
}

function renderDescriptionNotes({ source }: SourceFormContext): KnownBlock[] {
  return isTooLong(source?.description) ? [context(`The current description ${TOO_LONG_NOTE}`)] : [];
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
  if (!chosenProject || !chosenSource) return { kind: 'invalid', errors: {} };
  if (!source || source.id !== chosenSource.id || formContext.projectId !== chosenProject.id)
    return createFieldError('source', 'Its values haven’t loaded yet. Choose it again.');
  const currentValue = getVisibleValue(source);
  if (isBlank(value) && findPrefillObstacle(source) === undefined)
    return createFieldError('value', 'Enter a value. A source can’t be read without one.');
  if (looksMasked(value))
    return createFieldError('value', 'This looks like a masked value. Enter the whole value.');
  const { description: currentDescription } = source;
  const isDescriptionUnchanged =
    isSameText(description, currentDescription) || (description === '' && isTooLong(currentDescription));
  const newDescription = isDescriptionUnchanged ? currentDescription : description;
  const newValue = isBlank(value) || isSameText(value, currentValue) ? currentValue : value;
  const content: SourceContent = {
    project: chosenProject,
    source: { id: source.id, name: source.name },
    to: {
      ...(newDescription !== undefined && { description: newDescription }),
      ...(newValue !== undefined && { value: newValue }),
    },
    before: {
      ...(currentDescription !== undefined && { description: currentDescription }),
      ...(currentValue !== undefined && { value: currentValue }),
    },
    isUndo: false,
  };
  const changedFields = findChangedFields(content);
  if (!changedFields.description && !changedFields.value)
    return createFieldError('description', 'Nothing has changed.');
  return { kind: 'valid', contents: [content] };
}

function createFieldError(
  field: keyof SourceFields,
  message: string,
): CheckResult<SourceFields, SourceContent> {
  return { kind: 'invalid', errors: { [field]: message } };
}
