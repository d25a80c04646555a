import type { KnownBlock, ModalView } from '@slack/types';
import type { PostCopy } from '../../../forms/post-copies.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMoment, renderMomentInActorZone } from '../../../posts/render-post.ts';
import { actions, button, context, plain, plainSection, section } from '../../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { PRACTICE_NOTICE } from '../../../slack/practice.ts';
import { copiedText, copyButtonText, statusText } from './post-row.ts';
import type { ListedPost } from './read-list.ts';

/** The button's value is the opaque id of the stored post. */
export const AGAIN_BUTTON = 'list-posts.again';

/** The pieces of 3,000 characters that are shown of a text. A view has at most 250 KB. */
const MAX_PIECES = 20;
const MAX_FACT_LENGTH = 500;

/** A post with its whole text and all its fields. */
export function postView(view: {
  id: string;
  post: PostCopy;
  copied: ListedPost['copied'];
  reader: { now: Date; knownZone?: string | undefined };
  practice: boolean;
}): ModalView {
  const { post, reader, practice } = view;
  const when = post.scheduleDate && renderMoment(new Date(post.scheduleDate), post.timezone, reader.now);
  return {
    type: 'modal',
    title: plain('Post', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      section(
        `*${escapeText(when ?? noDateText(post))}*\n${escapeText(clip(sanitizeLine(post.project.name), MAX_FACT_LENGTH))}`,
      ),
      ...textBlocks(post),
      context(plain(factLines(view).join('\n'))),
      actions(button(copyButtonText(post), AGAIN_BUTTON, view.id, 'primary')),
      context('It cannot be changed or removed from here: the service offers no way to.'),
      ...(practice ? [context(PRACTICE_NOTICE)] : []),
    ],
  };
}

function noDateText({ unread = [], timezone }: PostCopy): string {
  if (unread.includes('ScheduleDate')) return `A date that I cannot read${timezone ? ` (${timezone})` : ''}`;
  return 'No date';
}

/** The text in pieces that fit a section. No piece splits a surrogate pair. */
function textBlocks({ content = '', unread = [] }: PostCopy): KnownBlock[] {
  // Control characters are invisible, and JSON needs six bytes for each.
  const text = content.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < MAX_PIECES && text.slice(start).trim() !== '') {
    const end = start + LIMITS.sectionText;
    const isWithin = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    pieces.push(text.slice(start, isWithin ? end - 1 : end));
    start = isWithin ? end - 1 : end;
  }
  if (pieces.length === 0)
    return [context(unread.includes('Content') ? 'A text that I cannot read' : 'No text')];
  const rest = Math.max(0, text.trimEnd().length - start);
  return [
    ...pieces.map((piece) => plainSection(piece)),
    ...(rest > 0 ? [context(`…and ${rest} more characters. The service has the whole text.`)] : []),
  ];
}

function factLines({ post, copied, reader }: Parameters<typeof postView>[0]): string[] {
  const { scheduleDate, timezone = 'UTC', unread = [] } = post;
  const own =
    scheduleDate && renderMomentInActorZone(new Date(scheduleDate), timezone, reader.knownZone, reader.now);
  const platforms = renderPlatformNames(post.platforms);
  const fact = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? [] : [`${name}: ${clip(sanitizeLine(value), MAX_FACT_LENGTH)}`];
  return [
    ...fact('Status', statusText(post.status)),
    ...(copied ? [`This draft was ${copiedText(copied, reader.now)}.`] : []),
    ...fact('Your time', own),
    ...fact('Platforms', platforms === '' ? 'none yet' : platforms),
    ...fact('Sent by', post.by),
    ...fact('Media', post.media),
    ...fact('Template', post.templateId),
    ...fact('Prompt', post.promptId),
    ...fact('Time zone', post.timezone),
    ...fact('Id', post.id),
    ...fact('Not readable', unread.join(', ')),
  ];
}
