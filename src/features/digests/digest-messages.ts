import type { Button, KnownBlock } from '@slack/types';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { Named } from '../../forms/field.ts';
import { actions, button, context, plain, quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { digestWords, nextWords, savedWords } from './digest-words.ts';

/** What the buttons do; of a digest of somebody's own they have other names, since it needs another role. */
export const PRESSES = ['change', 'pause', 'go-on', 'send', 'preview', 'delete'] as const;
export type Press = (typeof PRESSES)[number];
export const NEW = 'digests.new';

const EXAMPLE = '`/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee`';
/** Two blocks each. */
const MOST_LISTED = 20;
const WORDS = 100;

export function pressId(press: Press, isMine: boolean): string {
  return `digests.${isMine ? 'my-' : ''}${press}`;
}

/** Of a channel, and of the person who asks. `said`: what was done just now, mrkdwn. */
export function digestList(
  digests: readonly Digest[],
  {
    runs,
    projects,
    now,
    isChannel,
    unreadable,
    said,
  }: {
    /** Those that the reader may change; of the others there is a preview. */
    runs: ReadonlySet<Digest>;
    projects: readonly Named[];
    now: Date;
    isChannel: boolean;
    /** How many this version cannot read. */
    unreadable: number;
    said?: string;
  },
): Message {
  const where = isChannel ? 'here, or for you alone' : 'for you alone';
  const none = `No digest comes ${where}.`;
  const shown = digests.slice(0, MOST_LISTED);
  const rest = digests.length - shown.length;
  const notShown = notShownWords(unreadable);
  const lines = shown.map((digest) => `${digestWords(digest, projects)}. ${nextWords(digest, now)}`);
  return {
    text: [said, ...(lines.length > 0 || unreadable > 0 ? lines : [none]), notShown]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(said === undefined ? [] : [section(said)]),
      ...(shown.length === 0 && unreadable === 0 ? [section(none)] : []),
      ...shown.flatMap((digest, index) => [
        section(lines[index] ?? ''),
        actions(...buttonsOf(digest, runs.has(digest))),
      ]),
      ...(rest > 0 ? [context(`${rest} more are not shown.`)] : []),
      ...(notShown === undefined ? [] : [context(notShown)]),
      actions(button('New digest', NEW)),
    ],
  };
}

function notShownWords(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? "I can't show one digest." : `I can't show ${count} digests.`;
}

function buttonsOf(digest: Digest, mayRun: boolean): Button[] {
  const isMine = isPersonal(digest);
  const one = (label: string, press: Press) => button(label, pressId(press, isMine), digest.id);
  const preview = one('Preview for me', 'preview');
  if (!mayRun) return [preview];
  const where = isMine ? 'You get it now.' : 'Everybody in the channel sees it now.';
  return [
    one('Change', 'change'),
    digest.state === 'paused' ? one('Resume', 'go-on') : one('Pause', 'pause'),
    confirmed(one('Send now', 'send'), { title: 'Send it now?', text: where, confirm: 'Send' }),
    preview,
    confirmed(
      { ...one('Delete', 'delete'), style: 'danger' },
      { title: 'Delete this digest?', text: 'It does not come again.', confirm: 'Delete' },
    ),
  ];
}

function confirmed(
  pressed: Button,
  { title, text, confirm }: Record<'title' | 'text' | 'confirm', string>,
): Button {
  return {
    ...pressed,
    confirm: { title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain('Cancel') },
  };
}

export function saved(digest: Digest, projects: readonly Named[], now: Date): Message {
  const words = savedWords(digest, projects, now);
  return { text: words, blocks: [section(words), actions(...buttonsOf(digest, true))] };
}

export function notUnderstood(words: string, reason: string): Message {
  const line =
    `I did not understand “${clip(sanitizeLine(words), WORDS)}”. ${reason} Nothing was saved.`.replace(
      / {2,}/g,
      ' ',
    );
  return {
    text: `${escapeText(line)} For example: ${EXAMPLE}`,
    blocks: [quoted(line), section(`For example: ${EXAMPLE}`), actions(button('Fill in the form', NEW))],
  };
}

export function severalTimes(first: string, other: string): Message {
  const line = `Is that ${first}, or ${other}? Nothing was saved.`;
  const more = 'Write the time as `9:00` or `21:00`, or with am or pm.';
  return { text: `${escapeText(line)} ${more}`, blocks: [quoted(line), section(more)] };
}

/** What words leave open where no form can be opened at once. */
export function formNeeded(): Message {
  const text = 'Something is left to decide. Nothing was saved.';
  return { text, blocks: [section(text), actions(button('Fill in the form', NEW))] };
}

export const GONE: Message = {
  text: 'This digest is not there any more. `/upnext digest` lists what there is.',
};

/** A preview as blocks for one person: the digest, with the words of its picture. */
export function previewBlocks(message: Message, alt: string | undefined): KnownBlock[] {
  return [
    context('Only you see this preview.'),
    ...(message.blocks ?? [section(message.text)]),
    ...(alt === undefined ? [] : [context(plain(`With a picture: ${alt}`))]),
  ];
}
