import type { KnownBlock } from '@slack/types';
import type { Post } from '../api/posts.ts';
import { context, plain, plainSection, section } from '../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../slack/emulator-notice.ts';
import { clip, escapeText } from '../slack/escape.ts';
import type { Message } from '../slack/message.ts';
import { isZone, sayMoment } from '../when/when.ts';
import { platformNames } from './platforms.ts';

/** UTF-16 units of a text in places with no room for all of it. */
const MAX_EXCERPT_LENGTH = 150;

export type CardPost = Pick<
  Post,
  'content' | 'media' | 'scheduleDate' | 'timezone' | 'platforms' | 'status' | 'templateId' | 'promptId'
>;

/** A post with its date (in its own zone and in each reader's), platforms, text and project. */
export function postCard(card: {
  title: string;
  post: CardPost;
  project: string;
  now: Date;
  practice: boolean;
  /** Name of the person who scheduled it with Upnext, if known. */
  by?: string | undefined;
}): Message & { blocks: KnownBlock[] } {
  const { post, now } = card;
  const moment = post.scheduleDate && momentText(post.scheduleDate, post.timezone, now);
  const own = post.scheduleDate && moment && `Your time: ${readerMomentText(post.scheduleDate, moment)}`;
  const platforms = platformNames(post.platforms);
  const when = moment ?? 'No date';
  const foot = [
    plain(`Project: ${card.project}`),
    plain(platforms === '' ? 'No platform yet' : platforms),
    ...(own ? [own] : []),
    ...(card.practice ? [EMULATOR_NOTICE] : []),
    ...(card.by === undefined ? [] : [plain(`by ${card.by}`)]),
  ];
  return {
    text: escapeText(`${card.title}: ${when}, ${card.project}. ${excerpt(post.content ?? '')}`.trim()),
    blocks: [
      section(`*${escapeText(card.title)}*\n${escapeText(when)}`),
      ...postBody(post),
      context(...foot),
    ],
  };
}

/** The text of a post, and its media, template and prompt. */
export function postBody(post: CardPost): KnownBlock[] {
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

/** The beginning of a text, on one line. */
export function excerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), MAX_EXCERPT_LENGTH);
}

/** An instant in the zone that it was meant in, or in UTC if that zone is missing or unknown. */
export function momentText(instant: Date, zone: string | undefined, now: Date): string {
  return sayMoment({ instant, zone: zone !== undefined && isZone(zone) ? zone : 'UTC' }, { now });
}

/**
 * mrkdwn that Slack renders in each reader's own zone:
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function readerMomentText(instant: Date, fallback: string): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<!date^${seconds}^{date_short}, {time}|${fallback}>`;
}

/** The moment in the reader's own zone. Undefined if that is the same wall time, or the zone is unknown. */
export function momentInReaderZone(
  instant: Date,
  zone: string,
  readerZone: string | undefined,
  now: Date,
): string | undefined {
  if (readerZone === undefined || !isZone(readerZone)) return undefined;
  const [there, here] = [momentText(instant, zone, now), momentText(instant, readerZone, now)];
  const withoutPlace = (words: string) => words.replace(/ \([^)]*\)$/, '');
  return withoutPlace(there) === withoutPlace(here) ? undefined : here;
}
