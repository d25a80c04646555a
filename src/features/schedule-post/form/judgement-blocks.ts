import type { KnownBlock } from '@slack/types';
import { actionId } from '../../../forms/ids.ts';
import { actions, button, context, plain } from '../../../slack/blocks.ts';
import { FORM } from './form-name.ts';
import { JUDGED, type JudgedState, judgePost } from './judge-post.ts';
import { postText } from './post-text.ts';
import { lastText, mayGrow, textCount } from './text-parts.ts';

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
