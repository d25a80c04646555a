import type { Button, KnownBlock } from '@slack/types';
import { renderPostCard } from '../../posts/post-card.ts';
import { type CardPost, toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewers } from '../../posts/post-time.ts';
import type { ReviewMode } from '../../preferences/tables.ts';
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
  withConfirmation,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import type { ServiceRefusal } from '../../submissions/submission.ts';
import { renderProblemLines } from '../../submissions/text/render-submission.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { getHeldPostCopy, getHeldPostLabel, type HeldPostButton } from './held-post-copy.ts';
import { getHeldPostStatus } from './held-status.ts';

/** Prefix of the action ids of the buttons, which `features/held-posts` handles. */
const ACTION_PREFIX = 'held-posts';

/** The action id of a button. */
export function buildHeldPostAction(name: HeldPostButton): string {
  return `${ACTION_PREFIX}.${name}`;
}

/** A held post with everything that its card shows. */
export interface ShownHeldPost {
  row: Pick<
    HeldPostRow,
    | 'id'
    | 'version'
    | 'state'
    | 'reason'
    | 'author'
    | 'approver'
    | 'publish_at'
    | 'hand_over_at'
    | 'in_review'
  >;
  /** Undefined if the content was deleted. */
  post: CardPost | undefined;
  /** The project's name. */
  project: string;
  /** The service's refusal, if it refused the post. */
  refusal?: ServiceRefusal | undefined;
  /** Whether the posts of the project can be reviewed, or have to be. Defaults to 'off'. */
  review?: ReviewMode;
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
  const { row, post, project, refusal } = shown;
  const { viewers, now } = readers;
  const copy = getHeldPostCopy(row);
  const card = renderPostCard({
    title: renderTitle(shown, readers),
    post: { ...(post ?? { platforms: [] }), status: getHeldPostStatus(row) },
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
      section(copy.text),
      ...(problems === '' ? [] : [plainSection(problems)]),
      ...details,
      ...renderPeople(shown, readers),
      ...(areButtonsHidden ? [] : renderButtons(shown, now)),
    ],
  };
}

/** Renders a held post in a list with its buttons: its state, its text in one line, and who wrote it. */
export function renderHeldPostEntry(shown: ShownHeldPost, readers: CardReaders): KnownBlock[] {
  const { row, post, project } = shown;
  const time = row.publish_at && post && renderTime(row.publish_at, shown, readers);
  const facts = [clip(sanitizeLine(project), MAX_NAME_LENGTH), ...(time ? [time] : [])];
  return [
    section(`*${escapeText(renderTitle(shown, readers))}*\n${getHeldPostCopy(row).text}`),
    context(
      plain(facts.join(' · ')),
      ...(post?.content ? [plain(`“${toExcerpt(sanitizeLine(post.content))}”`)] : []),
    ),
    ...renderButtons(shown, readers.now, HELD_LIST_PREFIX),
  ];
}

/** Renders the state of a held post as plain text: "Editable until Tue 1 Dec, 08:00 (Berlin)". */
function renderTitle(shown: ShownHeldPost, readers: CardReaders): string {
  const { row } = shown;
  const { title } = getHeldPostCopy(row);
  if (row.state !== 'held' || row.reason === 'stopped' || !row.hand_over_at) return title;
  if (row.hand_over_at <= readers.now) return 'Handing over now';
  return `Editable until ${renderTime(row.hand_over_at, shown, readers)}`;
}

function renderTime(instant: Date, { post }: ShownHeldPost, { viewers, now }: CardReaders): string {
  return renderPostTime({ instant, zone: post?.timezone }, viewers, now).plain;
}

const MAX_NAME_LENGTH = 150;

function renderPeople({ row }: ShownHeldPost, readers: CardReaders): KnownBlock[] {
  const people = [
    ...renderPerson('Written by', row.author, readers),
    ...(row.approver === null ? [] : renderPerson('Scheduled on the authority of', row.approver, readers)),
  ];
  return people.length === 0 ? [] : [context(people.join(' · '))];
}

/** Renders a person: a mention for one viewer, a name for everyone, because a mention notifies the person. */
function renderPerson(verb: string, id: string, { viewers, names }: CardReaders): string[] {
  if (viewers !== 'everyone') return [`${verb} ${id === viewers.user ? 'you' : `<@${escapeText(id)}>`}`];
  const name = clip(sanitizeLine(names?.get(id) ?? ''), MAX_NAME_LENGTH);
  return name === '' ? [] : [`${verb} ${escapeText(name)}`];
}

/** Prefix of button values in a list. A press there shows the card without replacing the list. */
export const HELD_LIST_PREFIX = 'list.';

/** The value of a button: the post's id and the version that the person saw. */
export interface HeldPostPress {
  id: string;
  version: number;
  isInList: boolean;
}

export function parseHeldPostValue(value = ''): HeldPostPress | undefined {
  const [, list, id, version] = /^(list\.)?([\w-]+)\.(\d{1,9})$/.exec(value) ?? [];
  return id === undefined ? undefined : { id, version: Number(version), isInList: list !== undefined };
}

export function buildHeldPostValue(
  { id, version }: Pick<HeldPostRow, 'id' | 'version'>,
  prefix = '',
): string {
  return `${prefix}${id}.${version}`;
}

function renderButtons(shown: ShownHeldPost, now: Date, prefix?: string): KnownBlock[] {
  const { row, post } = shown;
  if (row.state === 'dropped') return [];
  const value = buildHeldPostValue(row, prefix);
  const hasPassed = row.publish_at !== null && row.publish_at <= now;
  const names = post
    ? getHeldPostCopy(row).buttons.filter(
        (name) => (name !== 'undo' || !hasPassed) && fitsReview(name, shown),
      )
    : [];
  const isLive = post && row.state !== 'cancelled';
  const [suggested] = names;
  const buttons = names.map((name) => createButton(name, row, value, name === suggested));
  const others = (isLive ? (['comment', 'history', 'share'] as const) : (['history'] as const)).map((name) =>
    createButton(name, row, value, false),
  );
  // A list with two rows of buttons for each post would be hard to read.
  if (prefix !== undefined) return [actions(...buttons, ...others.filter(isUsefulInList))];
  return buttons.length === 0 ? [actions(...others)] : [actions(...buttons), actions(...others)];
}

/** Whether a button fits the project's reviews. Where they are required, a draft can only be sent for review. */
function fitsReview(name: HeldPostButton, { row, review = 'off' }: ShownHeldPost): boolean {
  if (name === 'schedule') return review !== 'required' && !row.in_review;
  return name !== 'send-for-review' || (review !== 'off' && !(row.state === 'held' && row.in_review));
}

/** A post is shared from its card. */
const isUsefulInList = ({ action_id: id }: Button) => id !== buildHeldPostAction('share');

function createButton(
  name: HeldPostButton,
  row: ShownHeldPost['row'],
  value: string,
  isSuggested: boolean,
): Button {
  const style = name === 'cancel' ? 'danger' : isSuggested ? 'primary' : undefined;
  const base = button(getHeldPostLabel(name, row), buildHeldPostAction(name), value, style);
  const dialog = DIALOGS[name];
  return dialog ? withConfirmation(base, dialog) : base;
}

const DIALOGS: Partial<Record<HeldPostButton, Parameters<typeof withConfirmation>[1]>> = {
  cancel: {
    title: 'Cancel this post?',
    text: 'It won’t be sent. You can undo this until its time.',
    confirm: 'Cancel post',
    deny: 'Keep',
    style: 'danger',
  },
  'hand-over': {
    title: 'Hand it over now?',
    text: 'The service gets it now and publishes it at its time. You can’t edit or cancel it from Slack after that.',
    confirm: 'Hand over',
    deny: 'Keep editable',
  },
  'take-over': {
    title: 'Take this post over?',
    text: 'You become its author, and it goes out with your permission.',
    confirm: 'Take over',
    deny: 'Not now',
  },
};
