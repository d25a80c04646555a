import type { Button, KnownBlock } from '@slack/types';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
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
import { renderDigest, renderNextOccurrence, renderSavedDigest } from './digest-text.ts';

/**
 * The buttons of a digest in the list. A personal digest's buttons have other action ids, because they need another
 * role. The [Resume] button is named 'unpause', because the [Resume] button in notifications already uses the action id
 * `digests.resume`.
 */
export const DIGEST_BUTTONS = ['change', 'pause', 'unpause', 'send', 'preview', 'delete'] as const;
export type DigestButton = (typeof DIGEST_BUTTONS)[number];
export const NEW_DIGEST_ACTION = 'digests.new';

const EXAMPLE = '`/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee`';
/** Maximum digests in the list. Each digest takes two blocks, and Slack allows 50 blocks in a message. */
const MAX_LISTED_DIGESTS = 20;
const MAX_QUOTE_LENGTH = 100;

export function buildButtonId(name: DigestButton, isPersonalDigest: boolean): string {
  return `digests.${isPersonalDigest ? 'my-' : ''}${name}`;
}

/** Renders the list of the channel's digests and the actor's personal digests. */
export function renderDigestList(
  digests: readonly Digest[],
  {
    manageableDigests,
    projects,
    now,
    isInChannel,
    unreadableCount,
    result,
  }: {
    /** The digests that the actor may change. The others have only a preview button. */
    manageableDigests: ReadonlySet<Digest>;
    projects: readonly NamedRecord[];
    now: Date;
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
    (digest) => `*${renderDigest(digest, projects)}*\n${renderNextOccurrence(digest, now)}`,
  );
  return {
    text: [result, ...(lines.length > 0 || unreadableCount > 0 ? lines : [emptyText]), unreadableText]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(result === undefined ? [] : [section(result)]),
      ...(shownDigests.length === 0 && unreadableCount === 0 ? [section(emptyText)] : []),
      ...shownDigests.flatMap((digest, index) => [
        section(lines[index] ?? ''),
        actions(...buildDigestButtons(digest, manageableDigests.has(digest))),
      ]),
      ...(hiddenCount > 0 ? [context(`${hiddenCount} more aren’t shown.`)] : []),
      ...(unreadableText === undefined ? [] : [context(unreadableText)]),
      actions(button('New digest', NEW_DIGEST_ACTION)),
    ],
  };
}

function renderUnreadableCount(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "I can't show one digest." : `I can't show ${count} digests.`;
}

function buildDigestButtons(digest: Digest, mayManage: boolean): Button[] {
  const isPersonalDigest = isPersonal(digest);
  const createButton = (label: string, name: DigestButton) =>
    button(label, buildButtonId(name, isPersonalDigest), digest.id);
  const preview = createButton('Preview for me', 'preview');
  if (!mayManage) return [preview];
  const consequenceText = isPersonalDigest
    ? 'I’ll send it to you now.'
    : 'Everybody in the channel will see it now.';
  return [
    createButton('Change', 'change'),
    digest.state === 'paused' ? createButton('Resume', 'unpause') : createButton('Pause', 'pause'),
    withConfirmation(createButton('Send now', 'send'), {
      title: 'Send it now?',
      text: consequenceText,
      confirm: 'Send',
    }),
    preview,
    withConfirmation(
      { ...createButton('Delete', 'delete'), style: 'danger' },
      { title: 'Delete this digest?', text: 'This digest will stop.', confirm: 'Delete', style: 'danger' },
    ),
  ];
}

export function renderSavedMessage(digest: Digest, projects: readonly NamedRecord[], now: Date): Message {
  const { text, blocks } = renderSavedDigest(digest, projects, now);
  return { text, blocks: [...blocks, actions(...buildDigestButtons(digest, true))] };
}

export function renderParseFault(args: string, reason: string): Message {
  const line =
    `Nothing was saved: I didn’t understand “${clip(sanitizeLine(args), MAX_QUOTE_LENGTH)}”. ${reason}`.replace(
      / {2,}/g,
      ' ',
    );
  return {
    text: `${escapeText(line)} For example: ${EXAMPLE}`,
    blocks: [
      plainSection(line),
      section(`For example: ${EXAMPLE}`),
      actions(button('Fill in the form', NEW_DIGEST_ACTION)),
    ],
  };
}

export function renderTimeQuestion(candidate: string, alternative: string): Message {
  const line = `Is that ${candidate}, or ${alternative}? Nothing was saved.`;
  const advice = 'Write the time as `9:00` or `21:00`, or with am or pm.';
  return { text: `${escapeText(line)} ${advice}`, blocks: [plainSection(line), section(advice)] };
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
