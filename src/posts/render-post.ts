import type { KnownBlock } from '@slack/types';
import type { Post } from '../api/posts.ts';
import { clip, context, escapeText, plain, plainSection, section } from '../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../slack/emulator-notice.ts';
import type { Message } from '../slack/message.ts';
import { formatMoment, isZone } from '../when/when.ts';
import { renderPlatformNames } from './platforms.ts';

/** UTF-16 units of an excerpt. Our own limit, for places with little space. */
const MAX_EXCERPT_LENGTH = 150;

/** The fields of a post that a card shows. */
export type CardPost = Pick<
  Post,
  'content' | 'media' | 'scheduleDate' | 'timezone' | 'platforms' | 'status' | 'templateId' | 'promptId'
>;

/** Renders a post with its project, platforms, text, and date, both in the post's zone and in each reader's zone. */
export function renderPostCard(card: {
  title: string;
  post: CardPost;
  project: string;
  now: Date;
  practice: boolean;
  /** The author's display name, if the post was sent with Upnext. */
  authorName?: string | undefined;
}): Message & { blocks: KnownBlock[] } {
  const { post, now } = card;
  const moment = post.scheduleDate && renderMoment(post.scheduleDate, post.timezone, now);
  const localTime =
    post.scheduleDate && moment && `Your time: ${renderMomentForReaders(post.scheduleDate, moment)}`;
  const platforms = renderPlatformNames(post.platforms);
  const dateText = moment ?? 'No date';
  const footer = [
    plain(`Project: ${card.project}`),
    plain(platforms === '' ? 'No platform' : platforms),
    ...(localTime ? [localTime] : []),
    ...(card.practice ? [EMULATOR_NOTICE] : []),
    ...(card.authorName === undefined ? [] : [plain(`by ${card.authorName}`)]),
  ];
  return {
    text: escapeText(`${card.title}: ${dateText}, ${card.project}. ${toExcerpt(post.content ?? '')}`.trim()),
    blocks: [
      section(`*${escapeText(card.title)}*\n${escapeText(dateText)}`),
      ...renderPostBody(post),
      context(...footer),
    ],
  };
}

/** Renders the text of a post, and its media, template and prompt. */
export function renderPostBody(post: CardPost): KnownBlock[] {
  const content = post.content?.trim() ?? '';
  const lines = [
    post.media && `Media: ${clip(post.media, MAX_EXCERPT_LENGTH)}`,
    post.templateId && `Template: ${clip(post.templateId, MAX_EXCERPT_LENGTH)}`,
    post.promptId && `Prompt: ${clip(post.promptId, MAX_EXCERPT_LENGTH)}`,
  ].filter((line) => line !== undefined && line !== '');
  return [
    ...(content === '' ? [] : [plainSection(content)]),
    ...(content === '' && lines.length === 0 ? [context('No text')] : []),
    ...(lines.length === 0 ? [] : [context(...lines.map((line) => plain(String(line))))]),
  ];
}

/** Shortens a text to its beginning, on one line. */
export function toExcerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), MAX_EXCERPT_LENGTH);
}

/** Renders an instant in a zone, or in UTC if the zone is missing or unknown. */
export function renderMoment(instant: Date, zone: string | undefined, now: Date): string {
  return formatMoment({ instant, zone: zone !== undefined && isZone(zone) ? zone : 'UTC' }, { now });
}

/**
 * Renders an instant as mrkdwn that Slack shows in the zone of each reader:
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function renderMomentForReaders(instant: Date, fallback: string): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<!date^${seconds}^{date_short}, {time}|${fallback}>`;
}

/**
 * Renders an instant in the actor's zone. Undefined if the wall time is the same in both zones, or the zone is unknown.
 */
export function renderMomentInActorZone(
  instant: Date,
  zone: string,
  actorZone: string | undefined,
  now: Date,
): string | undefined {
  if (actorZone === undefined || !isZone(actorZone)) return undefined;
  const [postText, actorText] = [renderMoment(instant, zone, now), renderMoment(instant, actorZone, now)];
  const removePlace = (text: string) => text.replace(/ \([^)]*\)$/, '');
  return removePlace(postText) === removePlace(actorText) ? undefined : actorText;
}
