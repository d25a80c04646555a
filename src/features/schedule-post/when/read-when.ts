import { z } from 'zod';
import type { Field } from '../../../forms/field.ts';
import { zoneField } from '../../../forms/inputs/choice.ts';
import { getChosenOption } from '../../../slack/interaction-values.ts';
import {
  isZone,
  type Moment,
  type MomentReading,
  type MomentsReading,
  understandMoment,
  understandMoments,
} from '../../../when/when.ts';
import type { PostFormContext, ShownMoments } from '../form/post-form-context.ts';

/**
 * `zone` is the zone in the field. If that zone came from the text, `parsedIn` is the zone in which the text was
 * parsed. `isDefault` is true while nobody has chosen a zone. The value of the select's option contains all three, so
 * that they always match the zone that the person sees.
 */
const postZone = z.object({
  zone: z.string(),
  parsedIn: z.string().optional(),
  isDefault: z.boolean().optional(),
});
export type PostZone = z.infer<typeof postZone>;

/** Marks a zone that nobody has chosen. */
const DEFAULT_MARK = 'default';
const baseField = zoneField({ label: 'Time zone', apiFields: 'Timezone', optional: true, isLive: true });
const { label, optional, isLive, apiFields: api, search } = baseField;

export const postZoneField: Field<PostZone> = {
  label,
  optional,
  isLive,
  apiFields: api,
  ...(search && { search }),
  emptyValue: { zone: '' },
  valueSchema: postZone,
  renderElement({ value, ...input }) {
    const element = baseField.renderElement({ ...input, value: value.zone });
    if (element.type !== 'external_select' || !element.initial_option) return element;
    // Two zones and the mark take at most 73 of the 75 characters of an option's value.
    return { ...element, initial_option: { ...element.initial_option, value: encodeZone(value) } };
  },
  read(values, blockId) {
    const [name = '', ...parts] = (getChosenOption(values, blockId)?.value ?? '').split(' ');
    const parsedIn = parts.find((part) => part !== DEFAULT_MARK);
    return {
      zone: name,
      ...(parsedIn !== undefined && { parsedIn }),
      ...(parts.includes(DEFAULT_MARK) && { isDefault: true }),
    };
  },
  parsePrefill: (text) => (isZone(text) ? { zone: text } : undefined),
  validate: ({ zone: name }, formContext) => baseField.validate?.(name, formContext),
};

/** Returns the zone in which the text is parsed, even if the text names another zone. */
export function getParsingZone({ zone: name, parsedIn }: PostZone): string {
  return parsedIn ?? name;
}

function encodeZone({ zone: name, parsedIn, isDefault }: PostZone): string {
  return [name, ...(parsedIn === undefined ? [] : [parsedIn]), ...(isDefault ? [DEFAULT_MARK] : [])].join(
    ' ',
  );
}

const EXAMPLES = ['tomorrow 9am', 'tomorrow at noon', 'in 2 hours', 'next week tuesday 10:15'];
const MAX_EXAMPLES = 3;

/** The part of the form's state that a reading depends on. */
export interface WhenState {
  values: { when: string; zone: PostZone };
  formContext: Pick<PostFormContext, 'actorLocale' | 'shownMoments'>;
  now: Date;
}

/** Several moments, with their faults or candidates. */
export type SeveralMoments = Exclude<MomentsReading, { kind: 'not-understood' }>;

/** The reading of one moment, or of several. */
export type WhenReading = MomentReading | { kind: 'several'; several: SeveralMoments };

/** Parses the text in the form's zone and the reader's locale. Undefined without text or zone. */
export function readWhen({ values, formContext, now }: WhenState): WhenReading | undefined {
  const text = values.when.trim();
  const zone = getParsingZone(values.zone);
  if (text === '' || !isZone(zone)) return undefined;
  const { actorLocale: locale, shownMoments } = formContext;
  const request = { now, zone, ...(locale !== undefined && { locale }) };
  const readOne = (phrase: string) => understandMoment({ ...request, text: phrase });
  const readNow = (): WhenReading => {
    const single = readOne(text);
    if (single.kind !== 'not-understood') return single;
    const several = understandMoments({ ...request, text });
    if (several.kind !== 'not-understood') return { kind: 'several', several };
    return withExamples(
      several.words === '' ? several : single,
      (phrase) => readOne(phrase).kind === 'understood',
    );
  };
  const isShown =
    shownMoments?.text === text &&
    shownMoments.zone === zone &&
    shownMoments.moments.every((moment) => isZone(moment.zone));
  return isShown ? readShownMoments(shownMoments, now, readNow) : readNow();
}

/**
 * Reads the moments that the form has shown. Somebody who saw "in 2h" as 14:00, and sends the form ten minutes later,
 * means 14:00. After 14:00 the reading is a problem, because the form hasn't shown what "in 2h" means now.
 */
function readShownMoments(
  { moments, notes }: ShownMoments,
  now: Date,
  readNow: () => WhenReading,
): WhenReading {
  const shownMoments = moments.map(({ instant, zone, notes }) => ({
    moment: { instant: new Date(instant), zone },
    words: '',
    notes,
  }));
  const upcomingMoments = shownMoments.filter(({ moment }) => moment.instant > now);
  const passedMoments = shownMoments.filter(({ moment }) => moment.instant <= now);
  const [first, ...others] = shownMoments;
  if (first && others.length === 0) {
    if (passedMoments.length === 0) return { kind: 'understood', ...first };
    const currentReading = readNow();
    return {
      kind: 'past',
      moment: first.moment,
      ...(currentReading.kind === 'understood' && { suggestion: currentReading.moment }),
    };
  }
  if (passedMoments.length === 0)
    return { kind: 'several', several: { kind: 'understood', moments: shownMoments, notes } };
  const faults = passedMoments.map(({ moment, words }) => ({
    words,
    reading: { kind: 'past' as const, moment },
  }));
  return { kind: 'several', several: { kind: 'faulty', moments: upcomingMoments, faults, notes } };
}

/** Adds examples that are currently understood. On a Friday, "fri 14:30" is ambiguous, so it isn't an example. */
function withExamples(
  reading: Extract<MomentReading, { kind: 'not-understood' }>,
  isUnderstood: (phrase: string) => boolean,
): MomentReading {
  const phrases = [...new Set([...reading.examples, ...EXAMPLES])];
  return { ...reading, examples: phrases.filter(isUnderstood).slice(0, MAX_EXAMPLES) };
}

/** Lists all moments of the post, with the assumptions about each. Empty if the reading has a problem. */
export function listMoments(
  reading: WhenReading | undefined,
): readonly { moment: Moment; notes: readonly string[] }[] {
  if (reading?.kind === 'understood') return [reading];
  if (reading?.kind === 'several' && reading.several.kind === 'understood') return reading.several.moments;
  return [];
}

/** Returns the zone of the moments in a reading. Undefined if they have several zones, or if there are none. */
export function findMeantZone(reading: WhenReading | undefined): string | undefined {
  const moments = reading ? listMentionedMoments(reading) : [];
  const [first] = moments;
  return moments.every(({ zone }) => zone === first?.zone) ? first?.zone : undefined;
}

function listMentionedMoments(reading: WhenReading): readonly Moment[] {
  switch (reading.kind) {
    case 'not-understood':
      return [];
    case 'ambiguous':
      return reading.candidates;
    case 'several': {
      const { several } = reading;
      return (several.kind === 'ambiguous' ? several.candidates.flat() : several.moments).map(
        ({ moment }) => moment,
      );
    }
    default:
      return [reading.moment];
  }
}
