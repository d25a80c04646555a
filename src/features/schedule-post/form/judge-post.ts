import type { KnownBlock } from '@slack/types';
import { actionId } from '../../../forms/field.ts';
import { checkPlatforms, type Finding, renderCounts } from '../../../posts/platform-rules/platform-rules.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import { actions, button, context, plain } from '../../../slack/blocks.ts';
import { momentsOf, readWhen, type WhenState } from '../when/read-when.ts';
import { FORM } from './fields.ts';
import type { PostFacts } from './post-facts.ts';
import { postText } from './post-text.ts';
import { joinedText, lastText, MOST_TEXT, mayGrow, textCount } from './text-parts.ts';

/** All that the chosen platforms look at. */
export interface JudgedState extends WhenState {
  typed: WhenState['typed'] &
    Parameters<typeof joinedText>[0] & {
      platforms: readonly string[];
      status: string;
      media: string;
      template: unknown;
      prompt: unknown;
    };
  facts: PostFacts;
}

/** Where what is found is said. */
export const JUDGED = ['text', 'platforms', 'media'] as const;
type Judged = (typeof JUDGED)[number];

const FIELDS: Readonly<Record<Finding['field'], Judged>> = {
  Content: 'text',
  Media: 'media',
  Platforms: 'platforms',
};

/** What is found by field: `stops` would be refused for certain, `warnings` perhaps. Plain text. */
export interface Judgement {
  stops: Readonly<Record<Judged, readonly string[]>>;
  warnings: Readonly<Record<Judged, readonly string[]>>;
  /** How much of what each platform takes the text uses; '' where there is nothing to count. */
  counts: string;
}

/** What the platforms would say to the post. A draft may be unfinished: nothing of this stops it. Pure. */
export function judgePost(state: JudgedState): Judgement {
  const { typed } = state;
  const platforms = readPlatforms(typed.platforms) ?? [];
  const { text, own } = postText(state);
  const { stops, warnings, counts } = checkPlatforms({
    content: text,
    media: typed.media,
    platforms,
    contentFromElsewhere: typed.template !== undefined || typed.prompt !== undefined,
    repeated: momentsOf(readWhen(state)).length > 1,
  });
  const certain = [...stops, ...ownEmoji(own)];
  const isDraft = typed.status === 'DRAFT';
  return {
    stops: byField(isDraft ? [] : certain),
    warnings: byField(isDraft ? [...certain, ...warnings] : warnings),
    counts: text === '' ? '' : renderCounts(counts) || `${text.length.toLocaleString('en-US')} characters`,
  };
}

/** Longer than all fields take: no platform takes it, and it would not come back whole. */
export function isTooLong(state: JudgedState): boolean {
  return joinedText(state.typed).length > MOST_TEXT;
}

function ownEmoji(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const codes = names.slice(0, 5).map((name) => `:${name}:`);
  const more = names.length > codes.length ? ` and ${names.length - codes.length} more` : '';
  const [only, them] = names.length === 1 ? ['this emoji', 'it'] : ['these emoji', 'them'];
  const words = `Only this workspace has ${only}: ${codes.join(', ')}${more}. Replace ${them}, or leave ${them} out.`;
  return [{ platforms: [], field: 'Content', words }];
}

function byField(findings: readonly Finding[]): Readonly<Record<Judged, readonly string[]>> {
  const of = (field: Judged) =>
    findings.filter((finding) => FIELDS[finding.field] === field).map(({ words }) => words);
  return { text: of('text'), platforms: of('platforms'), media: of('media') };
}

export const MORE_TEXT = 'more-text';

/** Below the fields that the platforms look at: what they would say, the text's length as they count it, [More text]. */
export function judgementBlocks(state: JudgedState): Readonly<Record<string, readonly KnownBlock[]>> {
  const { stops, warnings, counts } = judgePost(state);
  const [text, platforms, media] = JUDGED.map((field) => [
    ...stops[field].map((words) => `⛔ ${words}`),
    ...warnings[field].map((words) => `⚠️ ${words}`),
  ]);
  const count = textCount(state.typed, state.facts.texts);
  return {
    [lastText(count)]: [
      ...lines([...(counts === '' ? [] : [counts]), ...(text ?? [])]),
      ...codesNote(state),
      ...(mayGrow(count) ? [actions(button('More text', actionId(FORM, MORE_TEXT)))] : []),
    ],
    platforms: lines(platforms ?? []),
    media: lines(media ?? []),
  };
}

/** In code format, or Slack draws the example as the character. */
export function codesNote(state: JudgedState): KnownBlock[] {
  return postText(state).hasCodes
    ? [context('Codes such as `:smile:` are sent as the characters they stand for.')]
    : [];
}

/** One line for each, as small print. */
function lines(texts: readonly string[]): KnownBlock[] {
  return texts.length === 0 ? [] : [context(plain(texts.join('\n')))];
}
