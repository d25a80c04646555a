import type { KnownBlock } from '@slack/types';
import { renderPostCard } from '../../posts/post-card.ts';
import { type CardPost, toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewers } from '../../posts/post-time.ts';
import { clip, context, escapeText, plain, plainSection, sanitizeLine, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import type { ServiceRefusal } from '../../submissions/content.ts';
import { renderProblemLines } from '../../submissions/text/render-submission.ts';
import type { HeldPostRow } from '../held-post.ts';
import { HELD_LIST_PREFIX, type PressablePost, renderHeldPostButtons } from './held-post-buttons.ts';
import { getHeldPostCopy, getHeldPostStatus } from './held-post-copy.ts';

/** A held post with everything that its card shows. */
export interface ShownHeldPost extends PressablePost {
  row: PressablePost['row'] & Pick<HeldPostRow, 'author' | 'approver' | 'hand_over_at'>;
  /** Undefined if the content was deleted. */
  post: CardPost | undefined;
  /** The project's name. */
  project: string;
  /** Whether the service has said at the time of a handed-over post that it failed. */
  hasFailed?: boolean;
  /** The service's refusal, if it refused the post. */
  refusal?: ServiceRefusal | undefined;
}

/** Who reads a card, and when. */
export interface CardReaders {
  viewers: Viewers;
  now: Date;
  /** Names by Slack id, for cards that everyone reads, because a mention would notify the person. */
  names?: ReadonlyMap<string, string>;
}

/**
 * Renders the card of a held post, which is the same everywhere. `note` is the result of a press (mrkdwn).
 */
export function renderHeldPostCard(
  shown: ShownHeldPost,
  readers: CardReaders,
  { note, areButtonsHidden = false }: { note?: string | undefined; areButtonsHidden?: boolean } = {},
): Message & { blocks: KnownBlock[] } {
  const { row, post, project, refusal, hasFailed = false } = shown;
  const { viewers, now } = readers;
  const card = renderPostCard({
    title: renderTitle(shown, readers),
    post: { ...(post ?? { platforms: [] }), status: hasFailed ? 'FAILED' : getHeldPostStatus(row) },
    project,
    viewers,
    now,
  });
  const [title, ...details] = card.blocks;
  const problems = refusal ? renderProblemLines({ refusal }) : '';
  return {
    text: `${note === undefined ? '' : `${note} `}${card.text}`,
    blocks: [
      ...(title ? [title] : []),
      ...(note === undefined ? [] : [section(note)]),
      section(renderState(shown, readers)),
      ...(problems === '' ? [] : [plainSection(problems)]),
      ...details,
      ...renderPeople(shown, readers),
      ...(areButtonsHidden ? [] : renderHeldPostButtons(shown, now)),
    ],
  };
}

/** Renders a held post in a list with its buttons: its state, its text in one line, and who wrote it. */
export function renderHeldPostEntry(shown: ShownHeldPost, readers: CardReaders): KnownBlock[] {
  const { row, post, project } = shown;
  const time = row.publish_at && post && renderTime(row.publish_at, shown, readers);
  const facts = [clip(sanitizeLine(project), MAX_NAME_LENGTH), ...(time ? [time] : [])];
  return [
    section(`*${escapeText(renderTitle(shown, readers))}*\n${renderState(shown, readers)}`),
    context(
      plain(facts.join(' · ')),
      ...(post?.content ? [plain(`“${toExcerpt(sanitizeLine(post.content))}”`)] : []),
    ),
    ...renderHeldPostButtons(shown, readers.now, HELD_LIST_PREFIX),
  ];
}

/** Renders the state of a held post as plain text: "Editable", "Approved by Mira". */
function renderTitle({ row, hasFailed }: ShownHeldPost, { names, now }: CardReaders): string {
  if (hasFailed) return 'Failed';
  if (!isWaitingForItsTime(row)) return getHeldPostCopy(row).title;
  if (row.hand_over_at <= now) return 'Handing over now';
  if (!row.in_review) return getHeldPostCopy(row).title;
  const approver = sanitizeLine(names?.get(row.approver ?? '') ?? '');
  return clip(approver === '' ? 'Approved' : `Approved by ${approver}`, MAX_NAME_LENGTH);
}

/** Renders what happens next, or what to do, as mrkdwn: "Editable until Tue 1 Dec, 08:00 (Berlin). I’ll hand it over …". */
function renderState({ row, post, hasFailed }: ShownHeldPost, { viewers, now }: CardReaders): string {
  if (hasFailed) return 'The service couldn’t publish it.';
  const { text } = getHeldPostCopy(row);
  if (row.reason === 'restored' && row.publish_at && row.publish_at <= now)
    return 'My data was restored from a backup, so the service may have published it. Check there, and pick a new time if it’s missing.';
  if (!isWaitingForItsTime(row) || row.hand_over_at <= now || row.reason !== null) return text;
  const end = renderPostTime({ instant: row.hand_over_at, zone: post?.timezone }, viewers, now);
  return `Editable until ${end.mrkdwn}. ${text}`;
}

type WaitingRow = ShownHeldPost['row'] & { hand_over_at: Date };

/** Whether nothing but the time of its hand-over is missing. */
function isWaitingForItsTime(row: ShownHeldPost['row']): row is WaitingRow {
  return row.state === 'held' && row.reason !== 'stopped' && row.hand_over_at !== null;
}

function renderTime(instant: Date, { post }: ShownHeldPost, { viewers, now }: CardReaders): string {
  return renderPostTime({ instant, zone: post?.timezone }, viewers, now).plain;
}

const MAX_NAME_LENGTH = 150;

function renderPeople({ row }: ShownHeldPost, readers: CardReaders): KnownBlock[] {
  const people = [
    ...renderPerson('Author:', row.author, readers),
    ...(row.approver === null
      ? []
      : renderPerson(row.in_review ? 'Approved by' : 'Scheduled by', row.approver, readers)),
  ];
  return people.length === 0 ? [] : [context(people.join(' · '))];
}

/** Renders a person: a mention for one viewer, a name for everyone, because a mention notifies the person. */
function renderPerson(label: string, id: string, { viewers, names }: CardReaders): string[] {
  if (viewers !== 'everyone') return [`${label} ${id === viewers.user ? 'you' : `<@${escapeText(id)}>`}`];
  const name = clip(sanitizeLine(names?.get(id) ?? ''), MAX_NAME_LENGTH);
  return name === '' ? [] : [`${label} ${escapeText(name)}`];
}
