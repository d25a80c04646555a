import type { KnownBlock, PlainTextElement } from '@slack/types';
import { POST_FIELDS } from '../api/post-fields.ts';
import type { Post } from '../api/posts.ts';
import { MINUTE_MS } from '../durations.ts';
import { buildTextSections, context, plain, plainSection, sanitizeLine } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';
import { buildPicture } from '../slack/message.ts';
import { clip, renderCount, renderCounted, renderDuration } from '../words.ts';
import { renderMediaReference } from './media-reference.ts';
import { renderPlatformNames } from './platforms.ts';

/** UTF-16 units of an excerpt. Our own limit, for places with little space. */
const MAX_EXCERPT_LENGTH = 150;
/** Number of characters that an excerpt is made from. The rest of a long text is ignored. */
const EXCERPT_SOURCE_LENGTH = 400;
/** Maximum pieces of a text. A piece has up to 3,000 characters, and a view has at most 250 KB. */
const MAX_PIECES = 20;

export type CardPost = Omit<Post, 'id'>;

/** Renders the texts of a post besides its content, and where the text of a post without content comes from. */
export function renderOtherTexts(post: CardPost): PlainTextElement[] {
  return listOtherTexts(post).map(({ label, text }) =>
    plain(text === undefined ? renderTextSource(label) : `${label}: ${clip(text, MAX_EXCERPT_LENGTH)}`),
  );
}

/** Whether a card shows only the beginning of one of these texts, or only where the text comes from. */
export function areOtherTextsCut(post: CardPost): boolean {
  return listOtherTexts(post).some(({ text }) => text === undefined || text.length > MAX_EXCERPT_LENGTH);
}

/** `text`: undefined if the post names only the source of its text. */
function listOtherTexts(post: CardPost): { label: string; text: string | undefined }[] {
  const hasText = (post.content ?? '').trim() !== '';
  return POST_FIELDS.flatMap(({ name, label, isId }) => {
    const { [name]: value } = post;
    if (!value || name === 'content' || (isId && hasText)) return [];
    // Only the address leads to a file that the card doesn't show.
    const shown = name === 'media' && buildPicture(value) ? renderMediaReference(value) : value;
    return [{ label, text: isId ? undefined : shown }];
  });
}

/** Renders "Text from a template". */
function renderTextSource(label: string): string {
  return `Text from a ${label.toLowerCase()}`;
}

interface ShownText {
  post: CardPost;
  templateText?: string | undefined;
  /** Whether a long text takes several blocks. Otherwise it is cut. */
  hasWholeText?: boolean | undefined;
  /** Characters for all texts of platforms with another text. Defaults to 6,000, for a message with nothing else. */
  ownTextsLength?: number | undefined;
}

/** Slack refuses messages that are too long. */
const MAX_OWN_TEXTS_LENGTH = 6_000;

function getMaxOwnLength({ post, hasWholeText, ownTextsLength = MAX_OWN_TEXTS_LENGTH }: ShownText): number {
  if (hasWholeText) return LIMITS.sectionText;
  return Math.min(LIMITS.sectionText, Math.floor(ownTextsLength / Math.max(post.ownTexts?.length ?? 0, 1)));
}

/** Whether a card shows only the beginning of a text. */
export function isTextCut(shown: ShownText): boolean {
  const { content = '', ownTexts = [] } = shown.post;
  const maxLength = getMaxOwnLength(shown);
  return (
    (!shown.hasWholeText && content.trim().length > LIMITS.sectionText) ||
    ownTexts.some(({ text }) => text.trim().length > maxLength)
  );
}

export function renderPostText(shown: ShownText): KnownBlock[] {
  return [...renderMainText(shown), ...renderOwnTexts(shown)];
}

export function renderOwnTexts(shown: ShownText): KnownBlock[] {
  const { ownTexts = [] } = shown.post;
  const maxLength = getMaxOwnLength(shown);
  return ownTexts.flatMap(({ platforms, text: untrimmed }) => {
    const text = untrimmed.trim();
    const length =
      text.length > maxLength ? `, the first of its ${text.length.toLocaleString('en-GB')} characters` : '';
    return [
      context(plain(`Text for ${renderPlatformNames(platforms)}${length}:`)),
      plainSection(clip(text, maxLength)),
    ];
  });
}

/** Renders the beginning of a text, and says how much is missing. */
function renderBeginning(text: string): KnownBlock[] {
  const shown = clip(text, LIMITS.sectionText);
  const hiddenLength = text.length - shown.length + 1;
  return [
    plainSection(shown),
    ...(shown === text ? [] : [context(`…and ${hiddenLength.toLocaleString('en-GB')} more characters.`)]),
  ];
}

export function renderMainText({ post, templateText = '', hasWholeText }: ShownText): KnownBlock[] {
  const source = [post.content, templateText].find((candidate) => candidate?.trim())?.trim();
  if (source === undefined) return renderOtherTexts(post).length > 0 ? [] : [context(renderExcerpt(post))];
  if (!hasWholeText) return renderBeginning(source);
  // Control characters are invisible, and JSON needs six bytes for each.
  const text = source.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');
  return text.trim() === '' ? [context(renderExcerpt(post))] : buildTextSections(text, MAX_PIECES);
}

export function renderPostBody(post: CardPost): KnownBlock[] {
  const source = renderOtherTexts(post);
  return [...renderPostText({ post }), ...(source.length === 0 ? [] : [context(...source)])];
}

/** Renders an excerpt of the text on one line. Without a text, uses the template's or names its source. */
export function renderExcerpt(post: CardPost, templateText = ''): string {
  const { content = '', media, unreadableFields = [] } = post;
  const [text = '', shownTemplateText = ''] = [content, templateText].map((source) =>
    toExcerpt(sanitizeLine(source.slice(0, EXCERPT_SOURCE_LENGTH))),
  );
  if (text !== '') return text;
  if (unreadableFields.includes('Content')) return 'Unreadable text';
  const source = POST_FIELDS.find(({ name, isId }) => isId && post[name] !== undefined);
  if (source)
    return shownTemplateText === ''
      ? renderTextSource(source.label)
      : `From a template: ${shownTemplateText}`;
  return media === undefined ? 'No text' : 'No text, only media';
}

/** Shortens a text to its beginning, on one line. */
export function toExcerpt(text: string, limit = MAX_EXCERPT_LENGTH): string {
  // Without the full stop of a whole sentence, which would look like a fourth dot.
  return clip(text.replace(/\s+/g, ' ').trim(), limit).replace(/(?<![\s.…])[\s.…]+…$/, '…');
}

/** Renders how long before its time a post is handed over: "1 hour", "2 days", "1 hour 30 minutes". */
export const renderLead = (leadMinutes: number): string => renderDuration(leadMinutes * MINUTE_MS);

/** Returns "post", or "submission" if some of the known `kinds` aren't posts, such as invitations. */
export function getNoun(kinds: readonly string[]): 'post' | 'submission' {
  return kinds.every((kind) => kind === 'post') ? 'post' : 'submission';
}

/** How much waits, and the known kinds of it. */
export interface Waiting {
  count: number;
  kinds: readonly string[];
}

/** Renders "3 posts are", or "3 submissions are". `verbs`: other verbs than "is" and "are". */
export function renderWaitingCount(
  { count, kinds }: Waiting,
  [singular, plural]: readonly [string, string] = ['is', 'are'],
): string {
  const noun = getNoun(kinds);
  return renderCounted(count, `${noun} ${singular}`, `${noun}s ${plural}`);
}

/** Renders how many posts can't be stopped any more, without a period: "1 post has gone to …, or is on the way to it". */
export function renderSentCount(count: number): string {
  return `${renderCount(count, 'post has', 'posts have')} gone to the scheduling service, or ${count === 1 ? 'is' : 'are'} on the way to it`;
}

/** Renders the numbers of posts and drafts: "5 posts and 1 draft". A number is left out if it is 0, but not both. */
export function renderPostCount(counts: {
  posts: number;
  drafts: number;
  /** What the posts are called, in the singular. */
  noun?: string;
}): string {
  const { posts, drafts, noun = 'post' } = counts;
  if (drafts === 0) return renderCount(posts, noun);
  const draftCount = renderCount(drafts, 'draft');
  return posts === 0 ? draftCount : `${renderCount(posts, noun)} and ${draftCount}`;
}
