import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { actionId, named } from '../../../forms/field.ts';
import { momentInReaderZone, momentText } from '../../../posts/moment-words.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { type CardPost, postBody, postCard } from '../../../posts/post-card.ts';
import { button, context, plain } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import type { KindCopy, Seen } from '../../../submissions/kind.ts';
import { FORM } from '../form/fields.ts';

/** What was typed and chosen, as it stood in the form. */
const typed = z.object({
  project: named.optional(),
  text: z.string(),
  /** What stood in the text's further fields. */
  more: z.array(z.string()).optional(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  media: z.string(),
  template: named.optional(),
  // The form had the id typed into it once.
  prompt: z
    .union([named, z.string().transform((id) => (id === '' ? undefined : { id, name: id }))])
    .optional(),
});

/** What is kept of a post that somebody submitted: all that is sent, and all that rebuilds its form. */
export const postContent = z.object({
  typed,
  /** What is sent, where it is not what stood in the first field. */
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
  /** The id of the draft that this is a copy of. */
  draft: z.string().optional(),
});
export type PostContent = z.infer<typeof postContent>;

/** The words of the post. */
export function sentText({ text, typed }: PostContent): string {
  return text ?? typed.text;
}

export const SHARE = actionId(FORM, 'share');
/** The same where people of another organisation read, once an owner has been told so. */
export const SHARE_OUTSIDE = actionId(FORM, 'share-outside');
export const ANOTHER = actionId(FORM, 'another');

/** What people read of a post that was submitted. */
export const postWords: KindCopy<PostContent> = {
  title(content, seen) {
    const what = content.typed.status === 'DRAFT' ? 'Draft' : 'Post';
    return `${what} for ${content.project.name}, ${whenOf(content, seen) ?? 'no date'}`;
  },
  done(content, seen) {
    const when = whenOf(content, seen);
    if (content.typed.status === 'DRAFT') return when ? `Saved as a draft for ${when}.` : 'Saved as a draft.';
    return `Scheduled for ${when ?? 'no date'}.`;
  },
  doneTitle: ({ typed }) => (typed.status === 'DRAFT' ? 'Saved' : 'Scheduled'),
  doneNote: ({ typed }) =>
    typed.status === 'DRAFT'
      ? 'It cannot be changed or removed from here. To schedule it, make a copy.'
      : 'It cannot be changed or removed from here.',
  text: sentText,
  details,
  doneButtons: (_content, { id, channel, shared }): ActionsBlockElement[] => [
    button('Schedule another', ANOTHER, id),
    ...(channel !== undefined && !shared ? [button('Share with channel', SHARE, id)] : []),
  ],
};

function whenOf({ moment }: PostContent, { now }: Seen): string | undefined {
  return moment && momentText(new Date(moment.instant), moment.zone, now);
}

/** Project, platforms, the reader's own time, what was assumed, and the words. */
function details(content: PostContent, { now }: Seen): KnownBlock[] {
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

/** A post that is not there yet, as a card shows it. */
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

/** What [Share with channel] posts. */
export function sharedCard(
  content: PostContent,
  { by, ...seen }: Seen & { by: string | undefined },
): Message {
  const title = content.typed.status === 'DRAFT' ? 'Draft' : 'Scheduled';
  return postCard({ ...seen, title, post: cardPost(content), project: content.project.name, by });
}
