import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { normalizeText, type PostFieldName } from '../../../api/post-fields.ts';
import type { OwnText } from '../../../api/posts.ts';
import { buildActionId, namedRecord } from '../../../forms/field.ts';
import { describePost, type PostFacts } from '../../../posts/describe-post.ts';
import { renderDestination, renderPlatformNames, sortPlatforms } from '../../../posts/platforms.ts';
import { type PostAuthor, renderPostCard } from '../../../posts/post-card.ts';
import { type CardPost, renderPostBody } from '../../../posts/post-text.ts';
import { renderMoment, renderMomentForReaders, renderPostTime } from '../../../posts/post-time.ts';
import { FINAL_NOTE } from '../../../posts/state-copy.ts';
import { recurrenceSchema } from '../../../preferences/posting-times.ts';
import { context, plain, section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import type { KindCopy, TextContext } from '../../../submissions/kind.ts';
import { renderNote } from '../../../when/format-moment.ts';
import { FORM_NAME, storedTextParts, toPostTexts } from '../form/fields.ts';
import { toOwnTextValues, toTextValues } from '../form/text-fields.ts';

const formValues = z.object({
  project: namedRecord.optional(),
  text: z.string(),
  /** The text fields after the first. */
  furtherTexts: z.array(z.string()).optional(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  /** The texts of platforms that get another text, by platform, as they are sent. */
  ownTexts: z.record(z.string(), z.string()).optional(),
  ...storedTextParts,
});

/** The stored content of a submitted post: the values to send, and the values for reopening the form. */
export const postContent = z.object({
  values: formValues,
  /** The text to send, if it differs from the value of the first text field. */
  text: z.string().optional(),
  project: namedRecord,
  actorZone: z.string().optional(),
  /** The author's locale, which decides between the 12-hour and the 24-hour clock. */
  actorLocale: z.string().optional(),
  moment: z
    .object({
      instant: z.string(),
      zone: z.string(),
      /** Assumptions about the typed moment, in sentences. */
      notes: z.array(z.string()).optional(),
    })
    .optional(),
  /** The post takes the first free slot from then on. `moment` is the one that the form has shown. */
  slot: z.object({ from: z.string() }).optional(),
  /** The id of the draft that was copied. */
  draft: z.string().optional(),
  /** The platforms of the whole post, if it is the part for the platforms with the same text. */
  partOf: z.array(z.string()).optional(),
  /** The rule of a post that repeats, until its series is stored. Such a post has no moment. */
  repeats: z.object({ recurrence: recurrenceSchema, gapDays: z.number() }).optional(),
});
export type PostContent = z.infer<typeof postContent>;

export function getSentText({ text, values }: PostContent): string {
  return text ?? values.text;
}

/** Lists a post's distinct texts with their platforms. The main text comes first, unless no platform gets it. */
export function listTexts(content: PostContent): (OwnText & { isMain: boolean })[] {
  const { platforms, ownTexts = {} } = content.values;
  const mainText = getSentText(content);
  const main = normalizeText(mainText);
  const getText = (platform: string) => ownTexts[platform] ?? mainText;
  const groups = Map.groupBy(sortPlatforms(platforms), (platform) => normalizeText(getText(platform)));
  return [...groups]
    .map(([normalized, names]) => {
      const isMain = normalized === main;
      return { platforms: names, text: isMain ? mainText : getText(names[0] ?? ''), isMain };
    })
    .toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
}

export function listOwnTexts(content: PostContent): OwnText[] {
  if (content.values.ownTexts === undefined) return [];
  return listTexts(content).flatMap(({ isMain, ...ownText }) => (isMain ? [] : [ownText]));
}

/** Returns what a card shows as the text, and the others. A main text that no platform gets isn't a text of the post. */
function listShownTexts(content: PostContent): { text: string; ownTexts: readonly OwnText[] } {
  const mainText = getSentText(content);
  if (content.values.ownTexts === undefined) return { text: mainText, ownTexts: [] };
  const [shown, ...others] = listTexts(content);
  return {
    text: shown?.text ?? mainText,
    ownTexts: others.map(({ isMain: _isMain, ...ownText }) => ownText),
  };
}

/** Shares the posts of a form with several times. */
export const SHARE_ACTION = buildActionId(FORM_NAME, 'share');
/** The button with which an owner confirms sharing with a channel that another organisation can read. */
export const SHARE_OUTSIDE_ACTION = buildActionId(FORM_NAME, 'share-outside');

export const postTexts: KindCopy<PostContent> = {
  renderTitle(content, textContext) {
    const noun = content.values.status === 'DRAFT' ? 'Draft' : 'Post';
    const place = content.partOf ? ` on ${renderPlatformNames(content.values.platforms)}` : '';
    return `${noun} for ${content.project.name}${place}, ${renderPublishingTime(content, textContext) ?? 'no date'}`;
  },
  renderDone(content, textContext) {
    const when = renderPublishingTime(content, textContext);
    const facts = { status: content.values.status, isJustSaved: true };
    const { title } = describePost(facts, { viewers: {}, now: textContext.now });
    return when === undefined ? `${title}.` : `${title} for ${when}.`;
  },
  renderDoneTitle: ({ values }) => (values.status === 'DRAFT' ? 'Saved' : 'Scheduled'),
  // The line above says the state of a scheduled post.
  renderDoneNote({ values }, { now }) {
    const { sentence } = describePost({ status: values.status }, { viewers: {}, now });
    return values.status === 'DRAFT' ? `${sentence} ${FINAL_NOTE}` : FINAL_NOTE;
  },
  getText: getSentText,
  renderDetails,
};

export function renderPublishingTime(
  { moment, actorLocale }: PostContent,
  { now, reader = { locale: actorLocale } }: TextContext,
): string | undefined {
  return (
    moment &&
    renderPostTime({ instant: new Date(moment.instant), zone: moment.zone }, { locale: reader.locale }, now)
      .plain
  );
}

/** Renders the project, the platforms, the moment in the author's zone, assumptions about the moment, and the post. */
function renderDetails(
  content: PostContent,
  { now, reader = { locale: content.actorLocale } }: TextContext,
): KnownBlock[] {
  const { moment, actorZone, project, values } = content;
  const [ofPost, ofActor] = [moment?.zone, actorZone].map(
    (zone) =>
      moment && renderPostTime({ instant: new Date(moment.instant), zone }, { locale: reader.locale }, now),
  );
  const isOtherTime = ofPost?.day !== ofActor?.day || ofPost?.clock !== ofActor?.clock;
  const lines = [
    renderDestination(project.name, values.platforms),
    ...(actorZone !== undefined && isOtherTime ? [`For you: ${ofActor?.plain}`] : []),
    ...(moment?.notes ?? []).map((note) => renderNote(note, reader.locale)),
  ];
  return [context(...lines.map((line) => plain(line))), ...renderPostBody(toCardPost(content))];
}

/** Returns the text fields of a submitted post: as the service gets them, or with the names that people see. */
export function getPostTexts(
  content: PostContent,
  shown: 'id' | 'name',
): Record<PostFieldName, string | undefined> {
  return { content: getSentText(content), ...toPostTexts(content.values, shown) };
}

export function toCardPost(post: PostContent): CardPost {
  const { values, moment } = post;
  const { text, ownTexts } = listShownTexts(post);
  return {
    ...getPostTexts(post, 'name'),
    content: text,
    platforms: values.platforms,
    ...(ownTexts.length > 0 && { ownTexts }),
    status: values.status,
    ...(moment && { scheduleDate: new Date(moment.instant), timezone: moment.zone }),
  };
}

/**
 * Renders the message that [Share] sends for a form with several times: the first post, and the times of the others. `publication`: what
 * became of the first.
 */
export function renderSharedCard(
  [content, ...others]: readonly [PostContent, ...PostContent[]],
  { author, now, publication }: TextContext & { author: PostAuthor; publication: PostFacts['publication'] },
): Message {
  const otherTimes = others.flatMap(({ moment }) => {
    if (!moment) return [];
    const instant = new Date(moment.instant);
    return [`• ${renderMomentForReaders(instant, renderMoment(instant, moment.zone, now))}`];
  });
  const post = toCardPost(content);
  const facts = { status: post.status, at: post.scheduleDate, publication };
  const { title, emoji } = describePost(facts, { viewers: 'everyone', now });
  const card = renderPostCard({
    ...{ now, title, emoji },
    post,
    project: content.project.name,
    viewers: 'everyone',
    author,
  });
  if (otherTimes.length === 0) return card;
  return { ...card, blocks: [...card.blocks, section(`Also at:\n${otherTimes.join('\n')}`)] };
}

/** Converts a submitted post to the form's values, with the moment as the form showed it. */
export function toFormValues({
  values: { furtherTexts = [], ownTexts = {}, ...values },
  project,
  moment,
  draft,
}: PostContent) {
  return {
    ...values,
    ...toTextValues([values.text, ...furtherTexts]),
    ...toOwnTextValues(ownTexts),
    zone: { zone: values.zone },
    project,
    ...(draft !== undefined && { draft }),
    ...(moment && {
      shownMoments: {
        text: values.when.trim(),
        zone: values.zone,
        moments: [{ ...moment, notes: moment.notes ?? [] }],
        notes: [],
      },
    }),
  };
}
