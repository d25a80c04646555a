import type { Button, KnownBlock, Overflow } from '@slack/types';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  context,
  divider,
  option,
  plain,
  section,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderDigest, renderNextOccurrence, renderSavedDigest, renderSchedule } from './digest-text.ts';

/**
 * The buttons of a digest in the list and in the questions. 'more' is the menu beside [Edit]. A personal digest's
 * buttons have other action ids, because they need another role.
 */
export const DIGEST_BUTTONS = ['edit', 'more', 'preview', 'send', 'delete'] as const;
export type DigestButton = (typeof DIGEST_BUTTONS)[number];
/** The items of a digest's menu. [Send now] and [Delete] ask in a message, because Slack has no dialog for one item. */
const MENU_ITEMS = ['preview', 'ask-send', 'pause', 'resume', 'ask-delete'] as const;
type MenuItem = (typeof MENU_ITEMS)[number];
export type Question = 'send' | 'delete';
/** Action id of [Cancel] in a question, which shows the list again. */
export const CANCEL_ACTION = 'digests.cancel';
export const NEW_DIGEST_ACTION = 'digests.new';

/** Maximum digests in the list. Each digest takes three blocks, and Slack allows 50 blocks in a message. */
const MAX_LISTED_DIGESTS = 15;

export function buildButtonId(name: DigestButton, isPersonalDigest: boolean): string {
  return `digests.${isPersonalDigest ? 'my-' : ''}${name}`;
}

/** Renders the list of the channel's digests and the actor's personal digests. */
export function renderDigestList(
  digests: readonly Digest[],
  {
    manageableDigests,
    projects,
    isInChannel,
    unreadableCount,
    result,
  }: {
    /** The digests that the actor may change. The others have only a preview button. */
    manageableDigests: ReadonlySet<Digest>;
    projects: readonly NamedRecord[];
    /** Whether the list is shown in a channel, and not in a direct message. */
    isInChannel: boolean;
    /** The number of stored digests that this version can't read. */
    unreadableCount: number;
    /** The result of a button press, shown above the list (mrkdwn). */
    result?: string;
  },
): Message {
  const placeText = isInChannel ? 'here or for you' : 'for you';
  const emptyText = `There’s no digest ${placeText}.`;
  const shownDigests = digests.slice(0, MAX_LISTED_DIGESTS);
  const hiddenCount = digests.length - shownDigests.length;
  const unreadableText = renderUnreadableCount(unreadableCount);
  const lines = shownDigests.map(
    (digest) => `${renderDigest(digest, projects)}\n${renderNextOccurrence(digest)}`,
  );
  return {
    text: [result, ...(lines.length > 0 || unreadableCount > 0 ? lines : [emptyText]), unreadableText]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(result === undefined ? [] : [section(result)]),
      ...(shownDigests.length === 0 && unreadableCount === 0 ? [section(emptyText)] : []),
      ...shownDigests.flatMap((digest, index) => [
        ...(index > 0 ? [divider()] : []),
        section(lines[index] ?? ''),
        actions(...buildDigestButtons(digest, manageableDigests.has(digest))),
      ]),
      ...(hiddenCount > 0 ? [context(`${hiddenCount} more aren’t shown.`)] : []),
      ...(unreadableText === undefined ? [] : [context(unreadableText)]),
      ...(shownDigests.length === 0 ? [] : [divider()]),
      actions(button('New digest', NEW_DIGEST_ACTION)),
    ],
  };
}

function renderUnreadableCount(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? 'I can’t show one digest.' : `I can’t show ${count} digests.`;
}

function buildDigestButtons(digest: Digest, mayManage: boolean): (Button | Overflow)[] {
  const isPersonalDigest = isPersonal(digest);
  const name = renderSchedule(digest);
  if (!mayManage) {
    const preview = button('Preview for me', buildButtonId('preview', isPersonalDigest), digest.id);
    return [addAccessibilityLabel(preview, `Preview for me: ${name}`)];
  }
  const edit = button('Edit', buildButtonId('edit', isPersonalDigest), digest.id);
  return [
    addAccessibilityLabel(edit, `Edit: ${name}`),
    {
      type: 'overflow',
      action_id: buildButtonId('more', isPersonalDigest),
      options: [
        option('Preview for me', encodeMenuItem('preview', digest)),
        option('Send now', encodeMenuItem('ask-send', digest)),
        digest.state === 'paused'
          ? option('Resume', encodeMenuItem('resume', digest))
          : option('Pause', encodeMenuItem('pause', digest)),
        option('Delete', encodeMenuItem('ask-delete', digest)),
      ],
    },
  ];
}

function encodeMenuItem(item: MenuItem, { id }: Digest): string {
  return `${item} ${id}`;
}

/** Decodes the chosen item of a menu and the id of its digest. `item` is undefined if this version doesn't know it. */
export function decodeMenuItem(value: string): { item: MenuItem | undefined; id: string } {
  const [name, id = ''] = value.split(' ');
  return { item: MENU_ITEMS.find((item) => item === name), id };
}

/** Renders the question before a digest is sent or deleted. It replaces the list. */
export function renderQuestion(
  question: Question,
  digest: Digest,
  projects: readonly NamedRecord[],
): Message {
  const isPersonalDigest = isPersonal(digest);
  const readersText = isPersonalDigest ? 'I’ll send it to you.' : 'Everybody in the channel will see it.';
  const { title, text, label, style } = {
    send: { title: 'Send this digest now?', text: readersText, label: 'Send now', style: 'primary' } as const,
    delete: {
      title: 'Delete this digest?',
      text: 'This can’t be undone.',
      label: 'Delete',
      style: 'danger',
    } as const,
  }[question];
  return {
    text: `${title} ${text}`,
    blocks: [
      section(`*${title}*\n${text}`),
      section(renderDigest(digest, projects)),
      actions(
        button(label, buildButtonId(question, isPersonalDigest), digest.id, style),
        button('Cancel', CANCEL_ACTION),
      ),
    ],
  };
}

export function renderSavedMessage(digest: Digest, projects: readonly NamedRecord[], now: Date): Message {
  const { text, blocks } = renderSavedDigest(digest, projects, now);
  return { text, blocks: [...blocks, actions(...buildDigestButtons(digest, true))] };
}

/** Renders a message with a button that opens the form. Used if the command has no trigger for opening a form. */
export function renderFormOffer(): Message {
  const text = 'One more choice is needed. Nothing was saved.';
  return { text, blocks: [section(text), actions(button('Fill in the form', NEW_DIGEST_ACTION))] };
}

export const DIGEST_GONE: Message = {
  text: 'This digest no longer exists. See your digests with `/upnext digest`.',
};

/** Renders a digest as a preview, with a line of plain text instead of the picture. */
export function renderPreview(message: Message, pictureText: string | undefined): KnownBlock[] {
  return [
    context('Only you see this preview.'),
    ...(message.blocks ?? [section(message.text)]),
    ...(pictureText === undefined ? [] : [context(plain(pictureText))]),
  ];
}
