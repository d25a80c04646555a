import type { CheckResult } from '../../../forms/form.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import { MAX_GAP_DAYS } from '../../../held-posts/series/rule.ts';
import { findMediaProblem } from '../../../posts/media-reference.ts';
import { mayOmitText } from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { formatMomentWithoutZone } from '../../../when/format-moment.ts';
import { renderRecurrence } from '../../../when/recurrence.ts';
import { isZone } from '../../../when/zones.ts';
import type { PostContent } from '../sent/post-content.ts';
import { listMoments, readWhen, type WhenReading } from '../when/read-when.ts';
import { renderWhenError } from '../when/when-text.ts';
import {
  type fields,
  getEffectiveStatus,
  isKeptInReview,
  type PostInputs,
  type PostState,
  pickTextParts,
  TIME_EXAMPLE,
} from './fields.ts';
import { getKnownMedia, getMedia, getMediaField, isFileNew } from './media-field.ts';
import {
  checkPlatformRules,
  type FindingField,
  joinFindings,
  type PlatformFindings,
  renderExcess,
} from './platform-findings.ts';
import { renderSentTo } from './post-form-context.ts';
import { buildOwnTexts, buildPostText, joinFilledTexts, listRequiredPlaceholders } from './post-text.ts';
import {
  countTextFields,
  getFurtherTexts,
  getLastTextField,
  getOwnTextName,
  joinTexts,
  listTypedOwnTexts,
  MAX_SERIES_TEXTS,
  splitSeriesTexts,
  splitText,
} from './text-fields.ts';

type FormValues = PostState['values'];

/** Checks all fields of a post without network access. Errors are plain text. */
export function checkPost(state: PostState): CheckResult<typeof fields, PostContent> {
  const { values, formContext } = state;
  const { project, status } = values;
  const reading = readWhen(state);
  const findings = checkPlatformRules(state);
  const media = getMedia(state);
  const mediaProblem = getKnownMedia(state)?.problem ?? findMediaProblem(media);
  const lastTextField = getLastTextField(countTextFields(values, formContext.textFieldCount));
  const errors = {
    [lastTextField]:
      renderExcess(state) ?? findTooManyTexts(state, reading) ?? renderRefusals(findings, 'text'),
    // Only the first text field is required.
    ...(isTextMissing(values, mediaProblem === undefined ? media : '') && {
      text: 'Write the text, or add media, a template or a prompt.',
    }),
    platforms: findPlatformsProblem(state) ?? renderRefusals(findings, 'platforms'),
    ...findOwnTextProblems(state, findings),
    when: reading ? renderWhenError(reading, state) : findMissingWhenProblem(state),
    ...findSeriesProblems(state, reading),
    zone: values.when.trim() !== '' && !isZone(values.zone.zone) ? 'Choose the time zone.' : undefined,
    [getMediaField(state)]:
      mediaProblem ??
      renderRefusals(findings, 'media') ??
      (isFileNew(state) ? joinFindings(findings.warnings.media) : undefined),
  };
  const foundErrors = Object.entries(errors).filter(([, error]) => error !== undefined);
  if (foundErrors.length > 0 || !project || status === '')
    return { kind: 'invalid', errors: Object.fromEntries(foundErrors) };
  return { kind: 'valid', contents: createContents(state, { project, status }, reading) };
}

/** Finds the fields that a submission with these values requires. Drafts may be unfinished. */
export function findRequiredPostFields(state: PostInputs): (keyof FormValues & string)[] {
  const { template, prompt, when, platforms } = state.values;
  const isScheduled = getEffectiveStatus(state) !== 'DRAFT';
  // Without a text, the template's text would go out with its placeholders.
  const hasPlaceholders = (state.formContext.placeholders ?? []).length > 0;
  const isTextGiven = template || prompt || mayOmitText(getMedia(state), platforms);
  return [
    ...(isTextGiven && !(isScheduled && hasPlaceholders) ? [] : ['text' as const]),
    ...(isScheduled ? (['platforms', 'when', ...listRequiredPlaceholders(state)] as const) : []),
    ...(isScheduled || when.trim() !== '' ? ['zone' as const] : []),
  ];
}

/** Finds out why the post of this form can't repeat. */
function findSeriesProblems(
  state: PostState,
  reading: WhenReading | undefined,
): Partial<Record<keyof FormValues, string>> {
  const { values, formContext } = state;
  const { status, gap } = values;
  if (reading?.kind !== 'series') {
    // An unreadable time, or a time zone, explains its own problem.
    const isExplained = reading ? renderWhenError(reading, state) !== undefined : values.when.trim() !== '';
    return formContext.series && !isExplained
      ? { when: 'Enter when it repeats, such as “every weekday at 9”.' }
      : {};
  }
  if (formContext.heldPost) return { when: 'This post goes out once. Enter one time.' };
  if (status === 'DRAFT' || formContext.asksForReview)
    return {
      status: formContext.isDraftOnly
        ? 'Repeating posts need the Publisher role.'
        : 'A draft can’t repeat. Choose “Schedule”.',
    };
  return /^\d*$/.test(gap.trim()) && Number(gap) <= MAX_GAP_DAYS
    ? {}
    : { gap: `Enter a number of days up to ${MAX_GAP_DAYS}.` };
}

/**
 * Creates the content of one post for each moment. If there are several, each post's `when` names only its own moment,
 * because posts can be edited separately before they are sent.
 */
function createContents(
  state: PostState,
  { project, status }: { project: PostContent['project']; status: 'SCHEDULED' | 'DRAFT' },
  reading: WhenReading | undefined,
): PostContent[] {
  const { values, formContext, now } = state;
  const { text } = buildPostText(state);
  const ownTexts = new Map([...buildOwnTexts(state)].map(([platform, own]) => [platform, own.text]));
  const filledText = joinFilledTexts(state);
  // The stored values have no fill fields, so that a reopened form shows the text as it was sent.
  const textValues =
    filledText === joinTexts(values)
      ? { text: values.text, furtherTexts: getFurtherTexts(values) }
      : splitIntoFields(filledText);
  const { when, platforms } = values;
  const sharedContent = {
    values: {
      project,
      text: textValues.text,
      platforms: [...platforms],
      status,
      when,
      zone: values.zone.zone,
      ...pickTextParts({ ...values, media: getMedia(state), ...(getMedia(state) === '' && { altText: '' }) }),
      ...(textValues.furtherTexts.length > 0 && { furtherTexts: textValues.furtherTexts }),
      ...(ownTexts.size > 0 && { ownTexts: Object.fromEntries(ownTexts) }),
    },
    project,
    ...(text !== textValues.text && { text }),
    ...(formContext.actorZone !== undefined && { actorZone: formContext.actorZone }),
    ...(formContext.actorLocale !== undefined && { actorLocale: formContext.actorLocale }),
    ...(formContext.draft !== undefined && { draft: formContext.draft }),
  };
  if (reading?.kind === 'series') {
    const { recurrence } = reading;
    const { draft: _draft, text: _text, ...content } = sharedContent;
    const sentTexts = splitSeriesTexts(text);
    const repeats = { recurrence, gapDays: Number(values.gap.trim()) };
    return splitSeriesTexts(filledText).map((filled, index) => {
      const { furtherTexts: _further, ...others } = content.values;
      const parts = splitIntoFields(filled);
      return {
        ...content,
        values: {
          ...others,
          ...{ text: parts.text, when: renderRecurrence(recurrence), zone: recurrence.zone },
          ...(parts.furtherTexts.length > 0 && { furtherTexts: parts.furtherTexts }),
        },
        ...(sentTexts[index] !== parts.text && { text: sentTexts[index] }),
        repeats,
      };
    });
  }
  const moments = listMoments(reading);
  if (moments.length === 0) return [sharedContent];
  return moments.map(({ moment, notes }) => ({
    ...sharedContent,
    values: {
      ...sharedContent.values,
      ...(moments.length > 1 && { when: formatMomentWithoutZone(moment, { now }), zone: moment.zone }),
    },
    moment: { instant: moment.instant.toISOString(), zone: moment.zone, notes: [...notes] },
    ...(reading && 'slotFrom' in reading && { slot: { from: reading.slotFrom.toISOString() } }),
  }));
}

function splitIntoFields(filledText: string): { text: string; furtherTexts: string[] } {
  const [text = '', ...furtherTexts] = splitText(filledText).parts;
  return { text, furtherTexts };
}

function renderRefusals({ refusals }: PlatformFindings, field: FindingField): string | undefined {
  return joinFindings(refusals[field]);
}

function isTextMissing(values: FormValues, media: string): boolean {
  const { platforms, template, prompt } = values;
  const isMediaEnough = mayOmitText(media, platforms);
  return isBlank(joinTexts(values)) && !template && !prompt && !isMediaEnough;
}

function findPlatformsProblem({ values, formContext }: PostState): string | undefined {
  const { platforms } = values;
  const status = getEffectiveStatus({ values, formContext });
  const { sentTo = [], unsure } = formContext.heldPost ?? {};
  if (!parsePlatforms(platforms)) return 'I don’t know one of these platforms. Choose again.';
  if (platforms.length > 0 && platforms.every((platform) => sentTo.includes(platform)))
    return `${renderSentTo(platforms, { unsure })} Choose another platform, or cancel the rest of the post.`;
  return status === 'SCHEDULED' && platforms.length === 0 ? 'Choose at least one platform.' : undefined;
}

function findTooManyTexts({ values }: PostState, reading: WhenReading | undefined): string | undefined {
  const hasTooMany =
    reading?.kind === 'series' && splitSeriesTexts(joinTexts(values)).length > MAX_SERIES_TEXTS;
  return hasTooMany
    ? `A series takes up to ${MAX_SERIES_TEXTS} texts. Remove some, or start another series with them.`
    : undefined;
}

/** Whether the post repeats with several texts, which take turns. */
export function hasSeveralTexts(state: PostState): boolean {
  const texts = splitSeriesTexts(joinTexts(state.values));
  return texts.length > 1 && readWhen(state)?.kind === 'series';
}

function findOwnTextProblems(
  state: PostState,
  { own }: PlatformFindings,
): Record<string, string | undefined> {
  if (listTypedOwnTexts(state.values).length > 0 && hasSeveralTexts(state))
    return { differs: 'A series with several texts has the same text on all platforms. Remove these.' };
  return Object.fromEntries(
    [...own].map(([platform, { refusals }]) => [getOwnTextName(platform), joinFindings(refusals)]),
  );
}

function findMissingWhenProblem(state: PostState): string | undefined {
  if (state.values.when.trim() !== '' || getEffectiveStatus(state) !== 'SCHEDULED') return undefined;
  // A contributor's post in review can't become a draft here.
  return `Enter a time such as “${TIME_EXAMPLE}”${isKeptInReview(state.formContext) ? '' : ', or save it as a draft'}.`;
}
