import type { KnownBlock } from '@slack/types';
import type { Platform } from '../../../api/platforms.ts';
import { attachError, buildActionId } from '../../../forms/field.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import { listHorizonDates } from '../../../held-posts/series/rule.ts';
import {
  checkPlatforms,
  type FeedPreview,
  type Finding,
  previewFeed,
  renderCounts,
  renderFinding,
} from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms, renderPlatformNames } from '../../../posts/platforms.ts';
import {
  createEmojiFindings,
  createTextFinding,
  describePlaceholders,
  findMarks,
  listPlaceholders,
  MAX_NAMED_PLACEHOLDERS,
} from '../../../posts/text-findings.ts';
import { listPaidPlatforms } from '../../../preferences/project-policy.ts';
import {
  actions,
  buildButtonRow,
  button,
  context,
  escapeText,
  plain,
  section,
} from '../../../slack/blocks.ts';
import { joinNames } from '../../../slack/name.ts';
import { clip } from '../../../words.ts';
import { FINDING_PARTS } from '../sent/post-submission.ts';
import { listMoments, readWhen, type WhenReading } from '../when/read-when.ts';
import { FORM_NAME, getEffectiveStatus, listPlatformsToSend, type PostState } from './fields.ts';
import {
  getKnownMedia,
  getMedia,
  getMediaField,
  renderLinkWarning,
  renderMediaBlocks,
  renderNoFilesNote,
} from './media-field.ts';
import { findFormPolicy } from './post-form-context.ts';
import { buildOwnTexts, buildPostText, joinFilledTexts } from './post-text.ts';
import {
  countTextFields,
  getLastTextField,
  getOwnTextName,
  listUnusedOwnTexts,
  MAX_TEXT_LENGTH,
  mayAddTextField,
  splitSeriesTexts,
  splitText,
} from './text-fields.ts';

export const FINDING_FIELDS = ['text', 'platforms', 'media'] as const;
export type FindingField = (typeof FINDING_FIELDS)[number];

type FindingsByField = Readonly<Record<FindingField, readonly Finding[]>>;

/** Findings by field. `refusals`: why a platform will certainly refuse the post. `warnings`: why it may. */
export interface PlatformFindings {
  refusals: FindingsByField;
  warnings: FindingsByField;
  /** The findings about the texts of platforms that get another text, by platform. */
  own: ReadonlyMap<string, TextFindings & { countsText: string }>;
  /** The counts of the text that are near a platform's limit, in plain text; '' if there are none. */
  countsText: string;
  /** The post in the feed of each platform. Empty if there is no text. */
  feedPreviews: readonly FeedPreview[];
}

interface TextFindings {
  refusals: readonly Finding[];
  warnings: readonly Finding[];
}

/** Applies the platform rules. For a draft, which may be unfinished, all findings are warnings. Pure. */
export function checkPlatformRules(state: PostState): PlatformFindings {
  const { values } = state;
  const platforms = parsePlatforms(listPlatformsToSend(state)) ?? [];
  const { text: wholeText, customEmoji } = buildPostText(state);
  const reading = readWhen(state);
  const texts = reading?.kind === 'series' ? splitSeriesTexts(wholeText) : [wholeText];
  const check = (content: string, checkedPlatforms: readonly Platform[]) =>
    checkPlatforms({
      content,
      media: getMedia(state),
      mediaFacts: getKnownMedia(state)?.facts,
      paidPlatforms: listPaidPlatforms(findFormPolicy(state)),
      platforms: checkedPlatforms,
      hasTemplateOrPrompt: values.template !== undefined || values.prompt !== undefined,
      repeatedAfterMs: getShortestGap(listInstants(reading, texts.length, state.now)),
    });
  const ownTexts = buildOwnTexts(state);
  // The main text isn't for platforms with a text of their own, but the media is.
  const isAboutOthers = ({ platforms: names, field }: Finding) =>
    field === 'Content' && names.length > 0 && names.every((name) => ownTexts.has(name));
  const results = texts.map((content) => {
    const { stops, warnings, counts } = check(content, platforms);
    return {
      content,
      stops: stops.filter((finding) => !isAboutOthers(finding)),
      warnings: warnings.filter((finding) => !isAboutOthers(finding)),
      counts: counts.filter(({ platform }) => !ownTexts.has(platform)),
    };
  });
  const stops = mergeFindings(results.map((result) => result.stops));
  const warnings = mergeFindings(results.map((result) => result.warnings));
  // The longest text is the nearest to the limits.
  const [longest] = results.toSorted((one, other) => other.content.length - one.content.length);
  const { content: text = '', counts = [] } = longest ?? {};
  const findings = addTextFindings(state, { text, customEmoji }, { refusals: stops, warnings });
  const own = platforms.flatMap((platform) => {
    const ownText = ownTexts.get(platform);
    if (!ownText) return [];
    const checked = check(ownText.text, [platform]);
    const ownFindings = addTextFindings(state, ownText, {
      // Those about media are said of all platforms together.
      refusals: checked.stops.filter(isAboutText),
      warnings: checked.warnings.filter(isAboutText),
    });
    return [{ platform, ownText: ownText.text, ownFindings, ownCounts: checked.counts }];
  });
  return {
    own: new Map(
      own.map(({ platform, ownFindings, ownCounts }) => [
        platform,
        { ...ownFindings, countsText: renderCounts(ownCounts) },
      ]),
    ),
    refusals: groupByField(findings.refusals),
    warnings: groupByField(findings.warnings),
    countsText: renderCounts(counts),
    feedPreviews: [
      ...(isBlank(text) ? [] : counts.map((counted) => previewFeed(text, counted))),
      ...own.flatMap(({ ownText, ownCounts }) =>
        ownCounts.map((counted) => ({ ...previewFeed(ownText, counted), ownText })),
      ),
    ],
  };
}

const isAboutText = ({ field }: Finding) => field === 'Content';

/** Adds the findings about the emoji and placeholders of a text to the others. For a draft, all are warnings. */
function addTextFindings(
  state: PostState,
  { text, customEmoji }: Pick<ReturnType<typeof buildPostText>, 'text' | 'customEmoji'>,
  others: TextFindings,
): TextFindings {
  const placeholders = findUnfilledPlaceholders(state, text);
  const refusals = [
    ...others.refusals,
    ...createEmojiFindings(customEmoji, state.formContext.customEmoji !== undefined),
    ...placeholders.errors.map(createTextFinding),
  ];
  const warnings = [
    ...others.warnings,
    ...[...placeholders.warnings, ...findMarks(text)].map(createTextFinding),
  ];
  return getEffectiveStatus(state) === 'DRAFT'
    ? { refusals: [], warnings: [...refusals, ...warnings] }
    : { refusals, warnings };
}

/** Names the text of each finding. A finding about every text of a series is said once. */
function mergeFindings(lists: readonly (readonly Finding[])[]): Finding[] {
  const [first = []] = lists;
  const isSaid = (finding: Finding, others: readonly Finding[]) =>
    others.some(({ field, problem }) => field === finding.field && problem === finding.problem);
  const shared = first.filter((finding) => lists.every((list) => isSaid(finding, list)));
  const others = lists.flatMap((list, index) =>
    list
      .filter((finding) => !isSaid(finding, shared))
      .map((finding) => ({ ...finding, problem: `Text ${index + 1}: ${finding.problem}` })),
  );
  return [...shared, ...others];
}

/** Lists the times at which the same text goes out, as far as they are known. */
function listInstants(reading: WhenReading | undefined, textCount: number, now: Date): Date[] {
  if (reading?.kind !== 'series') return listMoments(reading).map(({ moment }) => moment.instant);
  return listHorizonDates(reading.recurrence, now)
    .filter((_, index) => index % textCount === 0)
    .map(({ instant }) => instant);
}

/** Finds the shortest time between two posts of the form, whatever their texts are, ms. Undefined if there is only one. */
export function findShortestGap(state: PostState): number | undefined {
  return getShortestGap(listInstants(readWhen(state), 1, state.now));
}

function getShortestGap(instants: readonly Date[]): number | undefined {
  const times = instants.map((instant) => instant.getTime()).toSorted((one, other) => one - other);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return gaps.length === 0 ? undefined : Math.min(...gaps);
}

/** Says how much of the text doesn't fit into the form's fields. Plain text; undefined if all of it fits. */
export function renderExcess(state: PostState): string | undefined {
  const { excessText = '' } = state.formContext;
  const count = splitText(joinFilledTexts(state)).excessText.length + excessText.length;
  if (count === 0) return undefined;
  const [limit, excess] = [MAX_TEXT_LENGTH, count].map((length) => length.toLocaleString('en-US'));
  return `The form takes ${limit} characters, and ${excess} more ${count === 1 ? 'doesn’t' : 'don’t'} fit.`;
}

/**
 * Finds placeholders that are still in the text. `errors`: those of the chosen template. `warnings`: other text in
 * braces, which may be meant as it is. Plain text.
 */
function findUnfilledPlaceholders(
  { values, formContext }: PostState,
  text: string,
): { errors: string[]; warnings: string[] } {
  const template = formContext.template?.id === values.template?.id ? formContext.template : undefined;
  // Without a text, the service may publish the template's text.
  const placeholders = listPlaceholders(isBlank(text) ? (template?.content ?? '') : text);
  const ownPlaceholders = listPlaceholders(template?.content ?? '');
  const unfilled = placeholders.filter((placeholder) => ownPlaceholders.includes(placeholder));
  const others = placeholders.filter((placeholder) => !ownPlaceholders.includes(placeholder));
  return {
    errors: unfilled.length === 0 ? [] : [`Fill in ${joinNames(unfilled, MAX_NAMED_PLACEHOLDERS)}.`],
    warnings: describePlaceholders(others),
  };
}

function groupByField(findings: readonly Finding[]): FindingsByField {
  const filter = (field: FindingField) =>
    findings.filter((finding) => FINDING_PARTS[finding.field] === field);
  return { text: filter('text'), platforms: filter('platforms'), media: filter('media') };
}

/** Maximum length of the errors under one field, in characters, so that the form stays readable. */
const MAX_ERROR_LENGTH = 1_000;

/** Renders findings as the error of a field (plain text). Undefined if there are none. */
export function joinFindings(findings: readonly Finding[]): string | undefined {
  const text = findings.map(renderFinding).join(' ');
  return text === '' ? undefined : clip(text, MAX_ERROR_LENGTH);
}

/** Renders findings. The problems that block the post are bold, and larger than warnings and counts. */
function renderFindings({ refusals, warnings }: TextFindings): KnownBlock[] {
  const problemLines = refusals.map(({ problem, advice = '' }) =>
    `⛔ *${escapeText(problem)}* ${escapeText(advice)}`.trim(),
  );
  const warningLines = warnings.map((finding) => `⚠️ ${renderFinding(finding)}`);
  return [
    ...(problemLines.length > 0
      ? [attachError(section(problemLines.join('\n')), joinFindings(refusals))]
      : []),
    ...renderSmallPrint(warningLines).map((block) => attachError(block, joinFindings(warnings))),
  ];
}

export const MORE_TEXT_BUTTON = 'more-text';

/** The action id of [Show the rest], which shows the text that doesn't fit into the form. */
export const REST_BUTTON = buildActionId(FORM_NAME, 'rest');

/** The name of [Leave it out], which drops the text that doesn't fit. */
export const LEAVE_OUT_BUTTON = 'leave-out';

function renderExcessBlocks(state: PostState): KnownBlock[] {
  const excess = renderExcess(state);
  if (state.formContext.excessText === undefined || excess === undefined) return [];
  return [
    attachError(section(`⛔ *${excess}* Copy the rest, or leave it out.`), excess),
    actions(
      button('Show the rest', REST_BUTTON),
      button('Leave it out', buildActionId(FORM_NAME, LEAVE_OUT_BUTTON)),
    ),
  ];
}

/** The action id of [Preview], which shows the post as each platform's feed does. */
export const PREVIEW_BUTTON = buildActionId(FORM_NAME, 'feeds');

/** Renders the blocks below the fields: a text that doesn't fit, counts near a limit, findings, and buttons. */
export function renderPlatformFindings(state: PostState): Readonly<Record<string, readonly KnownBlock[]>> {
  const { countsText, own, ...findings } = checkPlatformRules(state);
  const count = countTextFields(state.values, state.formContext.textFieldCount);
  const renderField = (field: FindingField) =>
    renderFindings({ refusals: findings.refusals[field], warnings: findings.warnings[field] });
  const [mediaField, mediaFindings] = [getMediaField(state), renderField('media')];
  const buttons = [
    ...(mayAddTextField(state.values, count)
      ? [button('Add text field', buildActionId(FORM_NAME, MORE_TEXT_BUTTON))]
      : []),
  ];
  return {
    [getLastTextField(count)]: [
      ...renderExcessBlocks(state),
      ...renderSmallPrint(countsText === '' ? [] : [countsText]),
      ...renderField('text'),
      ...renderCodesNote(state),
      ...buildButtonRow(buttons),
    ],
    platforms: renderField('platforms'),
    ...renderOwnTextBlocks(state, own),
    file: [...renderMediaBlocks(state), ...(mediaField === 'file' ? mediaFindings : [])],
    media: [
      ...renderLinkWarning(state),
      ...renderNoFilesNote(state.formContext),
      ...(mediaField === 'media' ? mediaFindings : []),
    ],
  };
}

function renderOwnTextBlocks({ values }: PostState, own: PlatformFindings['own']) {
  const unused = listUnusedOwnTexts(values);
  return Object.fromEntries(
    values.differs.map((platform) => {
      const { countsText = '', refusals = [], warnings = [] } = own.get(platform) ?? {};
      const note = `${renderPlatformNames([platform])} isn’t one of the post’s platforms, so nobody gets this text.`;
      return [
        getOwnTextName(platform),
        [
          ...renderSmallPrint(countsText === '' ? [] : [countsText]),
          ...renderFindings({ refusals, warnings }),
          ...renderSmallPrint(unused.includes(platform) ? [note] : []),
        ],
      ];
    }),
  );
}

/** Renders a note if the text has emoji codes. A code span prevents Slack from showing the example as emoji. */
function renderCodesNote(state: PostState): KnownBlock[] {
  return buildPostText(state).hasCodes ? [context('Codes such as `:smile:` go out as emoji.')] : [];
}

function renderSmallPrint(lines: readonly string[]): KnownBlock[] {
  return lines.length === 0 ? [] : [context(plain(lines.join('\n')))];
}
