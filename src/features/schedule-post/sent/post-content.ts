import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { actionId, named } from '../../../forms/field.ts';
import { platformNames } from '../../../posts/platforms.ts';
import {
  type CardPost,
  momentInReaderZone,
  momentText,
  postBody,
  postCard,
} from '../../../posts/post-card.ts';
import { button, context, plain } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import type { KindCopy, TextContext } from '../../../submissions/kind.ts';
import { FORM } from '../form/fields.ts';

/** The values of the form. */
const typed = z.object({
  project: named.optional(),
  text: z.string(),
  /** The text fields after the first. */
  more: z.array(z.string()).optional(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  media: z.string(),
  template: named.optional(),
  // Earlier versions of the form stored a typed id.
  prompt: z
    .union([named, z.string().transform((id) => (id === '' ? undefined : { id, name: id }))])
    .optional(),
});

/** The stored content of a submitted post: everything that is sent, and everything that rebuilds its form. */
export const postContent = z.object({
  typed,
  /** The text to send, if it differs from the first text field. */
  text: z.string().optional(),
  project: named,
  readerZone: z.string().optional(),
  moment: z
    .object({
      instant: z.string(),
      zone: z.string(),
      /** What was assumed, in sentences. */
      notes: z.array(z.string()).optional(),
    })
    .optional(),
  /** The id of the draft that was copied. */
  draft: z.string().optional(),
});
export type PostContent = z.infer<typeof postContent>;

/** The text of the post as sent to the service. */
export function sentText({ text, typed }: PostContent): string {
  return text ?? typed.text;
}

export const SHARE = actionId(FORM, 'share');
/** The same for a channel shared with another organisation, after an owner has confirmed. */
export const SHARE_OUTSIDE = actionId(FORM, 'share-outside');
export const ANOTHER = actionId(FORM, 'another');

/** The text that people read about a submitted post. */
export const postWords: KindCopy<PostContent> = {
  renderTitle(content, seen) {
    const what = content.typed.status === 'DRAFT' ? 'Draft' : 'Post';
    return `${what} for ${content.project.name}, ${whenOf(content, seen) ?? 'no date'}`;
  },
  renderDone(content, seen) {
    const when = whenOf(content, seen);
    if (content.typed.status === 'DRAFT') return when ? `Saved as a draft for ${when}.` : 'Saved as a draft.';
    return `Scheduled for ${when ?? 'no date'}.`;
  },
  renderDoneTitle: ({ typed }) => (typed.status === 'DRAFT' ? 'Saved' : 'Scheduled'),
  renderDoneNote: ({ typed }) =>
    typed.status === 'DRAFT'
      ? 'It cannot be changed or removed from here. To schedule it, make a copy.'
      : 'It cannot be changed or removed from here.',
  getText: sentText,
  renderDetails: details,
  renderDoneButtons: (_content, { id, channel, isShared: shared }): ActionsBlockElement[] => [
    button('Schedule another', ANOTHER, id),
    ...(channel !== undefined && !shared ? [button('Share with channel', SHARE, id)] : []),
  ],
};

function whenOf({ moment }: PostContent, { now }: TextContext): string | undefined {
  return moment && momentText(new Date(moment.instant), moment.zone, now);
}

/** Project, platforms, the moment in the reader's zone, assumptions, and the post itself. */
function details(content: PostContent, { now }: TextContext): KnownBlock[] {
  const { moment, readerZone, project, typed } = content;
  const own = moment && momentInReaderZone(new Date(moment.instant), moment.zone, readerZone, now);
  const lines = [
    `Project: ${project.name}`,
    typed.platforms.length > 0 ? platformNames(typed.platforms) : 'No platform yet',
    ...(own === undefined ? [] : [`For you: ${own}`]),
    ...(moment?.notes ?? []),
  ];
  return [context(...lines.map((line) => plain(line))), ...postBody(cardPost(content))];
}

/** A submitted post as the input of a card. */
export function cardPost(post: PostContent): CardPost {
  const { typed, moment } = post;
  return {
    content: sentText(post),
    media: typed.media,
    platforms: typed.platforms,
    status: typed.status,
    ...(moment && { scheduleDate: new Date(moment.instant), timezone: moment.zone }),
    ...(typed.template && { templateId: typed.template.name }),
    ...(typed.prompt && { promptId: typed.prompt.name }),
  };
}

/** The message that [Share with channel] sends. */
export function sharedCard(
  content: PostContent,
  { by, now, isEmulated }: TextContext & { by: string | undefined },
): Message {
  const title = content.typed.status === 'DRAFT' ? 'Draft' : 'Scheduled';
  return postCard({
    now,
    practice: isEmulated,
    title,
    post: cardPost(content),
    project: content.project.name,
    by,
  });
}
