import type { Button, KnownBlock } from '@slack/types';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import {
  actions,
  button,
  context,
  plain,
  plainSection,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { renderDigest, renderNext, renderSaved } from './digest-text.ts';

/** The buttons of a digest. The action ids of personal digests differ, because the buttons need another role. */
export const PRESSES = ['change', 'pause', 'unpause', 'send', 'preview', 'delete'] as const;
export type Press = (typeof PRESSES)[number];
export const NEW = 'digests.new';

const EXAMPLE = '`/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee`';
/** Maximum digests in the list. Each digest takes two blocks, and Slack allows 50 blocks in a message. */
const MAX_LISTED_DIGESTS = 20;
const MAX_QUOTE_LENGTH = 100;

export function buildPressId(press: Press, isMine: boolean): string {
  return `digests.${isMine ? 'my-' : ''}${press}`;
}

/** Renders the digests of a channel and the actor's personal digests. `result` is the last press's result, mrkdwn. */
export function renderDigestList(
  digests: readonly Digest[],
  {
    manageable,
    projects,
    now,
    isChannel,
    unreadableCount,
    result,
  }: {
    /** The digests that the actor may change. Other digests only have a preview. */
    manageable: ReadonlySet<Digest>;
    projects: readonly NamedRecord[];
    now: Date;
    isChannel: boolean;
    /** The number of stored digests that this version can't read. */
    unreadableCount: number;
    result?: string;
  },
): Message {
  const place = isChannel ? 'here, or for you alone' : 'for you alone';
  const emptyText = `No digest comes ${place}.`;
  const shownDigests = digests.slice(0, MAX_LISTED_DIGESTS);
  const hiddenCount = digests.length - shownDigests.length;
  const unreadableText = renderUnreadable(unreadableCount);
  const lines = shownDigests.map((digest) => `${renderDigest(digest, projects)}. ${renderNext(digest, now)}`);
  return {
    text: [result, ...(lines.length > 0 || unreadableCount > 0 ? lines : [emptyText]), unreadableText]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(result === undefined ? [] : [section(result)]),
      ...(shownDigests.length === 0 && unreadableCount === 0 ? [section(emptyText)] : []),
      ...shownDigests.flatMap((digest, index) => [
        section(lines[index] ?? ''),
        actions(...buildDigestButtons(digest, manageable.has(digest))),
      ]),
      ...(hiddenCount > 0 ? [context(`${hiddenCount} more are not shown.`)] : []),
      ...(unreadableText === undefined ? [] : [context(unreadableText)]),
      actions(button('New digest', NEW)),
    ],
  };
}

function renderUnreadable(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "I can't show one digest." : `I can't show ${count} digests.`;
}

function buildDigestButtons(digest: Digest, mayManage: boolean): Button[] {
  const isMine = isPersonal(digest);
  const pressButton = (label: string, press: Press) => button(label, buildPressId(press, isMine), digest.id);
  const preview = pressButton('Preview for me', 'preview');
  if (!mayManage) return [preview];
  const consequence = isMine ? 'You get it now.' : 'Everybody in the channel sees it now.';
  return [
    pressButton('Change', 'change'),
    digest.state === 'paused' ? pressButton('Resume', 'unpause') : pressButton('Pause', 'pause'),
    withConfirmation(pressButton('Send now', 'send'), {
      title: 'Send it now?',
      text: consequence,
      confirm: 'Send',
    }),
    preview,
    withConfirmation(
      { ...pressButton('Delete', 'delete'), style: 'danger' },
      { title: 'Delete this digest?', text: 'It will stop.', confirm: 'Delete', style: 'danger' },
    ),
  ];
}

export function renderSavedMessage(digest: Digest, projects: readonly NamedRecord[], now: Date): Message {
  const text = renderSaved(digest, projects, now);
  return { text, blocks: [section(text), actions(...buildDigestButtons(digest, true))] };
}

export function renderNotUnderstood(args: string, reason: string): Message {
  const line =
    `I did not understand “${clip(sanitizeLine(args), MAX_QUOTE_LENGTH)}”. ${reason} Nothing was saved.`.replace(
      / {2,}/g,
      ' ',
    );
  return {
    text: `${escapeText(line)} For example: ${EXAMPLE}`,
    blocks: [
      plainSection(line),
      section(`For example: ${EXAMPLE}`),
      actions(button('Fill in the form', NEW)),
    ],
  };
}

export function renderTimeQuestion(candidate: string, alternative: string): Message {
  const line = `Is that ${candidate}, or ${alternative}? Nothing was saved.`;
  const advice = 'Write the time as `9:00` or `21:00`, or with am or pm.';
  return { text: `${escapeText(line)} ${advice}`, blocks: [plainSection(line), section(advice)] };
}

/** Renders a button that opens the form. A command without a trigger can't open the form. */
export function renderFormOffer(): Message {
  const text = 'Something is left to decide. Nothing was saved.';
  return { text, blocks: [section(text), actions(button('Fill in the form', NEW))] };
}

export const GONE: Message = {
  text: 'This digest is not there any more. `/upnext digest` lists what there is.',
};

/** Renders a digest as a preview, with the picture's alt text instead of the picture. */
export function renderPreview(message: Message, alt: string | undefined): KnownBlock[] {
  return [
    context('Only you see this preview.'),
    ...(message.blocks ?? [section(message.text)]),
    ...(alt === undefined ? [] : [context(plain(`With a picture: ${alt}`))]),
  ];
}
