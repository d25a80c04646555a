import type { KnownBlock } from '@slack/types';
import type { Confirmation } from '../../forms/form.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import { getVisibleValue, isSameText, type SeenSource } from './seen-source.ts';
import type { SourceFormContext } from './source-context.ts';
import { findChangedFields, type SourceContent } from './source-submission.ts';

const REVERTIBLE_TEXT = 'For 24 hours one press puts the old values back.';
const NOT_REVERTIBLE_TEXT = 'The service does not show the old value, so I cannot put that back later.';

/**
 * Builds the view that replaces the form and shows the values before and after the change, in full. `trouble` is the
 * reason why an earlier attempt was not sent (plain text).
 */
export function buildConfirmation(
  content: SourceContent,
  formContext: SourceFormContext,
  trouble?: string,
): Confirmation {
  const { source, previous } = formContext;
  const { to, before, project } = content;
  const changedFields = findChangedFields(content);
  return {
    title: previous ? 'Changed meanwhile' : 'Update this source?',
    submitLabel: previous ? 'Overwrite' : 'Update',
    blocks: [
      ...(trouble === undefined ? [] : [plainSection(`⚠️ Nothing was sent. ${trouble}`)]),
      ...(previous && source ? renderConflict(previous, source) : []),
      context(plain(`Source: ${content.source.name}`), plain(`Project: ${project.name}`)),
      ...renderChange('Description', changedFields.description, before.description, to.description),
      ...renderChange('Value', changedFields.value, before.value, to.value, before.value === undefined),
      context(changedFields.value && before.value === undefined ? NOT_REVERTIBLE_TEXT : REVERTIBLE_TEXT),
    ],
  };
}

/** Renders somebody else's change since the form was opened. The author's own change comes after it. */
function renderConflict(previous: SeenSource, current: SeenSource): KnownBlock[] {
  const isValueChanged = !isSameText(previous.value, current.value);
  return [
    section(
      ':warning: *Somebody changed it while the form was open, so nothing was sent.*\nOverwrite sends yours all the same; Cancel leaves what is there now; Back lets you change yours.',
    ),
    ...(isSameText(previous.description, current.description)
      ? []
      : renderChange('Description, meanwhile', true, previous.description, current.description)),
    ...(isValueChanged
      ? renderChange('Value, meanwhile', true, getVisibleValue(previous), getVisibleValue(current), true)
      : []),
    section('*Yours:*'),
  ];
}

function renderChange(
  label: string,
  isChanged: boolean,
  before: string | undefined,
  after: string | undefined,
  isHiddenWhenEmpty = false,
): KnownBlock[] {
  if (!isChanged) return [context(`${label}: stays as it is.`)];
  const emptyText = isHiddenWhenEmpty ? '(not shown by the service)' : '(none)';
  const displayText = (text: string | undefined) =>
    text === undefined || text.trim() === '' ? emptyText : text;
  return [
    section(`*${label}, before:*`),
    plainSection(displayText(before)),
    section(`*${label}, after:*`),
    plainSection(displayText(after)),
  ];
}
