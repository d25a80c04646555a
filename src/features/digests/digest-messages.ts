import type { Button, KnownBlock } from '@slack/types';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { digestText, nextText, savedText } from './digest-text.ts';

/** The buttons of a digest. Personal digests have separate action ids, because they need another role. */
export const PRESSES = ['change', 'pause', 'unpause', 'send', 'preview', 'delete'] as const;
export type Press = (typeof PRESSES)[number];
export const NEW = 'digests.new';

const EXAMPLE = '`/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee`';
/** Each takes two blocks, and a message holds 50. */
const MAX_LISTED = 20;
const MAX_QUOTE_LENGTH = 100;

export function pressId(press: Press, isMine: boolean): string {
  return `digests.${isMine ? 'my-' : ''}${press}`;
}

/** The digests of a channel, and the reader's personal ones. `result`: the result of the last press, mrkdwn. */
export function digestList(
  digests: readonly Digest[],
  {
    manageable,
    projects,
    now,
    isChannel,
    unreadable,
    result,
  }: {
    /** The digests that the reader may change. The others only have a preview. */
    manageable: ReadonlySet<Digest>;
    projects: readonly NamedRecord[];
    now: Date;
    isChannel: boolean;
    /** The number of stored digests that this version can't read. */
    unreadable: number;
    result?: string;
  },
): Message {
  const where = isChannel ? 'here, or for you alone' : 'for you alone';
  const none = `No digest comes ${where}.`;
  const shown = digests.slice(0, MAX_LISTED);
  const rest = digests.length - shown.length;
  const notShown = unreadableText(unreadable);
  const lines = shown.map((digest) => `${digestText(digest, projects)}. ${nextText(digest, now)}`);
  return {
    text: [result, ...(lines.length > 0 || unreadable > 0 ? lines : [none]), notShown]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(result === undefined ? [] : [section(result)]),
      ...(shown.length === 0 && unreadable === 0 ? [section(none)] : []),
      ...shown.flatMap((digest, index) => [
        section(lines[index] ?? ''),
        actions(...digestButtons(digest, manageable.has(digest))),
      ]),
      ...(rest > 0 ? [context(`${rest} more are not shown.`)] : []),
      ...(notShown === undefined ? [] : [context(notShown)]),
      actions(button('New digest', NEW)),
    ],
  };
}

function unreadableText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "I can't show one digest." : `I can't show ${count} digests.`;
}

function digestButtons(digest: Digest, mayManage: boolean): Button[] {
  const isMine = isPersonal(digest);
  const one = (label: string, press: Press) => button(label, pressId(press, isMine), digest.id);
  const preview = one('Preview for me', 'preview');
  if (!mayManage) return [preview];
  const where = isMine ? 'You get it now.' : 'Everybody in the channel sees it now.';
  return [
    one('Change', 'change'),
    digest.state === 'paused' ? one('Resume', 'unpause') : one('Pause', 'pause'),
    withConfirmation(one('Send now', 'send'), { title: 'Send it now?', text: where, confirm: 'Send' }),
    preview,
    withConfirmation(
      { ...one('Delete', 'delete'), style: 'danger' },
      { title: 'Delete this digest?', text: 'It does not come again.', confirm: 'Delete' },
    ),
  ];
}

function withConfirmation(
  base: Button,
  { title, text, confirm }: Record<'title' | 'text' | 'confirm', string>,
): Button {
  return {
    ...base,
    confirm: { title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain('Cancel') },
  };
}

export function savedMessage(digest: Digest, projects: readonly NamedRecord[], now: Date): Message {
  const words = savedText(digest, projects, now);
  return { text: words, blocks: [section(words), actions(...digestButtons(digest, true))] };
}

export function notUnderstood(words: string, reason: string): Message {
  const line =
    `I did not understand “${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”. ${reason} Nothing was saved.`.replace(
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

export function timeQuestion(first: string, other: string): Message {
  const line = `Is that ${first}, or ${other}? Nothing was saved.`;
  const more = 'Write the time as `9:00` or `21:00`, or with am or pm.';
  return { text: `${escapeText(line)} ${more}`, blocks: [plainSection(line), section(more)] };
}

/** Offers the form where a command can't open it, because it has no trigger. */
export function openFormMessage(): Message {
  const text = 'Something is left to decide. Nothing was saved.';
  return { text, blocks: [section(text), actions(button('Fill in the form', NEW))] };
}

export const GONE: Message = {
  text: 'This digest is not there any more. `/upnext digest` lists what there is.',
};

/** A preview for one person: the digest, with the alt text in place of its picture. */
export function previewBlocks(message: Message, alt: string | undefined): KnownBlock[] {
  return [
    context('Only you see this preview.'),
    ...(message.blocks ?? [section(message.text)]),
    ...(alt === undefined ? [] : [context(plain(`With a picture: ${alt}`))]),
  ];
}
