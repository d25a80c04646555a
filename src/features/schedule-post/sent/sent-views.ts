import type { KnownBlock, ModalView } from '@slack/types';
import { clockWords, elsewhere, momentWords } from '../../../posts/moment-words.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { type CardPost, excerpt, PRACTICE, postBody, postCard } from '../../../posts/post-card.ts';
import { actions, button, context, plain, quoted, section } from '../../../slack/blocks.ts';
import { escapeText } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';
import { type ServiceTrouble, troubleWords } from '../../../slack/service-trouble.ts';
import type { Submission } from '../../../submissions/submission.ts';
import { FORM } from '../form/fields.ts';
import type { PostContent, Typed } from '../form/form-facts.ts';

export const CHECK = `${FORM}.check`;
export const SHARE = `${FORM}.share`;
export const ANOTHER = `${FORM}.another`;
export const FIX = `${FORM}.fix`;

/** What these views need besides what was sent. */
export interface Seen {
  now: Date;
  practice: boolean;
}

type Post = Submission<PostContent>;

function cardPost({ typed, moment }: Pick<PostContent, 'typed' | 'moment'>): CardPost {
  return {
    content: typed.text,
    media: typed.media,
    platforms: typed.platforms,
    status: typed.status,
    ...(moment && { scheduleDate: new Date(moment.instant), timezone: moment.zone }),
    ...(typed.template && { templateId: typed.template.name }),
    ...(typed.prompt !== '' && { promptId: typed.prompt }),
  };
}

/** "Scheduled for Tue 1 Dec, 09:00 (Berlin)." */
function headline({ typed, moment }: PostContent, { now }: Seen): string {
  const when = moment && momentWords(new Date(moment.instant), moment.zone, now);
  if (typed.status === 'DRAFT') return when ? `Saved as a draft for ${when}.` : 'Saved as a draft.';
  return `Scheduled for ${when ?? 'no date'}.`;
}

/** Project, platforms, the reader's own time, and the words. */
function facts(content: PostContent, { now }: Seen): KnownBlock[] {
  const { moment, readerZone, project, typed } = content;
  const own = moment && elsewhere(new Date(moment.instant), moment.zone, readerZone, now);
  const lines = [
    `Project: ${project.name}`,
    typed.platforms.length > 0 ? platformNames(typed.platforms) : 'No platform yet',
    ...(own === undefined ? [] : [`For you: ${own}`]),
  ];
  return [context(...lines.map((line) => plain(line))), ...postBody(cardPost(content))];
}

/** The same under a headline that does not say when. */
function factsAndMoment(content: PostContent, seen: Seen): KnownBlock[] {
  const { moment } = content;
  const when = moment && momentWords(new Date(moment.instant), moment.zone, seen.now);
  return [...(when === undefined ? [] : [context(plain(when))]), ...facts(content, seen)];
}

function view(title: string, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks,
  };
}

/** While the service has not answered. It cannot be submitted a second time. */
export function sendingView(content: PostContent, seen: Seen): ModalView {
  return view('Sending…', [
    section(
      '*Saved. Sending… the service has not answered yet.*\nYou can close this: I will tell you how it ends.',
    ),
    ...factsAndMoment(content, seen),
  ]);
}

export function confirmedView(post: Post, seen: Seen, said?: string): ModalView {
  const { content, shared, channel } = post;
  const canShare = channel !== undefined && !shared;
  return view(content.typed.status === 'DRAFT' ? 'Saved' : 'Scheduled', [
    section(`:white_check_mark: *${escapeText(headline(content, seen))}*`),
    ...facts(content, seen),
    ...(said === undefined ? [] : [section(said)]),
    context('It cannot be changed or removed from here.', ...(seen.practice ? [PRACTICE] : [])),
    actions(
      button('Schedule another', ANOTHER, post.id),
      ...(canShare ? [button('Share with channel', SHARE, post.id)] : []),
    ),
  ]);
}

/** Nobody knows whether the service has it. Nothing here sends it again. */
export function unknownView(post: Post, seen: Seen, said?: string): ModalView {
  return view('Not sure', unknownBlocks(post, seen, said));
}

function unknownBlocks(post: Post, seen: Seen, said?: string): KnownBlock[] {
  const done = post.content.typed.status === 'DRAFT' ? 'saved' : 'scheduled';
  return [
    section(
      `:grey_question: *I do not know whether it was ${done}.*\nThe service did not answer properly. I will not send it twice.`,
    ),
    ...(said === undefined ? [] : [section(said)]),
    ...factsAndMoment(post.content, seen),
    actions(button(said === undefined ? 'Check' : 'Check again', CHECK, post.id)),
  ];
}

/** What a look that found nothing says. */
export function absentWords(content: PostContent, { now }: Seen): string {
  return `Not there (yet) as of ${escapeText(clockWords(now, content.readerZone))}.`;
}

/** What is said where the look itself failed. */
export function notSeenWords(trouble: ServiceTrouble, content: PostContent, { now }: Seen): string {
  return `I could not look at ${escapeText(clockWords(now, content.readerZone))}. ${troubleWords(trouble)}`;
}

/** The same for a direct message, to a person who has closed the form. */
export function confirmedMessage(post: Post, seen: Seen): Message {
  const { content } = post;
  return {
    text: escapeText(
      `${headline(content, seen)} ${content.project.name}. ${excerpt(content.typed.text)}`.trim(),
    ),
    blocks: confirmedView(post, seen).blocks.filter(isKnown),
  };
}

export function unknownMessage(post: Post, seen: Seen, said?: string): Message {
  const { content } = post;
  const when = content.moment && momentWords(new Date(content.moment.instant), content.moment.zone, seen.now);
  const words = [when, content.project.name].filter((part) => part !== undefined).join(', ');
  return {
    text: escapeText(
      `I do not know whether your post was sent (${words}). ${excerpt(content.typed.text)}`.trim(),
    ),
    blocks: unknownBlocks(post, seen, said),
  };
}

/** It certainly was not sent; the button opens the form with every word. */
export function refusedMessage(
  post: Post,
  { why, said }: { why: string; said: string },
  seen: Seen,
): Message {
  const { content } = post;
  return {
    text: escapeText(`Not sent to ${content.project.name}: ${excerpt(content.typed.text)}`.trim()),
    blocks: [
      section(`:warning: *Not sent.* ${why} Your text is below.`),
      ...(said === '' ? [] : [quoted(said)]),
      ...factsAndMoment(content, seen),
      actions(button('Fix and send again', FIX, post.id, 'primary')),
    ],
  };
}

/** Nothing is kept of it but this message, so every word stands here. */
export function notSavedMessage(typed: Typed): Message {
  const text = 'Not saved, and nothing was sent.';
  return {
    text: escapeText(`${text} ${excerpt(typed.text)}`.trim()),
    blocks: [
      section(`:warning: *${text}*\nType \`/schedule-post\` to try again. This is what you wrote:`),
      ...postBody(cardPost({ typed })),
      ...(typed.when.trim() === '' ? [] : [context(plain(`When: ${typed.when}`))]),
    ],
  };
}

/** What [Share with channel] posts. */
export function sharedCard({ content }: Post, { now, practice }: Seen): Message {
  const title = content.typed.status === 'DRAFT' ? 'Draft' : 'Scheduled';
  return postCard({ title, post: cardPost(content), project: content.project.name, now, practice });
}

function isKnown(block: ModalView['blocks'][number]): block is KnownBlock {
  return ['section', 'context', 'actions'].includes(block.type);
}
