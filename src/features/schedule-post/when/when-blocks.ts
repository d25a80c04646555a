import type { KnownBlock } from '@slack/types';
import type { Change, State } from '../../../forms/form.ts';
import { actionId } from '../../../forms/ids.ts';
import { momentText } from '../../../posts/moment-words.ts';
import { actions, button, context } from '../../../slack/blocks.ts';
import { isZone, type Moment, sayMoment, understandMoment, withStepBudget } from '../../../when/when.ts';
import { FORM, type fields } from '../form/fields.ts';
import type { PostFacts } from '../form/post-facts.ts';
import { choicesOf, readWhen, type WhenState } from './read-when.ts';
import { movedTo } from './settle-when.ts';
import { notesOf, whenLine } from './when-words.ts';
import { zoneOfWriting } from './zone-field.ts';

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
  return moments.map(({ instant, zone }) => momentText(instant, zone, now)).join(' · ');
}

/** Moments as a button carries them: 20 of them, which are the most, take less than half of its 2,000 characters. */
export function choiceValue(moments: readonly Moment[]): string {
  return moments.map(({ instant, zone }) => `${instant.getTime()} ${zone}`).join(',');
}

/** A press on what the words can mean: the words become that moment's, or stand for the chosen list. */
export function chooseMoment(
  value: string | undefined,
  state: State<typeof fields, PostFacts>,
): Change<typeof fields, PostFacts> {
  const { typed, facts, now } = state;
  const moments = readChoice(value);
  const [first, ...others] = moments;
  if (!first) return {};
  // A list in words would be longer than the field: its own words stay, and stand for what was chosen.
  const words = others.length === 0 ? sayMoment(first, { now }) : typed.when.trim();
  const base = zoneOfWriting(typed.zone);
  const zone = moments.every((moment) => moment.zone === first.zone) ? first.zone : base;
  // What was assumed about the words holds for what was chosen of them.
  const notes = [...notesOf(readWhen(state))];
  const ofOne = others.length === 0 ? notes : [];
  const shown = moments.map((moment) => ({
    ...moment,
    instant: moment.instant.toISOString(),
    notes: ofOne,
  }));
  return {
    typed: { when: words, zone: movedTo(zone, base, typed.zone.usual) },
    facts: {
      ...facts,
      shown: { words, zone: base, moments: shown, notes: others.length === 0 ? [] : notes },
    },
  };
}

function readChoice(value = ''): Moment[] {
  return value.split(',').flatMap((each) => {
    const [at = '', zone = ''] = each.split(' ');
    const instant = new Date(at === '' ? Number.NaN : Number(at));
    return Number.isNaN(instant.getTime()) || !isZone(zone) ? [] : [{ instant, zone }];
  });
}

/** What people choose most often where they have not said when. */
const USUAL = ['in 1 hour', 'tomorrow 9am', 'monday 9am'];

/** Moments to press: those that the words can mean, else a few usual ones. */
export function offeredMoments(state: WhenState): readonly (readonly Moment[])[] {
  const choices = choicesOf(readWhen(state));
  const zone = zoneOfWriting(state.typed.zone);
  if (choices.length > 0 || !isZone(zone)) return choices;
  const byInstant = new Map<number, Moment>();
  for (const text of USUAL) {
    // These are ours, whatever the person's words have cost.
    const reading = withStepBudget(() => understandMoment({ text, now: state.now, zone }));
    if (reading.kind === 'understood') byInstant.set(reading.moment.instant.getTime(), reading.moment);
  }
  return [...byInstant.values()].map((moment) => [moment]);
}
