import { randomUUID } from 'node:crypto';
import type { KnownBlock, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { clipLine, context, escapeFormatting, escapeText, section } from '../slack/blocks.ts';
import { buildPicture, type Message } from '../slack/message.ts';
import { clip } from '../words.ts';
import { describePost, type PostFacts } from './describe-post.ts';
import { renderPlatformNames } from './platforms.ts';
import {
  type CardPost,
  renderExcerpt,
  renderMainText,
  renderOtherTexts,
  renderOwnTexts,
} from './post-text.ts';
import { renderPostTime, type Viewers } from './post-time.ts';

const MAX_NAME_LENGTH = 150;
const MAX_PLATFORMS_LENGTH = 120;

export interface PostAuthor {
  /** Slack id. */
  id: string;
  /** Display name. Absent if Slack didn't return it. */
  name?: string | undefined;
}

/** What a card and a row show. Both look the same on every surface. */
interface ShownPost {
  post: CardPost;
  now: Date;
  viewers: Viewers;
  author?: PostAuthor | undefined;
  /** What is known of its state. Defaults to the status in the service. */
  facts?: PostFacts | undefined;
  /** Plain text after the status, such as "+1 at the same time". */
  statusNotes?: readonly string[];
  /** The text of the post's template, shown if the post has no text of its own. */
  templateText?: string | undefined;
  /** Whether a long text takes several blocks, up to 20. Otherwise it is cut. */
  hasWholeText?: boolean;
  /** Characters for all texts of platforms with another text, if there isn't room for 6,000. */
  ownTextsLength?: number;
  /** Whether the picture takes the whole width. Otherwise the card has a thumbnail. */
  hasLargePicture?: boolean;
}

/**
 * Renders a post by itself: its state and time, who must do what, its text, and in small print where it goes and what nobody
 * has to do anything about. Its time is said once.
 */
export function renderPostCard(
  card: ShownPost & {
    /** What the post is, or what it needs; plain text. */
    title: string;
    /** The emoji of its state, if the title says the state. Otherwise the small print says it. */
    emoji?: string;
    project: string;
    /** What somebody has to do or to know first, below the title (mrkdwn). */
    line?: string | undefined;
    /** The result of a press (mrkdwn). */
    note?: string | undefined;
    /** Blocks above the text. */
    above?: readonly KnownBlock[];
    /** Further small print (mrkdwn). */
    smallPrint?: readonly string[];
  },
): Message & { blocks: KnownBlock[] } {
  const { title, emoji, post, note, line = '', above = [], statusNotes = [] } = card;
  const project = clipLine(card.project, MAX_NAME_LENGTH);
  const picture = buildPicture(post.media, post.altText);
  const isBeside = picture !== undefined && !card.hasLargePicture;
  const [firstText, ...otherTexts] = renderCardText(card);
  const facts = [
    ...(emoji === undefined ? [renderStatus(card)] : []),
    escapeFormatting(clip(renderPlatforms(post), MAX_PLATFORMS_LENGTH)),
    escapeFormatting(project),
    ...statusNotes.map(escapeText),
    ...renderPerson('by', card.author, card.viewers),
    ...(card.smallPrint ?? []),
  ];
  const time = getTime(card);
  const first = nameCard(
    [`${emoji ?? ''} *${escapeFormatting(title)}* · ${renderCardTime(card)}`.trim(), line]
      .filter((each) => each !== '')
      .join('\n'),
  );
  const isTextBeside = isBeside && firstText?.type === 'section';
  return {
    title,
    text: `${note === undefined ? '' : `${note} `}${escapeText(
      `${title}: ${time?.plain ?? renderNoDate(post)}, ${project}. ${renderExcerpt(post, card.templateText)}`.trim(),
    )}`,
    blocks: [
      isBeside && !isTextBeside ? { ...first, accessory: picture } : first,
      ...(note === undefined ? [] : [section(note)]),
      ...above,
      ...(firstText ? [isTextBeside ? { ...firstText, accessory: picture } : firstText] : []),
      ...otherTexts,
      ...renderOwnTexts(card),
      ...(picture && card.hasLargePicture ? [picture] : []),
      context(facts.filter((fact) => fact !== '').join(' · '), ...renderOtherTexts(post)),
    ],
  };
}

/**
 * What the ids of a card's first block and of the blocks with its text begin with. A block has another id in each message and in
 * each version of it: https://docs.slack.dev/reference/block-kit/blocks
 */
const [CARD_BLOCK, TEXT_BLOCK] = ['post-card-', 'post-text-'];

/** Renders the first block of a card (mrkdwn). */
export function nameCard(text: string): SectionBlock {
  return { ...section(text), block_id: `${CARD_BLOCK}${randomUUID()}` };
}

/** Renders the text of a card. */
export function renderCardText(shown: Parameters<typeof renderMainText>[0]): KnownBlock[] {
  return renderMainText(shown).map((block) =>
    block.type === 'section' ? { ...block, block_id: `${TEXT_BLOCK}${randomUUID()}` } : block,
  );
}

const namedBlock = z.object({ block_id: z.string() });

/** Finds the blocks with the text of the post in the blocks of a card, as Slack sends them. Undefined in other messages. */
export function findCardText(value: unknown): readonly unknown[] | undefined {
  const blocks: readonly unknown[] = Array.isArray(value) ? value : [];
  const listNamed = (prefix: string) =>
    blocks.filter((block) => namedBlock.safeParse(block).data?.block_id.startsWith(prefix) ?? false);
  return listNamed(CARD_BLOCK).length === 0 ? undefined : listNamed(TEXT_BLOCK);
}

/**
 * Renders a post in one block, for lists: a line of facts, which begins with the time, and the beginning of the text. The
 * heading above the row may give the day and the status of its posts, which the row then leaves out. `project` is for
 * lists of several projects.
 */
export function renderPostRow(
  row: ShownPost & {
    project?: string;
    heading?: { day?: string | undefined; status?: string | undefined };
    accessory?: SectionBlock['accessory'];
  },
): SectionBlock {
  const { post, project = '', heading = {}, accessory, statusNotes = [] } = row;
  const { unreadableFields = [] } = post;
  const status = renderStatus(row);
  const isInHeading =
    heading.status !== undefined &&
    status === renderStatus({ ...row, facts: { status: heading.status, at: undefined } });
  const facts = [
    renderRowTime(row, heading.day),
    ...(isInHeading ? [] : [status]),
    ...statusNotes.map(escapeText),
    escapeFormatting(project),
    escapeFormatting(clip(renderPlatforms(post), MAX_PLATFORMS_LENGTH)),
    post.ownTexts ? `${post.ownTexts.length + 1} texts` : '',
    ...renderPerson('by', row.author, row.viewers),
    ...(unreadableFields.length > 0 ? [escapeText(`Unreadable: ${unreadableFields.join(', ')}`)] : []),
  ];
  const excerpt = escapeFormatting(renderExcerpt(post, row.templateText));
  return {
    ...section(`${facts.filter((fact) => fact !== '').join(' · ')}\n${excerpt}`),
    ...(accessory && { accessory }),
  };
}

/** Renders the time of a row, without the day of its heading: "*11:00* (12:00 Berlin)". */
function renderRowTime(
  row: Pick<ShownPost, 'post' | 'viewers' | 'now'>,
  headingDay: string | undefined,
): string {
  const time = getTime(row);
  if (!time) return headingDay === undefined ? `*${renderNoDate(row.post)}*` : '';
  if (row.viewers === 'everyone') return `*${time.mrkdwn}*`;
  const clock = headingDay === time.day ? time.clock : `${time.day}, ${time.clock}`;
  return `*${escapeText(clock)}*${escapeText(time.zoneNote)}`;
}

/** Renders the time of a card, which names a zone to a single reader. */
export function renderCardTime(card: Pick<ShownPost, 'post' | 'viewers' | 'now'>): string {
  const time = getTime(card);
  if (!time || card.viewers === 'everyone' || time.zoneNote !== '') return renderRowTime(card, undefined);
  return `${renderRowTime(card, undefined)} (${escapeText(time.place)})`;
}

/** Renders the status as mrkdwn: "✏️ Editable until Tue 08:00". */
function renderStatus({ post, viewers, now, facts = { status: post.status } }: ShownPost): string {
  return describePost({ zone: post.timezone, at: post.scheduleDate, ...facts }, { viewers, now }).status;
}

function getTime({ post, viewers, now }: Pick<ShownPost, 'post' | 'viewers' | 'now'>) {
  const { scheduleDate: instant, timezone: zone } = post;
  return instant && renderPostTime({ instant, zone }, viewers, now);
}

function renderNoDate({ unreadableFields = [] }: CardPost): string {
  return unreadableFields.includes('ScheduleDate') ? 'Unreadable date' : 'No date';
}

function renderPlatforms({ platforms, unreadableFields = [] }: CardPost): string {
  const names = renderPlatformNames(platforms);
  if (names !== '') return names;
  return unreadableFields.includes('Platforms') ? 'Unreadable platforms' : 'No platform';
}

/**
 * Renders a person: a mention for one viewer, a name for everyone, because a mention notifies the person. The viewer is
 * named too: what one person reads in a channel looks like what everybody reads.
 */
export function renderPerson(label: string, person: PostAuthor | undefined, viewers: Viewers): string[] {
  if (!person) return [];
  if (viewers !== 'everyone') return [`${label} <@${escapeText(person.id)}>`];
  const name = clipLine(person.name ?? '', MAX_NAME_LENGTH);
  return name === '' ? [] : [`${label} ${escapeFormatting(name)}`];
}
