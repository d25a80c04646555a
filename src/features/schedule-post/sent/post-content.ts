import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { buildActionId, namedRecord } from '../../../forms/field.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import {
  type CardPost,
  renderMoment,
  renderMomentInActorZone,
  renderPostBody,
  renderPostCard,
} from '../../../posts/render-post.ts';
import { button, context, plain } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import type { KindCopy, Seen } from '../../../submissions/kind.ts';
import { FORM } from '../form/fields.ts';

/** The values of the form. */
const values = z.object({
  project: namedRecord.optional(),
  text: z.string(),
  /** The text fields after the first. */
  more: z.array(z.string()).optional(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  media: z.string(),
  template: namedRecord.optional(),
  // Earlier versions of the form stored a typed id.
  prompt: z
    .union([namedRecord, z.string().transform((id) => (id === '' ? undefined : { id, name: id }))])
    .optional(),
});

/** The stored content of a submitted post: everything that is sent, and everything that rebuilds its form. */
export const postContent = z.object({
  values,
  /** The text to send, if it differs from the first text field. */
  text: z.string().optional(),
  project: namedRecord,
  actorZone: z.string().optional(),
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
export function sentText({ text, values }: PostContent): string {
  return text ?? values.text;
}

export const SHARE = buildActionId(FORM, 'share');
/** The same for a channel shared with another organisation, after an owner has confirmed. */
export const SHARE_OUTSIDE = buildActionId(FORM, 'share-outside');
export const ANOTHER = buildActionId(FORM, 'another');

/** The text that people read about a submitted post. */
export const postWords: KindCopy<PostContent> = {
  title(content, seen) {
    const what = content.values.status === 'DRAFT' ? 'Draft' : 'Post';
    return `${what} for ${content.project.name}, ${whenOf(content, seen) ?? 'no date'}`;
  },
  renderDone(content, seen) {
    const when = whenOf(content, seen);
    if (content.values.status === 'DRAFT')
      return when ? `Saved as a draft for ${when}.` : 'Saved as a draft.';
    return `Scheduled for ${when ?? 'no date'}.`;
  },
  doneTitle: ({ values }) => (values.status === 'DRAFT' ? 'Saved' : 'Scheduled'),
  doneNote: ({ values }) =>
    values.status === 'DRAFT'
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
  return moment && renderMoment(new Date(moment.instant), moment.zone, now);
}

/** Project, platforms, the moment in the reader's zone, assumptions, and the post itself. */
function details(content: PostContent, { now }: Seen): KnownBlock[] {
  const { moment, actorZone, project, values } = content;
  const own = moment && renderMomentInActorZone(new Date(moment.instant), moment.zone, actorZone, now);
  const lines = [
    `Project: ${project.name}`,
    values.platforms.length > 0 ? renderPlatformNames(values.platforms) : 'No platform yet',
    ...(own === undefined ? [] : [`For you: ${own}`]),
    ...(moment?.notes ?? []),
  ];
  return [context(...lines.map((line) => plain(line))), ...renderPostBody(cardPost(content))];
}

/** A submitted post as the input of a card. */
export function cardPost(post: PostContent): CardPost {
  const { values, moment } = post;
  return {
    content: sentText(post),
    media: values.media,
    platforms: values.platforms,
    status: values.status,
    ...(moment && { scheduleDate: new Date(moment.instant), timezone: moment.zone }),
    ...(values.template && { templateId: values.template.name }),
    ...(values.prompt && { promptId: values.prompt.name }),
  };
}

/** The message that [Share with channel] sends. */
export function sharedCard(
  content: PostContent,
  { by, ...seen }: Seen & { by: string | undefined },
): Message {
  const title = content.values.status === 'DRAFT' ? 'Draft' : 'Scheduled';
  return renderPostCard({
    ...seen,
    title,
    post: cardPost(content),
    project: content.project.name,
    authorName: by,
  });
}
