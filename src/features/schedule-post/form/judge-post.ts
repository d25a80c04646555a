import type { KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import { checkPlatforms, type Finding, renderCounts } from '../../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { actions, button, context, plain } from '../../../slack/blocks.ts';
import { momentsOf, readWhen, type WhenState } from '../when/read-when.ts';
import { FORM } from './fields.ts';
import type { PostFormContext } from './post-form-context.ts';
import { postText } from './post-text.ts';
import { joinedText, lastText, MAX_TEXT_LENGTH, mayGrow, textCount } from './text-parts.ts';

/** The state that the platform rules depend on. */
export interface JudgedState extends WhenState {
  values: WhenState['values'] &
    Parameters<typeof joinedText>[0] & {
      platforms: readonly string[];
      status: string;
      media: string;
      template: unknown;
      prompt: unknown;
    };
  formContext: PostFormContext;
}

/** The fields under which findings are shown. */
export const JUDGED = ['text', 'platforms', 'media'] as const;
type Judged = (typeof JUDGED)[number];

const FIELDS: Readonly<Record<Finding['field'], Judged>> = {
  Content: 'text',
  Media: 'media',
  Platforms: 'platforms',
};

/** Findings by field, in plain text. A platform certainly refuses the post for `stops`, and may for `warnings`. */
export interface Judgement {
  stops: Readonly<Record<Judged, readonly string[]>>;
  warnings: Readonly<Record<Judged, readonly string[]>>;
  /** The text's length relative to each platform's limit; '' if there is no text. */
  counts: string;
}

/** Applies the platform rules. A draft may be unfinished, so it has only warnings. Pure. */
export function judgePost(state: JudgedState): Judgement {
  const { values } = state;
  const platforms = parsePlatforms(values.platforms) ?? [];
  const { text, own } = postText(state);
  const { stops, warnings, counts } = checkPlatforms({
    content: text,
    media: values.media,
    platforms,
    hasTemplateOrPrompt: values.template !== undefined || values.prompt !== undefined,
    isRepeated: momentsOf(readWhen(state)).length > 1,
  });
  const certain = [...stops, ...ownEmoji(own)];
  const isDraft = values.status === 'DRAFT';
  return {
    stops: byField(isDraft ? [] : certain),
    warnings: byField(isDraft ? [...certain, ...warnings] : warnings),
    counts: text === '' ? '' : renderCounts(counts) || `${text.length.toLocaleString('en-US')} characters`,
  };
}

/** Whether the text is longer than any platform accepts. The form's fields couldn't show all of it either. */
export function isTooLong(state: JudgedState): boolean {
  return joinedText(state.values).length > MAX_TEXT_LENGTH;
}

function ownEmoji(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const codes = names.slice(0, 5).map((name) => `:${name}:`);
  const more = names.length > codes.length ? ` and ${names.length - codes.length} more` : '';
  const [only, them] = names.length === 1 ? ['this emoji', 'it'] : ['these emoji', 'them'];
  const words = `Only this workspace has ${only}: ${codes.join(', ')}${more}. Replace ${them}, or leave ${them} out.`;
  return [{ platforms: [], field: 'Content', text: words }];
}

function byField(findings: readonly Finding[]): Readonly<Record<Judged, readonly string[]>> {
  const of = (field: Judged) =>
    findings.filter((finding) => FIELDS[finding.field] === field).map(({ text: words }) => words);
  return { text: of('text'), platforms: of('platforms'), media: of('media') };
}

export const MORE_TEXT = 'more-text';

/** Blocks below the judged fields: findings, the text's length as platforms count it, and [More text]. */
export function judgementBlocks(state: JudgedState): Readonly<Record<string, readonly KnownBlock[]>> {
  const { stops, warnings, counts } = judgePost(state);
  const [text, platforms, media] = JUDGED.map((field) => [
    ...stops[field].map((words) => `⛔ ${words}`),
    ...warnings[field].map((words) => `⚠️ ${words}`),
  ]);
  const count = textCount(state.values, state.formContext.texts);
  return {
    [lastText(count)]: [
      ...lines([...(counts === '' ? [] : [counts]), ...(text ?? [])]),
      ...codesNote(state),
      ...(mayGrow(count) ? [actions(button('More text', buildActionId(FORM, MORE_TEXT)))] : []),
    ],
    platforms: lines(platforms ?? []),
    media: lines(media ?? []),
  };
}

/** A note about emoji codes. The example is formatted as code, so that Slack doesn't replace it with the emoji. */
export function codesNote(state: JudgedState): KnownBlock[] {
  return postText(state).hasCodes
    ? [context('Codes such as `:smile:` are sent as the characters they stand for.')]
    : [];
}

/** A line for each text, as small print. */
function lines(texts: readonly string[]): KnownBlock[] {
  return texts.length === 0 ? [] : [context(plain(texts.join('\n')))];
}
