import type { KnownBlock } from '@slack/types';
import type { Post } from '../api/posts.ts';
import { context, plain, quoted, section } from '../slack/blocks.ts';
import { clip } from '../slack/clip.ts';
import { escapeText } from '../slack/escape.ts';
import type { Message } from '../slack/message.ts';
import { PRACTICE_NOTICE } from '../slack/practice.ts';
import { momentWords, readersMoment } from './moment-words.ts';
import { platformNames } from './platforms.ts';

/** So much of a text stands where its whole length does not belong. */
const EXCERPT = 150;

export type CardPost = Pick<
  Post,
  'content' | 'media' | 'scheduleDate' | 'timezone' | 'platforms' | 'status' | 'templateId' | 'promptId'
>;

/** A post with its moment (zone named, and in each reader's own), platforms, text and project. */
export function postCard(card: {
  title: string;
  post: CardPost;
  project: string;
  now: Date;
  practice: boolean;
  /** Who scheduled it from here, where that is known. */
  by?: string | undefined;
}): Message & { blocks: KnownBlock[] } {
  const { post, now } = card;
  const moment = post.scheduleDate && momentWords(post.scheduleDate, post.timezone, now);
  const own = post.scheduleDate && moment && `Your time: ${readersMoment(post.scheduleDate, moment)}`;
  const platforms = platformNames(post.platforms);
  const when = moment ?? 'No date';
  const foot = [
    plain(`Project: ${card.project}`),
    plain(platforms === '' ? 'No platform yet' : platforms),
    ...(own ? [own] : []),
    ...(card.practice ? [PRACTICE_NOTICE] : []),
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

/** The words of a post, and what else it is made of. */
export function postBody(post: CardPost): KnownBlock[] {
  const content = post.content?.trim() ?? '';
  const made = [
    post.media && `Media: ${clip(post.media, EXCERPT)}`,
    post.templateId && `Template: ${clip(post.templateId, EXCERPT)}`,
    post.promptId && `Prompt: ${clip(post.promptId, EXCERPT)}`,
  ].filter((line) => line !== undefined && line !== '');
  return [
    ...(content === '' ? [] : [quoted(content)]),
    ...(content === '' && made.length === 0 ? [context('No text')] : []),
    ...(made.length === 0 ? [] : [context(...made.map((line) => plain(String(line))))]),
  ];
}

/** The beginning of a text on one line. */
export function excerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), EXCERPT);
}
