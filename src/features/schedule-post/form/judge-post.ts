import type { KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import { checkPlatforms, type Finding, renderCounts } from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { actions, button, context, plain } from '../../../slack/blocks.ts';
import { listMoments, readWhen, type WhenState } from '../when/read-when.ts';
import { FORM } from './fields.ts';
import type { PostFormContext } from './post-form-context.ts';
import { buildPostText } from './post-text.ts';
import {
  countTextFields,
  getLastTextField,
  joinTexts,
  MAX_TEXT_LENGTH,
  mayAddTextField,
} from './text-parts.ts';

/** The part of the form's state that the platform rules need. */
export interface JudgedState extends WhenState {
  values: WhenState['values'] &
    Parameters<typeof joinTexts>[0] & {
      platforms: readonly string[];
      status: string;
      media: string;
      template: unknown;
      prompt: unknown;
    };
  formContext: PostFormContext;
}

/** The fields that show findings of the platform rules. */
export const JUDGED_FIELDS = ['text', 'platforms', 'media'] as const;
type JudgedField = (typeof JUDGED_FIELDS)[number];

const FIELDS_BY_API_NAME: Readonly<Record<Finding['field'], JudgedField>> = {
  Content: 'text',
  Media: 'media',
  Platforms: 'platforms',
};

/** Findings by field, in plain text. `stops`: a platform certainly refuses the post. `warnings`: it may refuse. */
export interface Judgement {
  stops: Readonly<Record<JudgedField, readonly string[]>>;
  warnings: Readonly<Record<JudgedField, readonly string[]>>;
  /** The text's length relative to the limit of each platform; '' if there is no text. */
  counts: string;
}

/** Applies the platform rules. For a draft, which may be unfinished, all findings are warnings. Pure. */
export function judgePost(state: JudgedState): Judgement {
  const { values } = state;
  const platforms = parsePlatforms(values.platforms) ?? [];
  const { text, customCodes } = buildPostText(state);
  const { stops, warnings, counts } = checkPlatforms({
    content: text,
    media: values.media,
    platforms,
    hasTemplateOrPrompt: values.template !== undefined || values.prompt !== undefined,
    isRepeated: listMoments(readWhen(state)).length > 1,
  });
  const refusals = [...stops, ...findCustomEmoji(customCodes)];
  const isDraft = values.status === 'DRAFT';
  return {
    stops: groupByField(isDraft ? [] : refusals),
    warnings: groupByField(isDraft ? [...refusals, ...warnings] : warnings),
    counts: text === '' ? '' : renderCounts(counts) || `${text.length.toLocaleString('en-US')} characters`,
  };
}

/** Whether the text is longer than any platform accepts. The form's fields can't show such a text completely. */
export function isTooLong(state: JudgedState): boolean {
  return joinTexts(state.values).length > MAX_TEXT_LENGTH;
}

function findCustomEmoji(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const codes = names.slice(0, 5).map((name) => `:${name}:`);
  const rest = names.length > codes.length ? ` and ${names.length - codes.length} more` : '';
  const [phrase, pronoun] = names.length === 1 ? ['this emoji', 'it'] : ['these emoji', 'them'];
  const text = `Only this workspace has ${phrase}: ${codes.join(', ')}${rest}. Replace ${pronoun}, or leave ${pronoun} out.`;
  return [{ platforms: [], field: 'Content', text }];
}

function groupByField(findings: readonly Finding[]): Readonly<Record<JudgedField, readonly string[]>> {
  const listTexts = (field: JudgedField) =>
    findings.filter((finding) => FIELDS_BY_API_NAME[finding.field] === field).map(({ text }) => text);
  return { text: listTexts('text'), platforms: listTexts('platforms'), media: listTexts('media') };
}

export const MORE_TEXT = 'more-text';

/** Renders the blocks below the judged fields: findings, the length of the text as platforms count it, [More text]. */
export function renderJudgement(state: JudgedState): Readonly<Record<string, readonly KnownBlock[]>> {
  const { stops, warnings, counts } = judgePost(state);
  const [text, platforms, media] = JUDGED_FIELDS.map((field) => [
    ...stops[field].map((finding) => `⛔ ${finding}`),
    ...warnings[field].map((finding) => `⚠️ ${finding}`),
  ]);
  const count = countTextFields(state.values, state.formContext.textFieldCount);
  return {
    [getLastTextField(count)]: [
      ...renderLines([...(counts === '' ? [] : [counts]), ...(text ?? [])]),
      ...renderCodesNote(state),
      ...(mayAddTextField(count) ? [actions(button('More text', buildActionId(FORM, MORE_TEXT)))] : []),
    ],
    platforms: renderLines(platforms ?? []),
    media: renderLines(media ?? []),
  };
}

/** Renders a note if the text has emoji codes. The example is in a code span, because Slack shows codes as emoji. */
export function renderCodesNote(state: JudgedState): KnownBlock[] {
  return buildPostText(state).hasCodes
    ? [context('Codes such as `:smile:` are sent as the characters they stand for.')]
    : [];
}

/** Renders each text on a line of small print. */
function renderLines(texts: readonly string[]): KnownBlock[] {
  return texts.length === 0 ? [] : [context(plain(texts.join('\n')))];
}
