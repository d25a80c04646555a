import type { KnownBlock } from '@slack/types';
import type { Confirmation } from '../../forms/form.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import { getVisibleValue, isSameText, type ListedSource } from './listed-source.ts';
import type { SourceFormContext } from './source-context.ts';
import { findChangedFields, type SourceContent } from './source-submission.ts';

const NONE_TEXT = '(none)';
const NOT_SHOWN_TEXT = '(hidden by the service)';
const UNDO_TEXT = 'You can undo this for 24 hours.';
const NO_UNDO_TEXT = 'The service hides the old value, so you can’t undo this.';

/**
 * Builds the confirmation with the full values before and after the change. `failureText` is the reason why nothing was
 * sent when the person confirmed the change before (plain text).
 */
export function buildConfirmation(
  content: SourceContent,
  formContext: SourceFormContext,
  failureText?: string,
): Confirmation {
  const { source, previousSource } = formContext;
  const { to, before, project } = content;
  const changedFields = findChangedFields(content);
  return {
    title: previousSource ? 'Source changed' : 'Update this source?',
    submitLabel: previousSource ? 'Overwrite' : 'Update',
    blocks: [
      ...(failureText === undefined ? [] : [plainSection(`⚠️ Nothing was sent. ${failureText}`)]),
      ...(previousSource && source ? renderConflict(previousSource, source) : []),
      context(plain(`Source: ${content.source.name}`), plain(`Project: ${project.name}`)),
      ...(changedFields.description
        ? renderChange('Description', before.description, to.description)
        : renderNoChange('Description')),
      ...(changedFields.value
        ? renderChange(
            'Value',
            before.value,
            to.value,
            before.value === undefined ? NOT_SHOWN_TEXT : NONE_TEXT,
          )
        : renderNoChange('Value')),
      context(changedFields.value && before.value === undefined ? NO_UNDO_TEXT : UNDO_TEXT),
    ],
  };
}

/** Renders somebody else's change since the form was opened, with a heading for the author's own change below it. */
function renderConflict(previousSource: ListedSource, current: ListedSource): KnownBlock[] {
  const isValueChanged = !isSameText(previousSource.value, current.value);
  return [
    section(
      ':warning: *Somebody changed this source while you were editing. Nothing was saved.*\nOverwrite it with your version, or go back to edit.',
    ),
    ...(isSameText(previousSource.description, current.description)
      ? []
      : renderChange('Description now', previousSource.description, current.description)),
    ...(isValueChanged
      ? renderChange('Value now', getVisibleValue(previousSource), getVisibleValue(current), NOT_SHOWN_TEXT)
      : []),
    section('*Yours:*'),
  ];
}

function renderNoChange(label: string): KnownBlock[] {
  return [context(`${label}: stays as it is.`)];
}

/** Renders the texts before and after a change. `emptyText` is shown in place of a missing or empty text. */
function renderChange(
  label: string,
  textBefore: string | undefined,
  textAfter: string | undefined,
  emptyText: string = NONE_TEXT,
): KnownBlock[] {
  const renderText = (text: string | undefined) =>
    text === undefined || text.trim() === '' ? emptyText : text;
  return [
    section(`*${label}, before:*`),
    plainSection(renderText(textBefore)),
    section(`*${label}, after:*`),
    plainSection(renderText(textAfter)),
  ];
}
