import type { Button, KnownBlock } from '@slack/types';
import type { Role } from '../../access/access.ts';
import type { SendingStop } from '../../engine/sending-stop.ts';
import type { PostFacts } from '../../posts/describe-post.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import type { CardPost } from '../../posts/post-text.ts';
import {
  getHeldPostCopy,
  getSentCopy,
  type HeldPostButton,
  type HeldState,
  isDecidedBySubmission,
  type SentButton,
  type SentRow,
} from '../../posts/state-copy.ts';
import type { ProjectPolicy } from '../../preferences/project-policy.ts';
import { buildButtonRow, buildCardActions, button, withConfirmation } from '../../slack/blocks.ts';
import type { ServiceRefusal } from '../../submissions/content.ts';
import type { RenderedSubmission } from '../../submissions/text/render-submission.ts';
import type { HeldPostRow } from '../held-post.ts';

/** Prefix of the action ids of the buttons, which `features/held-posts` handles. */
const ACTION_PREFIX = 'held-posts';

export function buildHeldPostAction(name: HeldPostButton): string {
  return `${ACTION_PREFIX}.${name}`;
}

export const OPEN_HELD_POST_ACTION = `${ACTION_PREFIX}.open`;

/** Prefix of button values in a list. A press there shows the card without replacing the list. */
export const HELD_LIST_PREFIX = 'list.';

/** Prefix of button values in the outbox, which a press shows again from the same entry on. */
export function buildOutboxPrefix(from: number): string {
  return `outbox${from}.`;
}

/** The value of a button or a form: the post's id, and the version and content that the person saw. */
interface HeldPostPress {
  id: string;
  version: number;
  /** The beginning of the content's hash, for reviewers' buttons and for forms. '' for other buttons. */
  hash: string;
  isInList: boolean;
  /** The first entry of the outbox with the button. Undefined anywhere else. */
  outboxFrom?: number | undefined;
}

/** Adds a time that somebody has typed to the value of a button, so that its form begins with it. */
export function addTypedTime(value: string, when: string | undefined): string {
  return when === undefined ? value : `${value} ${when}`;
}

/** Undoes `addTypedTime`. */
export function splitTypedTime(value: string): { id: string; when?: string } {
  const [, id = '', when] = /^(\S*)(?: (.+))?$/s.exec(value) ?? [];
  return { id, ...(when !== undefined && { when }) };
}

export function parseHeldPostValue(value = ''): HeldPostPress | undefined {
  const [, list, from, id, version, hash = ''] =
    /^(list\.|outbox(\d{1,5})\.)?([\w-]+)\.(\d{1,9})(?:\.([\w+/=-]+))?$/.exec(splitTypedTime(value).id) ?? [];
  if (id === undefined) return undefined;
  const place = { isInList: list !== undefined, ...(from !== undefined && { outboxFrom: Number(from) }) };
  return { id, version: Number(version), hash, ...place };
}

export function buildHeldPostValue(
  { id, version }: Pick<HeldPostRow, 'id' | 'version'>,
  prefix = '',
): string {
  return `${prefix}${id}.${version}`;
}

const MENU_STATES: readonly HeldState[] = ['draft', 'held', 'awaiting-review'];

/** Lists the buttons of a post's menu in a list. Empty if the post can't be edited. */
export function listMenuButtons(post: Pick<HeldPostRow, 'id' | 'version' | 'state'>): Button[] {
  if (!MENU_STATES.includes(post.state)) return [];
  const value = buildHeldPostValue(post, HELD_LIST_PREFIX);
  return (['move', 'edit', 'cancel'] as const).map((name) =>
    button(BUTTONS[name].label, buildHeldPostAction(name), value),
  );
}

/** A held post as its card and its buttons show it. */
export interface ShownHeldPost {
  row: Pick<
    HeldPostRow,
    | ('id' | 'version' | 'content_hash' | 'author' | 'state' | 'reason')
    | ('publish_at' | 'in_review' | 'series' | 'sent_to')
  >;
  /** Who approved it, or scheduled it without a review; Slack ids. */
  approvers: readonly string[];
  /** Undefined if the content was deleted. */
  post: CardPost | undefined;
  project: string;
  /** What its description depends on. */
  facts: PostFacts;
  /** The service's refusal, if it refused the post. */
  refusal?: ServiceRefusal | undefined;
  /** Until when Upnext tries to send a post, and what it waits for. `failure`: what the service said last (mrkdwn). */
  waiting?: (Pick<RenderedSubmission, 'retries' | 'stop'> & { failure?: string | undefined }) | undefined;
  stop?: SendingStop | undefined;
  /** Whether the posts of the project can be reviewed, or have to be. */
  review: ProjectPolicy['review'];
  /** What only its author reads, right after it has gone to the service. */
  receipt?: Receipt | undefined;
}

interface Receipt {
  /** What was assumed about its time; plain text. */
  notes: readonly string[];
  newPost: Button;
  /** Shares the posts of all times of the form. Undefined unless the form was opened in a channel, and once it is shared. */
  shareAll?: Button;
}

/** What the button of a submission is as that of its post. What can be edited can also be moved, and cancelled with [Undo]. */
const OF_SUBMISSION: Readonly<Record<SentButton, readonly HeldPostButton[]>> = {
  check: ['check'],
  retry: ['again'],
  'send-again': ['send-again'],
  edit: ['edit', 'move'],
  discard: ['discard'],
};

/**
 * Lists the buttons that change a post. `sent`: its submission, which decides while it waits. States in which Upnext works on
 * it end within seconds, so that their buttons would soon be outdated.
 */
export function listPostButtons(
  row: Parameters<typeof getHeldPostCopy>[0],
  sent: SentRow | undefined,
): readonly HeldPostButton[] {
  if (!isDecidedBySubmission(row.state)) return getHeldPostCopy(row).buttons;
  if (sent?.state !== 'retryable' && sent?.state !== 'unsure') return [];
  const { buttons } = getSentCopy(sent);
  const isEditable = buttons.includes('edit');
  return buttons.flatMap((name) =>
    isEditable && name === 'discard' ? (['cancel'] as const) : OF_SUBMISSION[name],
  );
}

/** Renders the buttons that change a post, and then the others. `prefix`: that of the values in a list. */
export function renderHeldPostButtons(shown: ShownHeldPost, now: Date, prefix?: string): KnownBlock[] {
  const { row, post } = shown;
  if (row.state === 'dropped') return [];
  const value = buildHeldPostValue(row, prefix);
  const names = post
    ? listPostButtons(row, shown.facts.sent).filter((name) => BUTTONS[name].isOffered?.(shown, now) ?? true)
    : [];
  const isLive = post && row.state !== 'cancelled';
  const [suggested] = names;
  // [Cancel post] stays beside the first two buttons, because its one press can be undone.
  const others = names.filter((name) => name !== 'cancel');
  const cancel = names.filter((name) => name === 'cancel');
  const ordered = [...others.slice(0, 2), ...cancel, ...others.slice(2)];
  const create = (name: HeldPostButton) =>
    createButton(name, shown, { value, isSuggested: name === suggested });
  const buttons = ordered.map(create);
  const more = (isLive ? listCommonButtons(shown) : (['history'] as const)).filter(
    (name) => prefix === undefined || !ON_CARDS_ONLY.includes(name),
  );
  const series = row.series === null ? [] : [create('series')];
  const newPost = shown.receipt ? [shown.receipt.newPost] : [];
  return buildCardActions(ACTION_PREFIX, [...buttons, ...newPost, ...more.map(create), ...series]);
}

/** A post is shared and duplicated from its card, which shows all of it. */
const ON_CARDS_ONLY: readonly HeldPostButton[] = ['share', 'duplicate'];

/** Lists the buttons of every post with a content. One that the service has can't be changed, so it can be duplicated. */
function listCommonButtons({ row, receipt }: ShownHeldPost): readonly HeldPostButton[] {
  if (row.state !== 'delivered') return ['comment', 'history', 'share'];
  if (!receipt) return ['duplicate', 'comment', 'history', 'share'];
  return receipt.shareAll
    ? ['duplicate', 'share', 'comment', 'history']
    : ['duplicate', 'comment', 'history'];
}

/** Renders the buttons of a form whose posts have all gone to the service. */
export function renderButtonsOfForm({ row, receipt }: ShownHeldPost): KnownBlock[] {
  if (!receipt) return [];
  const duplicate = button(
    BUTTONS.duplicate.label,
    buildHeldPostAction('duplicate'),
    buildHeldPostValue(row),
  );
  return buildButtonRow([receipt.newPost, duplicate, ...(receipt.shareAll ? [receipt.shareAll] : [])]);
}

function createButton(
  name: HeldPostButton,
  shown: ShownHeldPost,
  { value, isSuggested }: { value: string; isSuggested: boolean },
): Button {
  const { label, findLabel, dialog } = BUTTONS[name];
  const style = isSuggested ? 'primary' : undefined;
  const base = button(findLabel?.(shown) ?? label, buildHeldPostAction(name), value, style);
  return dialog ? withConfirmation(base, dialog) : base;
}

/** A button of a held post. `HELD` says which states have it, and `features/held-posts` what it does. */
interface ButtonFacts {
  label: string;
  /** Another label, which depends on why the post needs somebody. */
  findLabel?(shown: ShownHeldPost): string | undefined;
  /** Whether a post whose state has the button has it now. Defaults to always. */
  isOffered?(shown: ShownHeldPost, now: Date): boolean;
  /** The role that it needs in the project. `edit`: the one that a change of the post needs, which depends on the post. */
  role: Role | 'edit';
  dialog?: Parameters<typeof withConfirmation>[1];
}

export const BUTTONS: Readonly<Record<HeldPostButton, ButtonFacts>> = {
  schedule: {
    label: 'Schedule',
    role: 'publisher',
    // Where reviews are required, a draft can only be sent for review.
    isOffered: ({ row, review }) => review !== 'required' && !row.in_review,
  },
  'send-for-review': {
    label: 'Send for review',
    role: 'edit',
    isOffered: ({ row, review }) => review !== 'off' && !(row.state === 'held' && row.in_review),
  },
  edit: {
    label: 'Edit',
    role: 'edit',
    findLabel: ({ row }) => (row.reason === 'refused' ? 'Fix' : undefined),
  },
  move: {
    label: 'Move to…',
    role: 'edit',
    findLabel: ({ row }) => (row.state === 'needs-person' ? 'New time…' : undefined),
  },
  'hand-over': { label: 'Hand over now', role: 'publisher' },
  again: {
    label: 'Schedule again',
    role: 'publisher',
    findLabel: ({ row, facts: { parts } }) =>
      row.state === 'handed-over' ? 'Retry now' : parts && renderAgainLabel(parts.others),
    // A restored post may be at the service, so it needs a new time after the one that it has.
    isOffered: ({ row }, now) => row.reason !== 'restored' || row.publish_at === null || row.publish_at > now,
  },
  check: { label: 'Check again', role: 'viewer' },
  'send-again': {
    label: 'Send again',
    role: 'publisher',
    dialog: {
      title: 'Send it again?',
      text: 'The service may have it. If it turns up there after this, it’s there twice.',
      confirm: 'Send again',
      deny: 'Not now',
    },
  },
  discard: {
    label: 'Discard',
    role: 'edit',
    dialog: {
      title: 'Discard this post?',
      text: 'I won’t send it again. If the service has it, it stays there.',
      confirm: 'Discard',
      deny: 'Keep',
      style: 'danger',
    },
  },
  'take-over': {
    label: 'Take over',
    role: 'publisher',
    dialog: {
      title: 'Take this post over?',
      text: 'You become its author, and it goes out with your permission.',
      confirm: 'Take over',
      deny: 'Not now',
    },
  },
  // “Cancel” alone would seem to close the modal that says “Saved”.
  cancel: { label: 'Cancel post', role: 'edit' },
  undo: { label: 'Undo', role: 'edit' },
  comment: { label: 'Comment', role: 'viewer' },
  history: { label: 'History', role: 'viewer' },
  share: { label: 'Share', role: 'contributor' },
  duplicate: { label: 'Duplicate', role: 'contributor' },
  series: { label: 'Series…', role: 'viewer' },
};

/** Slack's clients cut longer labels off. */
const MAX_LABEL_LENGTH = 30;

function renderAgainLabel(platforms: readonly string[]): string {
  const label = `Try ${renderPlatformNames(platforms)} again`;
  return label.length <= MAX_LABEL_LENGTH ? label : 'Try again';
}

/** The action ids of the buttons of a review, which `features/held-posts` handles. */
export const REVIEW_ACTIONS = {
  approve: 'review.approve',
  'request-changes': 'review.request-changes',
  reject: 'review.reject',
  'approve-later': 'review.approve-later',
  open: 'review.open',
} as const;

/** The value of a button: the post's id, and the version and the content that the person saw. */
export function buildReviewValue(row: Pick<HeldPostRow, 'id' | 'version' | 'content_hash'>): string {
  return `${row.id}.${row.version}.${getHashPrefix(row)}`;
}

/** Number of hash characters in a button. Enough to tell contents apart, because the version is compared too. */
const HASH_LENGTH = 12;

/** The content of a version, as buttons name it. */
export function getHashPrefix({ content_hash: hash }: Pick<HeldPostRow, 'content_hash'>): string {
  return hash.slice(0, HASH_LENGTH);
}
