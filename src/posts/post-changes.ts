import { POST_FIELDS } from '../api/post-fields.ts';
import { findOwnText } from '../api/posts.ts';
import { clip } from '../words.ts';
import { renderMediaReference } from './media-reference.ts';
import { listPlatformChoices, renderPlatformNames, sortPlatforms } from './platforms.ts';
import { hasStatus } from './post-status.ts';
import type { CardPost } from './post-text.ts';
import { renderPostTime, type Viewers } from './post-time.ts';

/** The length of a quoted text, in characters, unless a caller has more room. The card shows the whole text. */
const MAX_QUOTE_LENGTH = 120;

/** A field that differs between two versions of a post. The values are plain text. */
export interface PostDifference {
  /** The label, such as "Text" or "Time". */
  field: string;
  /** The value before; "none" if there was none. */
  before: string;
  after: string;
}

/** Lists the fields that differ between two versions of a post, in the order of the form. */
export function listPostDifferences(
  before: CardPost,
  after: CardPost,
  { viewers, now, quoteLength = MAX_QUOTE_LENGTH }: { viewers: Viewers; now: Date; quoteLength?: number },
): PostDifference[] {
  const compare = ([label, read]: Field) => {
    const [valueBefore, valueAfter] = [read(before, viewers, now), read(after, viewers, now)];
    return valueBefore === valueAfter ? [] : [{ field: label, before: valueBefore, after: valueAfter }];
  };
  return FIELDS.flatMap(compare).map((difference) =>
    QUOTED_LABELS.includes(difference.field)
      ? nameFiles(difference, quoteBoth(difference, quoteLength))
      : { ...difference, before: difference.before || NONE, after: difference.after || NONE },
  );
}

/** Renders a difference as a line: "Time: Tue 1 Dec, 09:00 → Wed 2 Dec, 09:00". Plain text. */
export function renderPostDifference({ field, before, after }: PostDifference): string {
  return `${field}: ${before} → ${after}`;
}

const NONE = 'none';

type Field = readonly [label: string, read: (post: CardPost, viewers: Viewers, now: Date) => string];

const [CONTENT_FIELD, ...OTHER_TEXT_FIELDS] = POST_FIELDS;

function readText({ name, label }: (typeof POST_FIELDS)[number]): Field {
  return [label, (post) => (post[name] ?? '').trim()];
}

/** The text of each platform that gets another one. */
const OWN_TEXT_FIELDS = listPlatformChoices().map(
  ({ platform, name }): Field => [`Text for ${name}`, (post) => findOwnText(post, platform)?.trim() ?? ''],
);

const FIELDS: readonly Field[] = [
  readText(CONTENT_FIELD),
  [
    'Time',
    ({ scheduleDate, timezone }, viewers, now) =>
      scheduleDate ? renderPostTime({ instant: scheduleDate, zone: timezone }, viewers, now).plain : '',
  ],
  // Their order means nothing.
  ['Platforms', ({ platforms }) => renderPlatformNames(sortPlatforms(platforms))],
  ...OWN_TEXT_FIELDS,
  ...OTHER_TEXT_FIELDS.map(readText),
  ['Status', (post) => (hasStatus(post, 'DRAFT') ? 'draft' : 'scheduled')],
];

const QUOTED_LABELS: readonly string[] = [
  ...POST_FIELDS.filter(({ isId }) => !isId).map(({ label }) => label),
  ...OWN_TEXT_FIELDS.map(([label]) => label),
];
/** How much of the equal beginning a quote shows before the first difference. */
const SHOWN_BEGINNING = 30;

/** Quotes both values from shortly before their first difference, so that a change in a long text is visible. */
function quoteBoth({ field, before, after }: PostDifference, quoteLength: number): PostDifference {
  const [earlier, later] = [before, after].map((value) => [...value.replace(/\s+/g, ' ')]);
  if (!earlier || !later) return { field, before, after };
  const firstDifference = earlier.findIndex((character, index) => character !== later[index]);
  const equalLength = firstDifference < 0 ? earlier.length : firstDifference;
  const start = equalLength > quoteLength / 2 ? equalLength - SHOWN_BEGINNING : 0;
  const quote = (characters: readonly string[]) =>
    characters.length === 0
      ? NONE
      : `“${start > 0 ? '…' : ''}${clip(characters.slice(start).join(''), quoteLength)}”`;
  return { field, before: quote(earlier), after: quote(later) };
}

/** Names files from Slack, whose addresses mean nothing to people. */
function nameFiles({ before, after }: PostDifference, quoted: PostDifference): PostDifference {
  const [earlier, later] = [renderMediaReference(before), renderMediaReference(after)];
  const isNamed = later !== after;
  return {
    ...quoted,
    ...(earlier !== before && { before: earlier }),
    ...(isNamed && { after: earlier === later ? `another ${later}` : later }),
  };
}
