import type { KnownBlock } from '@slack/types';
import { mapDone } from '../../api/outcome.ts';
import type { CheckResult, Form, FormState } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { isBlank, textField } from '../../forms/inputs/text.ts';
import { context, plain } from '../../slack/blocks.ts';
import { confirmChange } from './confirm-change.ts';
import { checkPrefill, isSameText, knownValue, looksMasked, toSeenSource } from './seen-source.ts';
import { type SourceFormContext, sourceContextLoader } from './source-facts.ts';
import { findChanges, type SourceContent, sourceSubmission } from './source-submission.ts';

export const FORM = 'source';

const fields = {
  project: projectField({ isLive: true }),
  source: searchableField({
    label: 'Source',
    apiFields: 'source_id',
    isLive: true,
    needsProject: true,
    placeholder: 'Choose a source',
    none: 'No sources in this project',
    find: async ({ call: { context }, project: id = '' }) =>
      mapDone(await context.reads.listSources(context.api, id), ({ items, isTruncated }) => ({
        items: items.map(toSeenSource),
        isTruncated,
      })),
  }),
  description: textField({ label: 'Description', apiFields: 'Description', multiline: true, optional: true }),
  value: textField({
    label: 'Value',
    apiFields: 'Source',
    multiline: true,
    optional: true,
    hint: 'It may be a secret: it is shown here only, and kept sealed.',
  }),
};

type SourceFields = typeof fields;

/** The form that changes the description or the value of a source. */
export const sourceForm: Form<SourceFields, SourceFormContext, SourceContent> = {
  name: FORM,
  version: 1,
  title: 'Update a source',
  submitLabel: 'Review',
  command: '/update-source',
  fields,
  contextLoader: sourceContextLoader,
  hideableFields: ['description', 'value'],
  findHiddenFields: ({ formContext }) => (formContext.source ? [] : ['description', 'value']),
  renderAboveFields: ({ formContext: { notice } }) =>
    notice === undefined ? [] : [context(plain(`⚠️ ${notice}`))],
  renderBelowFields: ({ formContext }) => ({
    description: descriptionNotes(formContext),
    value: valueNotes(formContext),
  }),
  deriveChanges({ formContext: { initialValues, ...formContext } }) {
    if (!initialValues) return {};
    const { project, source, description, value } = initialValues;
    const texts = {
      ...(description !== undefined && { description }),
      ...(value !== undefined && { value }),
    };
    return { values: { ...(project && { project }), source, ...texts }, formContext };
  },
  check: checkSource,
  createConfirmation: ([content], { formContext }) => content && confirmChange(content, formContext),
  destination: {
    kind: sourceSubmission,
    toValues: ({ project, source, to }) => ({
      project,
      source,
      description: to.description ?? '',
      value: to.value ?? '',
    }),
  },
};

const MASKED =
  'The service shows the present value only masked, so it is not filled in. Left empty, it stays as it is: then I send the description alone.';
const LONG = 'is longer than fits here, so it is not filled in. Left empty, it stays as it is.';

function valueNotes({ source }: SourceFormContext): KnownBlock[] {
  const reason = source && checkPrefill(source);
  if (reason === undefined) return [];
  if (reason === 'none') return [context('The service shows no value of it. Left empty, it stays as it is.')];
  return [context(reason === 'masked' ? MASKED : `The present value ${LONG}`)];
}

function descriptionNotes({ source }: SourceFormContext): KnownBlock[] {
  return isTooLong(source?.description) ? [context(`The present description ${LONG}`)] : [];
}

/** Whether a field can't show a text. Leaving that field empty doesn't delete the text. */
function isTooLong(text: string | undefined): boolean {
  return text !== undefined && checkPrefill({ value: text }) === 'too-long';
}

function checkSource({
  values,
  formContext,
}: FormState<SourceFields, SourceFormContext>): CheckResult<SourceFields, SourceContent> {
  const { project: chosenProject, source: chosen, description, value } = values;
  const { source } = formContext;
  if (!chosenProject || !chosen) return { kind: 'invalid', errors: {} };
  if (!source || source.id !== chosen.id || formContext.projectId !== chosenProject.id)
    return faulty('source', 'Its present values are not here yet. Choose it again.');
  const known = knownValue(source);
  if (isBlank(value) && checkPrefill(source) === undefined)
    return faulty('value', 'Fill in “Value”: without one there would be nothing to read from.');
  if (looksMasked(value))
    return faulty(
      'value',
      'This looks like a masked value, and would take the place of the real one. Write the whole value.',
    );
  const { description: current } = source;
  const isUnchanged = isSameText(description, current) || (description === '' && isTooLong(current));
  const toDescription = isUnchanged ? current : description;
  const toValue = isBlank(value) || isSameText(value, known) ? known : value;
  const content: SourceContent = {
    project: chosenProject,
    source: { id: source.id, name: source.name },
    to: {
      ...(toDescription !== undefined && { description: toDescription }),
      ...(toValue !== undefined && { value: toValue }),
    },
    before: {
      ...(current !== undefined && { description: current }),
      ...(known !== undefined && { value: known }),
    },
    back: false,
  };
  const changed = findChanges(content);
  if (!changed.description && !changed.value)
    return faulty('description', 'Nothing is different from what is there now.');
  return { kind: 'valid', contents: [content] };
}

function faulty(field: keyof SourceFields, message: string): CheckResult<SourceFields, SourceContent> {
  return { kind: 'invalid', errors: { [field]: message } };
}
