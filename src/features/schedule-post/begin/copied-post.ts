import type { Call } from '../../../app/call.ts';
import { type PostCopy, readPostCopy } from '../../../forms/post-copies.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import { isZone, sayMoment } from '../../../when/when.ts';
import { MOST_TEXT, splitText, textValues } from '../form/text-parts.ts';
import type { Beginning } from './beginning.ts';

const GONE =
  'What you wanted to copy is no longer kept. Look for it with /upnext posts, and copy it from there.';
const OF_DRAFT =
  'This makes a new post: the service cannot make a scheduled one of a draft. The draft stays as it is.';
const OF_POST = 'This makes a new post. The one that it is a copy of cannot be changed, and stays as it is.';

/** [Schedule again], [Schedule a copy]: all of a post but the moment that is over. */
export async function copiedPost(call: Call, copyId: string): Promise<Beginning> {
  const copy = await readPostCopy(call, copyId);
  if (!copy) return { prefill: {}, said: [GONE] };
  const isDraft = copy.status === 'DRAFT';
  const { parts, rest } = splitText(copy.content ?? '');
  const platforms = copy.platforms.filter((platform) => readPlatforms([platform]));
  const zone = copy.timezone !== undefined && isZone(copy.timezone) ? copy.timezone : undefined;
  return {
    prefill: {
      project: copy.project,
      ...textValues(parts),
      platforms,
      media: copy.media ?? '',
      ...(zone !== undefined && { zone: { zone }, when: momentToCome(copy, zone, call.now()) }),
      ...named('template', copy.templateId),
      ...named('prompt', copy.promptId),
    },
    said: [
      isDraft ? OF_DRAFT : OF_POST,
      ...(rest === ''
        ? []
        : [
            `Its text is longer than ${MOST_TEXT.toLocaleString('en-US')} characters: the end is missing here.`,
          ]),
      ...(platforms.length < copy.platforms.length ? ['A platform that I do not know is left out.'] : []),
      ...(copy.unread?.length ? [`Not copied, because I could not read it: ${copy.unread.join(', ')}.`] : []),
    ],
    ...(isDraft && copy.id !== undefined && { draft: copy.id }),
  };
}

/** What was planned for a draft may still be meant; that of a post is taken. */
function momentToCome({ status, scheduleDate }: PostCopy, zone: string, now: Date): string {
  const instant = new Date(scheduleDate ?? '');
  return status === 'DRAFT' && instant > now ? sayMoment({ instant, zone }, { now }) : '';
}

function named(field: string, id: string | undefined): object {
  return id === undefined ? {} : { [field]: { id, name: id } };
}
