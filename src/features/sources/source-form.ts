import type { KnownBlock } from '@slack/types';
import { mapDone } from '../../api/outcome.ts';
import type { CheckResult, Form, FormState } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { isBlank, textField } from '../../forms/inputs/text.ts';
import { context, plain } from '../../slack/blocks.ts';
import { confirmChange } from './confirm-change.ts';
import { isSameText, knownValue, looksMasked, toSeenSource, whyNotFilled } from './seen-source.ts';
import { factsOfSource, type SourceFacts } from './source-facts.ts';
import { changes, type SourceContent, sourceSubmission } from './source-submission.ts';

export const FORM = 'source';

const fields = {
  project: projectField({ isLive: true }),
  source: searchableField({
    label: 'Source',
    api: 'source_id',
    isLive: true,
    needsProject: true,
    placeholder: 'Choose a source',
    none: 'No sources in this project',
    find: async ({ call: { context }, project: id = '' }) =>
      mapDone(await context.reads.sources(context.api, id), ({ items, isTruncated }) => ({
        items: items.map(toSeenSource),
        isTruncated,
      })),
  }),
  description: textField({ label: 'Description', api: 'Description', multiline: true, optional: true }),
  value: textField({
    label: 'Value',
    api: 'Source',
    multiline: true,
    optional: true,
    hint: 'It may be a secret: it is shown here only, and kept sealed.',
  }),
};

type SourceFields = typeof fields;

/** Another description or value for a source. */
export const sourceForm: Form<SourceFields, SourceFacts, SourceContent> = {
  name: FORM,
  version: 1,
  title: 'Update a source',
  submitLabel: 'Review',
  command: '/update-source',
  fields,
  contextLoader: factsOfSource,
  hideableFields: ['description', 'value'],
  findHiddenFields: ({ formContext }) => (formContext.source ? [] : ['description', 'value']),
  renderAboveFields: ({ formContext: { said } }) => (said === undefined ? [] : [context(plain(`⚠️ ${said}`))]),
  renderBelowFields: ({ formContext }) => ({
    description: descriptionNotes(formContext),
    value: valueNotes(formContext),
  }),
  deriveChanges({ formContext: { fill, ...formContext } }) {
    if (!fill) return {};
    const { project: of, source, description, value } = fill;
    const written = {
      ...(description !== undefined && { description }),
      ...(value !== undefined && { value }),
    };
    return { values: { ...(of && { project: of }), source, ...written }, formContext };
  },
  check: checkSource,
  createConfirmation: ([content], { formContext }) => content && confirmChange(content, formContext),
  destination: {
    kind: sourceSubmission,
    toValues: ({ project: of, source, to }) => ({
      project: of,
      source,
      description: to.description ?? '',
      value: to.value ?? '',
    }),
  },
};

const MASKED =
  'The service shows the present value only masked, so it is not filled in. Left empty, it stays as it is: then I send the description alone.';
const LONG = 'is longer than fits here, so it is not filled in. Left empty, it stays as it is.';

function valueNotes({ source }: SourceFacts): KnownBlock[] {
  const why = source && whyNotFilled(source);
  if (why === undefined) return [];
  if (why === 'none') return [context('The service shows no value of it. Left empty, it stays as it is.')];
  return [context(why === 'masked' ? MASKED : `The present value ${LONG}`)];
}

function descriptionNotes({ source }: SourceFacts): KnownBlock[] {
  return isLong(source?.description) ? [context(`The present description ${LONG}`)] : [];
}

/** What a field cannot show was not taken away by leaving it empty. */
function isLong(present: string | undefined): boolean {
  return present !== undefined && whyNotFilled({ value: present }) === 'too-long';
}

function checkSource({
  values,
  formContext,
}: FormState<SourceFields, SourceFacts>): CheckResult<SourceFields, SourceContent> {
  const { project: of, source: chosen, description, value } = values;
  const { source } = formContext;
  if (!of || !chosen) return { kind: 'invalid', errors: {} };
  if (!source || source.id !== chosen.id || formContext.of !== of.id)
    return faulty('source', 'Its present values are not here yet. Choose it again.');
  const known = knownValue(source);
  if (isBlank(value) && whyNotFilled(source) === undefined)
    return faulty('value', 'Fill in “Value”: without one there would be nothing to read from.');
  if (looksMasked(value))
    return faulty(
      'value',
      'This looks like a masked value, and would take the place of the real one. Write the whole value.',
    );
  const { description: present } = source;
  const keeps = isSameText(description, present) || (description === '' && isLong(present));
  const toDescription = keeps ? present : description;
  const toValue = isBlank(value) || isSameText(value, known) ? known : value;
  const content: SourceContent = {
    project: of,
    source: { id: source.id, name: source.name },
    to: {
      ...(toDescription !== undefined && { description: toDescription }),
      ...(toValue !== undefined && { value: toValue }),
    },
    before: {
      ...(present !== undefined && { description: present }),
      ...(known !== undefined && { value: known }),
    },
    back: false,
  };
  const changed = changes(content);
  if (!changed.description && !changed.value)
    return faulty('description', 'Nothing is different from what is there now.');
  return { kind: 'valid', contents: [content] };
}

function faulty(field: keyof SourceFields, message: string): CheckResult<SourceFields, SourceContent> {
  return { kind: 'invalid', errors: { [field]: message } };
}
