import {
  isZone,
  type Moment,
  type MomentReading,
  type MomentsReading,
  understandMoment,
  understandMoments,
} from '../../../when/when.ts';
import type { PostFormContext, ShownMoments } from '../form/post-form-context.ts';
import { type PostZone, zoneOfWriting } from './zone-field.ts';

const EXAMPLES = ['tomorrow 9am', 'tomorrow at noon', 'in 2 hours', 'next week tuesday 10:15'];
const MAX_EXAMPLES = 3;

/** The part of the state that a reading depends on. */
export interface WhenState {
  values: { when: string; zone: PostZone };
  formContext: Pick<PostFormContext, 'actorLocale' | 'shown'>;
  now: Date;
}

/** Several moments, with their faults or candidates. */
export type SeveralMoments = Exclude<MomentsReading, { kind: 'not-understood' }>;

/** The reading of one moment, or of several. */
export type WhenReading = MomentReading | { kind: 'several'; of: SeveralMoments };

/** Reads the text in the form's zone and the reader's locale. Undefined without text or zone. */
export function readWhen({ values, formContext, now }: WhenState): WhenReading | undefined {
  const text = values.when.trim();
  const zone = zoneOfWriting(values.zone);
  if (text === '' || !isZone(zone)) return undefined;
  const { actorLocale: locale, shown } = formContext;
  const question = { now, zone, ...(locale !== undefined && { locale }) };
  const readText = (text: string) => understandMoment({ ...question, text });
  const read = (): WhenReading => {
    const single = readText(text);
    if (single.kind !== 'not-understood') return single;
    const several = understandMoments({ ...question, text });
    if (several.kind !== 'not-understood') return { kind: 'several', of: several };
    return withExamples(
      several.words === '' ? several : single,
      (phrase) => readText(phrase).kind === 'understood',
    );
  };
  const isShown =
    shown?.words === text && shown.zone === zone && shown.moments.every((moment) => isZone(moment.zone));
  return isShown ? asShown(shown, now, read) : read();
}

/**
 * Somebody who saw "in 2h" as 14:00 and sends the form ten minutes later means 14:00. Once that moment has passed, the
 * form asks, because nobody has seen what the text means by then.
 */
function asShown({ moments, notes }: ShownMoments, now: Date, read: () => WhenReading): WhenReading {
  const all = moments.map(({ instant, zone, notes }) => ({
    moment: { instant: new Date(instant), zone },
    words: '',
    notes,
  }));
  const ahead = all.filter(({ moment }) => moment.instant > now);
  const over = all.filter(({ moment }) => moment.instant <= now);
  const [first, ...others] = all;
  if (first && others.length === 0) {
    if (over.length === 0) return { kind: 'understood', ...first };
    const anew = read();
    return {
      kind: 'past',
      moment: first.moment,
      ...(anew.kind === 'understood' && { suggestion: anew.moment }),
    };
  }
  if (over.length === 0) return { kind: 'several', of: { kind: 'understood', moments: all, notes } };
  const faults = over.map(({ moment, words }) => ({ words, reading: { kind: 'past' as const, moment } }));
  return { kind: 'several', of: { kind: 'faulty', moments: ahead, faults, notes } };
}

/** Adds examples that are understood now. On a Friday, for example, "fri 14:30" would be ambiguous. */
function withExamples(
  reading: Extract<MomentReading, { kind: 'not-understood' }>,
  works: (phrase: string) => boolean,
): MomentReading {
  const phrases = [...new Set([...reading.examples, ...EXAMPLES])];
  return { ...reading, examples: phrases.filter(works).slice(0, MAX_EXAMPLES) };
}

/** All moments of the post, with the assumptions about each; none if the reading has a problem. */
export function momentsOf(
  reading: WhenReading | undefined,
): readonly { moment: Moment; notes: readonly string[] }[] {
  if (reading?.kind === 'understood') return [reading];
  if (reading?.kind === 'several' && reading.of.kind === 'understood') return reading.of.moments;
  return [];
}

/** The candidates that buttons offer: moments, or lists of moments. */
export function choicesOf(reading: WhenReading | undefined): readonly (readonly Moment[])[] {
  switch (reading?.kind) {
    case 'ambiguous':
      return reading.candidates.map((moment) => [moment]);
    case 'shifted':
      return [[reading.moment]];
    case 'past':
      return reading.suggestion ? [[reading.suggestion]] : [];
    case 'several':
      return reading.of.kind === 'ambiguous'
        ? reading.of.candidates.map((list) => list.map(({ moment }) => moment))
        : [];
    default:
      return [];
  }
}

/** The zone of all moments in a reading; undefined if there are several zones or no moments. */
export function zoneMeant(reading: WhenReading | undefined): string | undefined {
  const moments = reading ? mentionedMoments(reading) : [];
  const [first] = moments;
  return moments.every(({ zone }) => zone === first?.zone) ? first?.zone : undefined;
}

function mentionedMoments(reading: WhenReading): readonly Moment[] {
  switch (reading.kind) {
    case 'not-understood':
      return [];
    case 'ambiguous':
      return reading.candidates;
    case 'several': {
      const { of } = reading;
      return (of.kind === 'ambiguous' ? of.candidates.flat() : of.moments).map(({ moment }) => moment);
    }
    default:
      return [reading.moment];
  }
}
