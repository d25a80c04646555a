import type { KnownBlock, ModalView } from '@slack/types';
import type { PostCopy } from '../../../forms/post-copies.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMoment, renderMomentInActorZone } from '../../../posts/render-post.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../../slack/emulator-notice.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { renderCopyLabel, renderDraftCopy, renderStatus } from './post-row.ts';
import type { ListedPost } from './read-list.ts';

/** The action id of [Schedule again]. The button's value is the opaque id of the stored post. */
export const SCHEDULE_AGAIN_ACTION = 'list-posts.again';

/** Maximum pieces of a text. A piece has up to 3,000 characters, and a view has at most 250 KB. */
const MAX_PIECES = 20;
const MAX_FIELD_LENGTH = 500;

interface PostViewData {
  /** The opaque id of the stored post. */
  id: string;
  post: PostCopy;
  draftCopy: ListedPost['draftCopy'];
  reader: { now: Date; knownZone?: string | undefined };
  isEmulated: boolean;
}

/** Renders a view of a post, with its text and all other fields. */
export function renderPostView(data: PostViewData): ModalView {
  const { id, post, reader, isEmulated } = data;
  const when = post.scheduleDate && renderMoment(new Date(post.scheduleDate), post.timezone, reader.now);
  return {
    type: 'modal',
    title: plain('Post', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      section(
        `*${escapeText(when ?? renderNoDate(post))}*\n${escapeText(clip(sanitizeLine(post.project.name), MAX_FIELD_LENGTH))}`,
      ),
      ...renderText(post),
      context(plain(renderFields(data).join('\n'))),
      actions(button(renderCopyLabel(post), SCHEDULE_AGAIN_ACTION, id, 'primary')),
      context('You can’t edit or remove it from Slack.'),
      ...(isEmulated ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

function renderNoDate({ unreadableFields = [], timezone }: PostCopy): string {
  if (unreadableFields.includes('ScheduleDate')) return `Unreadable date${timezone ? ` (${timezone})` : ''}`;
  return 'No date';
}

/** Renders the text in pieces that fit a section. No piece ends within a surrogate pair. */
function renderText({ content = '', templateId, unreadableFields = [] }: PostCopy): KnownBlock[] {
  // Remove control characters: they are invisible, and JSON needs six bytes for each.
  const text = content.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < MAX_PIECES && text.slice(start).trim() !== '') {
    const end = start + LIMITS.sectionText;
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    pieces.push(text.slice(start, isWithinPair ? end - 1 : end));
    start = isWithinPair ? end - 1 : end;
  }
  if (pieces.length === 0) {
    const emptyText = templateId === undefined ? 'No text' : 'Text from a template';
    return [context(unreadableFields.includes('Content') ? 'Unreadable text' : emptyText)];
  }
  const hiddenLength = Math.max(0, text.trimEnd().length - start);
  return [
    ...pieces.map((piece) => plainSection(piece)),
    ...(hiddenLength > 0
      ? [context(`…and ${hiddenLength} more characters. See the whole text in the service.`)]
      : []),
  ];
}

function renderFields({ post, draftCopy, reader }: PostViewData): string[] {
  const { scheduleDate, timezone = 'UTC', unreadableFields = [] } = post;
  const readerMoment =
    scheduleDate && renderMomentInActorZone(new Date(scheduleDate), timezone, reader.knownZone, reader.now);
  const platforms = renderPlatformNames(post.platforms);
  const renderField = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? [] : [`${name}: ${clip(sanitizeLine(value), MAX_FIELD_LENGTH)}`];
  return [
    ...renderField('Status', renderStatus(post.status)),
    ...(draftCopy ? [`This draft was ${renderDraftCopy(draftCopy, reader.now)}.`] : []),
    ...renderField('Your time', readerMoment),
    ...renderField('Platforms', platforms === '' ? 'none yet' : platforms),
    ...renderField('Sent by', post.authorName),
    ...renderField('Media', post.media),
    ...renderField('Template', post.templateId),
    ...renderField('Prompt', post.promptId),
    ...renderField('Time zone', post.timezone),
    ...renderField('Id', post.id),
    ...renderField('Unreadable', unreadableFields.join(', ')),
  ];
}
