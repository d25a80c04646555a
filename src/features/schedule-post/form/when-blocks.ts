import type { KnownBlock } from '@slack/types';
import { actionId } from '../../../forms/ids.ts';
import { momentWords } from '../../../posts/moment-words.ts';
import { actions, button, context } from '../../../slack/blocks.ts';
import type { Moment } from '../../../when/when.ts';
import { choiceValue } from './choose-moment.ts';
import { FORM } from './form-name.ts';
import type { PostFacts } from './post-facts.ts';
import { choicesOf, readWhen, type WhenState } from './read-when.ts';
import { whenLine } from './when-words.ts';

/** Presses on the moments that words can mean; an id of its own for each, as Slack wants it. */
export const CHOICES = ['choice-0', 'choice-1', 'choice-2', 'choice-3'] as const;

/** Under the field: what was understood, and what to press where that is a question. */
export function whenBlocks(state: WhenState & { facts: PostFacts }): KnownBlock[] {
  const { now, facts } = state;
  const reading = readWhen(state);
  const choices = choicesOf(reading).slice(0, CHOICES.length);
  const buttons = choices.map((moments, index) =>
    // Its value is nothing that the person could not write into the field.
    button(choiceWords(moments, now), actionId(FORM, CHOICES[index] ?? CHOICES[0]), choiceValue(moments)),
  );
  return [
    context(whenLine(reading, now, facts.readerZone)),
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
  ];
}

/** One moment as it is said, several as far as they fit. */
export function choiceWords(moments: readonly Moment[], now: Date): string {
  return moments.map(({ instant, zone }) => momentWords(instant, zone, now)).join(' · ');
}
