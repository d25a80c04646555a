import type { Kysely } from 'kysely';
import type { ApiClient } from '../../../api/client.ts';
import { listAllPosts } from '../../../api/list-all-posts.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import { PLATFORMS, type Platform } from '../../../api/platforms.ts';
import { API_POST_FIELDS, mapExtraFields, mapPostFields, normalizeText } from '../../../api/post-fields.ts';
import {
  computePostFingerprint,
  createPost,
  type NewPost,
  normalizePlatforms,
  type Post,
} from '../../../api/posts.ts';
import { findCharacterError } from '../../../forms/inputs/text.ts';
import { findMediaProblem, type MediaFacts, unwrapMedia } from '../../../posts/media-reference.ts';
import {
  checkPlatforms,
  type Finding,
  mayOmitText,
  renderFinding,
} from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms, sortPlatforms } from '../../../posts/platforms.ts';
import { describePlaceholders, findMarks, listPlaceholders } from '../../../posts/text-findings.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { ContentPart, DescribedPost, DescribedProblem, PostKind } from '../../../submissions/kind.ts';
import { saveScheduledDraft } from '../../../submissions/sql/scheduled-drafts.ts';
import type { SubmissionRow, SubmissionTables } from '../../../submissions/submission.ts';
import { renderNote } from '../../../when/format-moment.ts';
import { findExtraFieldErrors, fromPostTexts } from '../form/fields.ts';
import { MAX_TEXT_LENGTH, splitText } from '../form/text-fields.ts';
import {
  getPostTexts,
  listOwnTexts,
  listTexts,
  type PostContent,
  postContent,
  postTexts,
  renderPublishingTime,
  SHARE_ACTION,
  toCardPost,
} from './post-content.ts';

export const postSubmission: PostKind<PostContent> = {
  name: 'post',
  feature: 'schedule-post',
  content: postContent,
  hasReceipt: true,
  getProject: ({ project }) => project,
  getRole: ({ values }) => (values.status === 'DRAFT' ? 'contributor' : 'publisher'),
  send: (api, content) => createPost(api, toNewPost(content)),
  onConfirmed: recordScheduledDraft,
  unknownOutcome: { strategy: 'reconcile', computeEqualityKey, countEqual: countEqualPosts },
  getPublishAt: ({ moment, values }) =>
    moment && values.status === 'SCHEDULED' ? new Date(moment.instant) : undefined,
  post: {
    toPost: toCardPost,
    describeRequest(content) {
      const post = toNewPost(content);
      const ownTexts = listOwnTexts(content);
      // A post without texts of its own has the hash that it had before there were any.
      return {
        ...post,
        platforms: sortPlatforms(post.platforms),
        ...(ownTexts.length > 0 && { ownTexts }),
      };
    },
    isDraft: ({ values }) => values.status === 'DRAFT',
    getTime: ({ moment }) => moment && new Date(moment.instant),
    setDraft: (content, isDraft) => ({
      ...content,
      values: { ...content.values, status: isDraft ? 'DRAFT' : 'SCHEDULED' },
    }),
    getSlotStart: ({ slot }) => slot && new Date(slot.from),
    takeSlotFrom: (content, from) => ({ ...content, slot: { from: from.toISOString() } }),
    moveTo: movePost,
    compose: composePost,
    split: splitPost,
    renderTitleAboveDetails: (content, textContext) =>
      renderPublishingTime(content, textContext) ?? 'No date',
    getAuthor: ({ actorLocale: locale, actorZone: zone }) => ({ locale, zone }),
    renderNotes: ({ moment, actorLocale }) =>
      (moment?.notes ?? []).map((note) => renderNote(note, actorLocale)),
    shareAllAction: SHARE_ACTION,
  },
  copy: postTexts,
};

function toNewPost(content: PostContent): NewPost {
  const { values, project, moment } = content;
  const texts = getPostTexts(content, 'id');
  return {
    projectId: project.id,
    // Approvals are bound to a hash of this object as JSON, so its members have a fixed order.
    ...mapPostFields(({ name }) => (texts[name]?.trim() === '' ? undefined : texts[name])),
    schedule: moment && { instant: new Date(moment.instant), zone: moment.zone },
    platforms: parsePlatforms(values.platforms) ?? [],
    status: values.status,
  };
}

/** Copies a post with another time. The form's text for the time no longer applies. */
function movePost(
  { slot: _slot, ...content }: PostContent,
  { instant, zone = content.moment?.zone ?? content.values.zone }: { instant: Date; zone?: string },
): PostContent {
  return {
    ...content,
    values: { ...content.values, when: '', zone },
    moment: { instant: instant.toISOString(), zone },
  };
}

function computeEqualityKey(content: PostContent): string {
  const { values, moment, project } = content;
  const post = {
    ...getPostTexts(content, 'id'),
    platforms: values.platforms,
    scheduleDate: moment && new Date(moment.instant),
  };
  return computePostFingerprint(project.id, post, values.status === 'DRAFT');
}

/** Records that a copy of a draft was scheduled, so that lists show the draft as scheduled. */
async function recordScheduledDraft(
  db: Kysely<SubmissionTables>,
  row: SubmissionRow,
  { draft, project, moment, values }: PostContent,
): Promise<void> {
  if (draft === undefined || values.status === 'DRAFT') return;
  await saveScheduledDraft(db, {
    workspace: row.workspace,
    project: project.id,
    draft,
    submission: row.id,
    post: row.service_id ?? undefined,
    ...(moment && { scheduledAt: new Date(moment.instant), zone: moment.zone }),
    createdBy: row.author,
    createdAt: row.changed_at,
  });
}

/** Tolerance for comparing moments, because the service may round a post's moment. */
const MOMENT_TOLERANCE_MS = 60_000;
/** Maximum number of posts to read for a moment, and of drafts without a date. */
const [MAX_SCHEDULED_POSTS, MAX_DRAFTS] = [1_000, 100];

/** Counts the service's equal posts. 'cannot-tell': some can't be read, or the list may not be complete. */
export async function countEqualPosts(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<number | 'cannot-tell'>> {
  const instant = content.moment && new Date(content.moment.instant).getTime();
  const range =
    instant === undefined
      ? { status: ['DRAFT'] }
      : {
          scheduledFrom: new Date(instant - MOMENT_TOLERANCE_MS),
          scheduledTo: new Date(instant + MOMENT_TOLERANCE_MS),
        };
  const maxPosts = instant === undefined ? MAX_DRAFTS : MAX_SCHEDULED_POSTS;
  const outcome = await listAllPosts(
    api,
    { projectId: content.project.id, ...range },
    { maxPosts, needsProof: true },
  );
  return mapDone(outcome, ({ items, unreadableCount, isComplete }) => {
    const results = items.map(createComparison(content));
    const canTell = isComplete && unreadableCount === 0 && !results.includes('unknown');
    return canTell ? results.filter((result) => result === 'equal').length : 'cannot-tell';
  });
}

const IDENTITY_FIELDS = API_POST_FIELDS.filter(({ isIdentity }) => isIdentity);

/** Compares a post of the service with a submitted post. `unknown`: a field can't be read, and all others are equal. */
function createComparison(content: PostContent): (post: Post) => 'equal' | 'different' | 'unknown' {
  const { values, moment } = content;
  const instant = moment && new Date(moment.instant).getTime();
  const texts = getPostTexts(content, 'id');
  const platforms = normalizePlatforms(values.platforms);
  return (post) => {
    // Another name may stand for one of the contract's platforms.
    const hasUnknownName = post.platforms.some((name) => !PLATFORMS.some((known) => known === name));
    const unreadableFields = [...(post.unreadableFields ?? []), ...(hasUnknownName ? ['Platforms'] : [])];
    const differs: Readonly<Record<string, boolean>> = {
      ...Object.fromEntries(
        IDENTITY_FIELDS.map(({ name, api }) => [
          api,
          normalizeText(post[name]) !== normalizeText(texts[name]),
        ]),
      ),
      Platforms: normalizePlatforms(post.platforms) !== platforms,
      // Any status except DRAFT counts as scheduled, because the post may be published by now.
      Status: post.status !== undefined && (post.status === 'DRAFT') !== (values.status === 'DRAFT'),
      ScheduleDate: !isSameMoment(post.scheduleDate?.getTime(), instant),
    };
    const different = Object.keys(differs).filter((name) => differs[name]);
    if (different.some((name) => !unreadableFields.includes(name))) return 'different';
    return unreadableFields.some((name) => Object.hasOwn(differs, name)) ? 'unknown' : 'equal';
  };
}

function isSameMoment(listed: number | undefined, sent: number | undefined): boolean {
  if (listed === undefined || sent === undefined) return listed === sent;
  return Math.abs(listed - sent) < MOMENT_TOLERANCE_MS;
}

const ORDER: readonly string[] = PLATFORMS;

/**
 * Splits a post into one part for each distinct text, without the platforms in `sentTo`. The number of a part is that of
 * its first platform in the contract, from 1: a platform is in one part only, so an edit doesn't change its number. A post
 * with one text is a whole, with the number 0, unless some platforms are left out.
 */
function splitPost(content: PostContent, sentTo: readonly string[]): ContentPart<PostContent>[] {
  const { ownTexts: _own, ...values } = content.values;
  const texts = listTexts(content);
  const [first] = texts;
  if (texts.length <= 1 && sentTo.length === 0 && (!first || first.isMain))
    return [{ item: 0, content: { ...content, values } }];
  const partOf = values.platforms;
  return texts.flatMap(({ platforms: names, text, isMain }) => {
    const platforms = names.filter((name) => !sentTo.includes(name));
    if (platforms.length === 0) return [];
    const item = 1 + Math.min(...platforms.map((name) => ORDER.indexOf(name)));
    const { furtherTexts: _further, ...ownValues } = values;
    const { text: _text, ...whole } = content;
    return [
      {
        item,
        content: isMain
          ? { ...content, values: { ...values, platforms }, partOf }
          : { ...whole, values: { ...ownValues, platforms, text }, partOf },
      },
    ];
  });
}

/** The part of a post, and the field of its form, for each field of the service that the rules of platforms check. */
export const FINDING_PARTS = { Content: 'text', Media: 'media', Platforms: 'platforms' } as const;

/** Creates the content of a described post, as the form would, with what is wrong with it. */
export function composePost(
  post: DescribedPost,
  known: { mediaFacts?: MediaFacts | undefined; paidPlatforms?: readonly Platform[] | undefined } = {},
): {
  content: PostContent;
  problems: DescribedProblem[];
  warnings: string[];
} {
  const { project, text, isDraft, moment, platforms, slotFrom } = post;
  const media = unwrapMedia(post.media).trim();
  const extraTexts = mapExtraFields((name) => (name === 'altText' && media === '' ? '' : (post[name] ?? '')));
  const ownTexts = Object.entries(post.ownTexts ?? {}).filter(
    ([platform, own]) => platforms.includes(platform) && normalizeText(own) !== normalizeText(text),
  );
  const { parts, excessText } = splitText(text);
  const [firstText = '', ...furtherTexts] = parts;
  const content: PostContent = {
    values: {
      project,
      text: firstText,
      ...(furtherTexts.length > 0 && { furtherTexts }),
      platforms: [...platforms],
      ...(ownTexts.length > 0 && { ownTexts: Object.fromEntries(ownTexts) }),
      status: isDraft ? 'DRAFT' : 'SCHEDULED',
      when: '',
      zone: moment?.zone ?? post.zone,
      ...fromPostTexts({ media, ...extraTexts }),
    },
    project,
    ...(moment && {
      moment: { instant: moment.instant.toISOString(), zone: moment.zone, notes: [...moment.notes] },
    }),
    ...(slotFrom && { slot: { from: slotFrom.toISOString() } }),
  };
  const { stops, warnings } = checkTexts(post, { ...known, media, ownTexts });
  return {
    content,
    problems: [
      ...findOwnProblems({ ...post, media }, excessText),
      ...ownTexts.flatMap(([platform, own]) => {
        const isTooLong = own.length > LIMITS.inputText;
        const tooLong = isTooLong ? `This text has more than ${MAX_OWN_TEXT} characters.` : undefined;
        const problem = tooLong ?? findCharacterError(own);
        return problem === undefined ? [] : [{ part: 'text' as const, platform, problem }];
      }),
      ...stops.map(({ platform, ...finding }) => ({
        ...{ part: FINDING_PARTS[finding.field], problem: renderFinding(finding) },
        ...(platform !== undefined && { platform }),
      })),
    ],
    warnings: [...warnings.map(renderFinding), ...findTextWarnings(text, ownTexts)],
  };
}

const MAX_OWN_TEXT = LIMITS.inputText.toLocaleString('en-US');

/** Says what goes out as it is written in a text, which the form says below its field. */
function findTextWarnings(
  text: string,
  ownTexts: readonly (readonly [platform: string, text: string])[],
): string[] {
  const texts = [text, ...ownTexts.map(([, own]) => own)].join('\n');
  return [...describePlaceholders(listPlaceholders(texts)), ...findMarks(texts)];
}

/** Checks the main text for the platforms that get it, and each other text for its platform. */
function checkTexts(
  { text, platforms }: DescribedPost,
  {
    ownTexts,
    ...known
  }: {
    media: string;
    mediaFacts?: MediaFacts | undefined;
    paidPlatforms?: readonly Platform[] | undefined;
    ownTexts: readonly (readonly [platform: string, text: string])[];
  },
): { stops: (Finding & { platform?: string })[]; warnings: Finding[] } {
  const own = new Map(ownTexts);
  const check = (content: string, names: readonly string[]) =>
    checkPlatforms({ content, ...known, platforms: parsePlatforms(names) ?? [] });
  const main = check(
    text,
    platforms.filter((platform) => !own.has(platform)),
  );
  const others = ownTexts.map(([platform, content]) => ({ platform, ...check(content, [platform]) }));
  return {
    stops: [
      ...main.stops,
      ...others.flatMap(({ platform, stops }) => stops.map((finding) => ({ ...finding, platform }))),
    ],
    warnings: [...main.warnings, ...others.flatMap((other) => other.warnings)],
  };
}

/** What is wrong whatever the platforms are. */
function findOwnProblems(post: DescribedPost, excessText: string): DescribedProblem[] {
  const { text, media, platforms, isDraft } = post;
  const mediaProblem = media === '' ? undefined : findMediaProblem(media);
  const characterProblem = findCharacterError(text);
  const isTextMissing = text.trim() === '' && (media === '' || (!isDraft && !mayOmitText(media, platforms)));
  return [
    ...(isTextMissing ? [{ part: 'text' as const, problem: 'There’s no text. Write one.' }] : []),
    ...(excessText === ''
      ? []
      : [
          {
            part: 'text' as const,
            problem: `This text has more than ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters. Shorten it.`,
          },
        ]),
    ...(characterProblem === undefined ? [] : [{ part: 'text' as const, problem: characterProblem }]),
    ...findExtraFieldErrors(post),
    ...(mediaProblem === undefined ? [] : [{ part: 'media' as const, problem: mediaProblem }]),
    ...(platforms.length === 0 && !isDraft
      ? [{ part: 'platforms' as const, problem: 'There’s no platform. Write one, such as LinkedIn.' }]
      : []),
  ];
}
