import type { KnownBlock } from '@slack/types';
import { actionId } from '../../../forms/field.ts';
import type { Change, State } from '../../../forms/form.ts';
import { momentText } from '../../../posts/moment-words.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import { actions, button, context } from '../../../slack/blocks.ts';
import { isZone, type Moment, sayMoment, understandMoment, withStepBudget } from '../../../when/when.ts';
import { FORM, type fields } from '../form/fields.ts';
import type { PostFacts } from '../form/post-facts.ts';
import { choicesOf, momentsOf, readWhen, type WhenState, zoneMeant } from './read-when.ts';
import { notesOf, whenLine } from './when-words.ts';
import { type PostZone, zoneOfWriting } from './zone-field.ts';

type PostState = State<typeof fields, PostFacts>;

/** What follows from the words, the zone and the project: the zone field, and which moments were shown. */
export function settleWhen(before: PostState): Change<typeof fields, PostFacts> {
  const zone = withUsual(before);
  const state = { ...before, typed: { ...before.typed, zone } };
  const reading = readWhen(state);
  const base = zoneOfWriting(zone);
  // While words are half written nothing is known of their zone: what was moved stays.
  const meant = zoneMeant(reading) ?? (reading === undefined ? base : zone.zone);
  const typed = { zone: movedTo(meant, base, zone.usual) };
  const moments = momentsOf(reading);
  if (moments.length === 0) return { typed };
  const shown = {
    words: before.typed.when.trim(),
    zone: base,
    moments: moments.map(({ moment, notes }) => ({
      instant: moment.instant.toISOString(),
      zone: moment.zone,
      notes: [...notes],
    })),
    notes: reading?.kind === 'several' ? [...reading.of.notes] : [],
  };
  return { typed, facts: { ...before.facts, shown } };
}

/** The moment that was shown is over, and another can be pressed instead. */
export function whenOvertaken(state: PostState): 'when' | undefined {
  const { typed, facts } = state;
  if (facts.shown?.words !== typed.when.trim()) return undefined;
  const reading = readWhen(state);
  return reading?.kind === 'past' && reading.suggestion ? 'when' : undefined;
}

/** At first the zone that is usual there; another project brings its own, unless somebody has chosen a zone. */
function withUsual({ typed: { zone, project }, facts }: PostState): PostZone {
  const usual = pickDefaultZone(facts.zones, project?.id)?.zone ?? '';
  if (zone.zone !== '' && (!zone.usual || zoneOfWriting(zone) === usual)) return zone;
  return { zone: usual, ...(usual !== '' && { usual: true }) };
}

/** The field at this zone, which the words name where it is not the one that they are written in. */
function movedTo(zone: string, base: string, usual: boolean | undefined): PostZone {
  return { zone, ...(zone !== base && { writtenIn: base }), ...(usual && { usual }) };
}

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
