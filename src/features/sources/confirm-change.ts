import type { KnownBlock } from '@slack/types';
import type { Confirmation } from '../../forms/form.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import { isSameText, knownValue, type SeenSource } from './seen-source.ts';
import type { SourceFacts } from './source-facts.ts';
import { changes, type SourceContent } from './source-submission.ts';

const BACK_AGAIN = 'For 24 hours one press puts the old values back.';
const NOT_BACK = 'The service does not show the old value, so I cannot put that back later.';

/**
 * Before and after, in the form's place; values in full, as in the form. `trouble` (plain text): why it was not sent.
 */
export function confirmChange(
  content: SourceContent,
  formContext: SourceFacts,
  trouble?: string,
): Confirmation {
  const { source, was } = formContext;
  const { to, before, project } = content;
  const changed = changes(content);
  return {
    title: was ? 'Changed meanwhile' : 'Update this source?',
    submitLabel: was ? 'Overwrite' : 'Update',
    blocks: [
      ...(trouble === undefined ? [] : [plainSection(`⚠️ Nothing was sent. ${trouble}`)]),
      ...(was && source ? meanwhile(was, source) : []),
      context(plain(`Source: ${content.source.name}`), plain(`Project: ${project.name}`)),
      ...part('Description', changed.description, before.description, to.description),
      ...part('Value', changed.value, before.value, to.value, before.value === undefined),
      context(changed.value && before.value === undefined ? NOT_BACK : BACK_AGAIN),
    ],
  };
}

/** What the person began with and what somebody else has made of it; theirs stands below. */
function meanwhile(was: SeenSource, now: SeenSource): KnownBlock[] {
  const value = !isSameText(was.value, now.value);
  return [
    section(
      ':warning: *Somebody changed it while the form was open, so nothing was sent.*\nOverwrite sends yours all the same; Cancel leaves what is there now; Back lets you change yours.',
    ),
    ...(isSameText(was.description, now.description)
      ? []
      : part('Description, meanwhile', true, was.description, now.description)),
    ...(value ? part('Value, meanwhile', true, knownValue(was), knownValue(now), true) : []),
    section('*Yours:*'),
  ];
}

function part(
  label: string,
  isChanged: boolean,
  before: string | undefined,
  after: string | undefined,
  isHidden = false,
): KnownBlock[] {
  if (!isChanged) return [context(`${label}: stays as it is.`)];
  const none = isHidden ? '(not shown by the service)' : '(none)';
  const displayText = (text: string | undefined) => (text === undefined || text.trim() === '' ? none : text);
  return [
    section(`*${label}, before:*`),
    plainSection(displayText(before)),
    section(`*${label}, after:*`),
    plainSection(displayText(after)),
  ];
}
