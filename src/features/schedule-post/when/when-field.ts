import type { KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import type { FormChange, FormState } from '../../../forms/form.ts';
import { renderMoment } from '../../../posts/render-post.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import { actions, button, context } from '../../../slack/blocks.ts';
import { isZone, type Moment, sayMoment, understandMoment, withStepBudget } from '../../../when/when.ts';
import { FORM, type fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { choicesOf, momentsOf, readWhen, type WhenState, zoneMeant } from './read-when.ts';
import { notesOf, whenLine } from './when-words.ts';
import { type PostZone, zoneOfWriting } from './zone-field.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** Derives the zone field and the shown moments from text, zone and project. */
export function deriveWhen(before: PostState): FormChange<typeof fields, PostFormContext> {
  const zone = withUsual(before);
  const state = { ...before, values: { ...before.values, zone } };
  const reading = readWhen(state);
  const base = zoneOfWriting(zone);
  // A half-written text has no zone yet, so a zone set by earlier text stays.
  const meant = zoneMeant(reading) ?? (reading === undefined ? base : zone.zone);
  const values = { zone: toPostZone(meant, base, zone.usual) };
  const moments = momentsOf(reading);
  if (moments.length === 0) return { values };
  const shown = {
    words: before.values.when.trim(),
    zone: base,
    moments: moments.map(({ moment, notes }) => ({
      instant: moment.instant.toISOString(),
      zone: moment.zone,
      notes: [...notes],
    })),
    notes: reading?.kind === 'several' ? [...reading.of.notes] : [],
  };
  return { values, formContext: { ...before.formContext, shown } };
}

/** 'when' if the shown moment has passed and a button can offer another. */
export function outdatedWhen(state: PostState): 'when' | undefined {
  const { values, formContext } = state;
  if (formContext.shown?.words !== values.when.trim()) return undefined;
  const reading = readWhen(state);
  return reading?.kind === 'past' && reading.suggestion ? 'when' : undefined;
}

/** The default zone of the project, unless somebody has chosen a zone. */
function withUsual({ values: { zone, project }, formContext }: PostState): PostZone {
  const usual = pickDefaultZone(formContext.zones, project?.id)?.zone ?? '';
  if (zone.zone !== '' && (!zone.usual || zoneOfWriting(zone) === usual)) return zone;
  return { zone: usual, ...(usual !== '' && { usual: true }) };
}

/** The field's value for a zone. `writtenIn` is set if the text names another zone than the one it is read in. */
function toPostZone(zone: string, base: string, usual: boolean | undefined): PostZone {
  return { zone, ...(zone !== base && { writtenIn: base }), ...(usual && { usual }) };
}

/** The names of the buttons for candidates. Slack needs a different action_id for each button. */
export const CHOICES = ['choice-0', 'choice-1', 'choice-2', 'choice-3'] as const;

/** Blocks below the field: the reading, and buttons for its candidates. */
export function whenBlocks(state: WhenState & { formContext: PostFormContext }): KnownBlock[] {
  const { now, formContext } = state;
  const reading = readWhen(state);
  const choices = choicesOf(reading).slice(0, CHOICES.length);
  const buttons = choices.map((moments, index) =>
    // The value needs no protection: the person could type the same moment into the field.
    button(
      choiceWords(moments, now),
      buildActionId(FORM, CHOICES[index] ?? CHOICES[0]),
      choiceValue(moments),
    ),
  );
  return [
    context(whenLine(reading, now, formContext.actorZone)),
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
  ];
}

/** The label of a button for one or several moments. */
export function choiceWords(moments: readonly Moment[], now: Date): string {
  return moments.map(({ instant, zone }) => renderMoment(instant, zone, now)).join(' · ');
}

/** Encodes moments as a button's value. 20 moments, the maximum, take less than half of its 2,000 characters. */
export function choiceValue(moments: readonly Moment[]): string {
  return moments.map(({ instant, zone }) => `${instant.getTime()} ${zone}`).join(',');
}

/**
 * Chooses a candidate. For one moment the text is replaced; for a list the text stays, with the list as its meaning.
 */
export function chooseMoment(
  value: string | undefined,
  state: FormState<typeof fields, PostFormContext>,
): FormChange<typeof fields, PostFormContext> {
  const { values, formContext, now } = state;
  const moments = readChoice(value);
  const [first, ...others] = moments;
  if (!first) return {};
  // The text of a list would be longer than the field, so the typed text stays.
  const words = others.length === 0 ? sayMoment(first, { now }) : values.when.trim();
  const base = zoneOfWriting(values.zone);
  const zone = moments.every((moment) => moment.zone === first.zone) ? first.zone : base;
  // Assumptions about the text also apply to the chosen candidate.
  const notes = [...notesOf(readWhen(state))];
  const ofOne = others.length === 0 ? notes : [];
  const shown = moments.map((moment) => ({
    ...moment,
    instant: moment.instant.toISOString(),
    notes: ofOne,
  }));
  return {
    values: { when: words, zone: toPostZone(zone, base, values.zone.usual) },
    formContext: {
      ...formContext,
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

/** Suggested moments if no moment was typed. */
const USUAL = ['in 1 hour', 'tomorrow 9am', 'monday 9am'];

/** The moments that buttons offer: the candidates of the text, else a few suggestions. */
export function offeredMoments(state: WhenState): readonly (readonly Moment[])[] {
  const choices = choicesOf(readWhen(state));
  const zone = zoneOfWriting(state.values.zone);
  if (choices.length > 0 || !isZone(zone)) return choices;
  const byInstant = new Map<number, Moment>();
  for (const text of USUAL) {
    // A separate step budget, since the person's text may have used up theirs.
    const reading = withStepBudget(() => understandMoment({ text, now: state.now, zone }));
    if (reading.kind === 'understood') byInstant.set(reading.moment.instant.getTime(), reading.moment);
  }
  return [...byInstant.values()].map((moment) => [moment]);
}
