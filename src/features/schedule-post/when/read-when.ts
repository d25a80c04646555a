import type { Call } from '../../../handlers/call.ts';
import { findNextDate, listHorizonDates, MAX_MADE_AHEAD } from '../../../held-posts/series/rule.ts';
import { findNextSlot } from '../../../held-posts/slots/service-slots.ts';
import type { SlotProblem } from '../../../held-posts/slots/slot-text.ts';
import { type PostTimeReading, scheduleNow, scheduleNowInList } from '../../../posts/post-time.ts';
import { readSlotPhrase } from '../../../posts/slot-phrase.ts';
import type { ZonedRecurrence } from '../../../preferences/posting-times.ts';
import { holdsPosts } from '../../../preferences/project-policy.ts';
import { understandRange } from '../../../when/range.ts';
import { explainRecurrence, isRepeating, understandRecurrence } from '../../../when/recurrence.ts';
import {
  type Moment,
  type MomentsReading,
  REASONS,
  understandMoment,
  understandMoments,
} from '../../../when/when.ts';
import { isZone } from '../../../when/zones.ts';
import { getParsingZone, type PostState, TIME_EXAMPLE } from '../form/fields.ts';
import {
  type FoundSlot,
  findFormPolicy,
  type PostFormContext,
  type ShownMoments,
} from '../form/post-form-context.ts';

const MOMENT_EXAMPLES = [TIME_EXAMPLE, 'in 2 hours', '1 Dec at noon', 'tomorrow at noon'];
export const SERIES_EXAMPLES = ['every weekday at 9', 'first tuesday of every month 10:00'];
const MAX_EXAMPLES = 3;
export const DEFAULT_EXAMPLES = MOMENT_EXAMPLES.slice(0, MAX_EXAMPLES);

/** What the time of a post is read from. */
interface WhenState {
  values: Pick<PostState['values'], 'when' | 'zone' | 'project' | 'platforms'>;
  formContext: PostFormContext;
  now: Date;
}

type SlotReading =
  /** The first free slot. When the form is sent, the post takes it or, if somebody was faster, the next one. */
  | { kind: 'understood'; moment: Moment; notes: readonly string[]; slotFrom: Date }
  | ({ kind: 'no-slot' } & SlotProblem);

/** The reading of one moment, of several, or of a post that repeats. */
export type WhenReading =
  | PostTimeReading
  | SlotReading
  | { kind: 'several'; momentsReading: Exclude<MomentsReading, { kind: 'not-understood' }> }
  | { kind: 'series'; recurrence: ZonedRecurrence; notes: readonly string[] }
  /** The project doesn't hold posts, so they can't repeat. */
  | { kind: 'not-held' }
  /** The text can mean several rules, or a rule and one time: "first tuesday of the month". */
  | { kind: 'which-series'; recurrences: readonly ZonedRecurrence[]; once?: Moment }
  /** The text repeats, but no rule can express it: "every hour". */
  | { kind: 'repeating' };

/** Parses the text in the form's zone and the actor's locale. Undefined without a text or a valid zone. */
export function readWhen(state: WhenState): WhenReading | undefined {
  const { values, formContext, now } = state;
  const text = values.when.trim();
  const { project } = values;
  const zone = getParsingZone(values.zone);
  if (text === '' || !isZone(zone)) return undefined;
  const slotReading = readSlot(state);
  if (slotReading) return slotReading;
  const { actorLocale: locale, dateOrder, shownMoments } = formContext;
  const request = { now, zone, locale, dateOrder };
  const readMoment = (phrase: string) => scheduleNow(understandMoment({ ...request, text: phrase }), now);
  const readText = (): WhenReading => {
    const momentReading = readMoment(text);
    const isMonthly = momentReading.kind === 'understood' && MONTHLY_PATTERN.test(text);
    if (momentReading.kind !== 'not-understood' && !isMonthly) return momentReading;
    const once = momentReading.kind === 'understood' ? momentReading.moment : undefined;
    const momentsReading = scheduleNowInList(understandMoments({ ...request, text }), now);
    // "Every day until wednesday" is a short list, which needs no series.
    const mayRepeat = once !== undefined || !isUnderstood(momentsReading) || formContext.series !== undefined;
    const seriesReading = mayRepeat ? readSeries({ ...request, text }, once) : undefined;
    if (seriesReading?.kind === 'series' && project && !holdsPosts(findFormPolicy(state)))
      return { kind: 'not-held' };
    if (seriesReading) return seriesReading;
    if (momentReading.kind !== 'not-understood') return momentReading;
    if (!isUnderstood(momentsReading) && isRepeating({ ...request, text })) return { kind: 'repeating' };
    if (momentsReading.kind !== 'not-understood') return { kind: 'several', momentsReading };
    const seriesProblem = formContext.heldPost ? undefined : explainRecurrence({ ...request, text });
    if (seriesProblem) return { ...seriesProblem, examples: SERIES_EXAMPLES };
    // `unparsedText` is '' if the reason is about the whole text, for example about its length.
    const isWhole = momentsReading.unparsedText === '';
    const refused = replaceExamples(
      isWhole ? momentsReading : momentReading,
      (phrase) => readMoment(phrase).kind === 'understood',
    );
    // "Christmas week" and "thursday before noon" have words of no moment.
    const isRange =
      !isWhole && !refused.code && understandRange({ ...request, text }).kind !== 'not-understood';
    return isRange ? { ...refused, unparsedText: text, reason: REASONS.range.text } : refused;
  };
  const isShown =
    shownMoments?.text === text &&
    shownMoments.zone === zone &&
    shownMoments.moments.every((moment) => isZone(moment.zone));
  return isShown ? readShownMoments(shownMoments, now, readText) : readText();
}

/** "First tuesday of the month" may mean one day, or one of every month. */
const MONTHLY_PATTERN =
  /\b(?:of the month|im monat|des monats|du mois|del mes|do mês|del mese|van de maand)\b/i;

/** Reads a rule for a post that repeats. `once`: the one time that the text may mean instead. */
function readSeries(
  question: Parameters<typeof understandRecurrence>[0],
  once: Moment | undefined,
): WhenReading | undefined {
  const reading = understandRecurrence({ ...question, mustRepeat: once === undefined });
  if (reading.kind === 'not-understood') return undefined;
  const recurrences = (reading.kind === 'understood' ? [reading.recurrence] : reading.candidates)
    .map((recurrence) => ({ zone: question.zone, ...recurrence }))
    .filter((recurrence) => findNextDate(recurrence, question.now) !== undefined);
  const [recurrence] = recurrences;
  if (!recurrence) return undefined;
  if (recurrences.some((each) => listHorizonDates(each, question.now).length > MAX_MADE_AHEAD))
    return { kind: 'repeating' };
  if (recurrences.length === 1 && !once) return { kind: 'series', recurrence, notes: reading.notes };
  return { kind: 'which-series', recurrences, ...(once && { once }) };
}

/** Whether each word of a list is understood, even if it's ambiguous or in the past. */
function isUnderstood(reading: MomentsReading): boolean {
  const readings = reading.kind === 'faulty' ? reading.faults.map((fault) => fault.reading) : [reading];
  return readings.every(({ kind }) => kind !== 'not-understood');
}

/**
 * Returns a reading with the moments that the form has shown, so that a text keeps its meaning. Somebody who saw
 * "in 2h" as 14:00, and sends the form ten minutes later, means 14:00. After 14:00, the reading is 'past', and suggests
 * the moment that "in 2h" means now. "Now" always means the current time.
 */
function readShownMoments(shown: ShownMoments, now: Date, readText: () => WhenReading): WhenReading {
  const moments = shown.moments.map((stored) => ({
    moment: { instant: new Date(stored.instant), zone: stored.zone },
    words: '',
    notes: stored.notes,
  }));
  const upcomingMoments = moments.filter(({ moment }) => moment.instant > now);
  const passedMoments = moments.filter(({ moment }) => moment.instant <= now);
  const [firstMoment, ...otherMoments] = moments;
  if (!firstMoment) return readText();
  if (otherMoments.length === 0) {
    if (passedMoments.length === 0) return { kind: 'understood', ...firstMoment };
    const currentReading = readText();
    if ('isNow' in currentReading) return currentReading;
    return {
      kind: 'past',
      moment: firstMoment.moment,
      ...(currentReading.kind === 'understood' && { suggestion: currentReading.moment }),
    };
  }
  if (passedMoments.length === 0)
    return {
      kind: 'several',
      momentsReading: { kind: 'understood', moments: [firstMoment, ...otherMoments], notes: shown.notes },
    };
  const faults = passedMoments.map(({ moment, words }) => ({
    words,
    reading: { kind: 'past' as const, moment },
  }));
  return {
    kind: 'several',
    momentsReading: { kind: 'faulty', moments: upcomingMoments, faults, notes: shown.notes },
  };
}

/** Replaces the examples with a few that are understood now. For example, "fri 14:30" is ambiguous on a Friday. */
function replaceExamples(
  reading: Extract<PostTimeReading, { kind: 'not-understood' }>,
  isUnderstood: (phrase: string) => boolean,
): typeof reading {
  const phrases = [...new Set([...reading.examples, ...MOMENT_EXAMPLES])];
  return { ...reading, examples: phrases.filter(isUnderstood).slice(0, MAX_EXAMPLES) };
}

/** Lists all moments of the post, with the assumptions about each. Empty if the reading has a problem. */
export function listMoments(
  reading: WhenReading | undefined,
): readonly { moment: Moment; notes: readonly string[] }[] {
  if (reading?.kind === 'understood') return [reading];
  if (reading?.kind === 'several' && reading.momentsReading.kind === 'understood')
    return reading.momentsReading.moments;
  return [];
}

/** Returns the zone of all moments in a reading. Undefined if the moments have several zones, or if there are none. */
export function findCommonZone(reading: WhenReading | undefined): string | undefined {
  const moments = reading ? listMentionedMoments(reading) : [];
  const [firstMoment] = moments;
  return moments.every(({ zone }) => zone === firstMoment?.zone) ? firstMoment?.zone : undefined;
}

/** Lists the moments and candidates in a reading, including moments that have passed. */
export function listMentionedMoments(reading: WhenReading): readonly Moment[] {
  switch (reading.kind) {
    case 'not-understood':
    case 'not-held':
    case 'no-slot':
    case 'repeating':
      return [];
    case 'series':
      return listNextMoment(reading.recurrence);
    case 'which-series':
      return [...reading.recurrences.flatMap(listNextMoment), ...(reading.once ? [reading.once] : [])];
    case 'ambiguous':
      return reading.candidates;
    case 'several': {
      const { momentsReading } = reading;
      const moments =
        momentsReading.kind === 'ambiguous' ? momentsReading.candidates.flat() : momentsReading.moments;
      return moments.map(({ moment }) => moment);
    }
    default:
      return [reading.moment];
  }
}

/** A rule has the zone of its moments. */
function listNextMoment({ zone }: ZonedRecurrence): readonly Moment[] {
  return [{ instant: new Date(0), zone }];
}

/** Reads the text as a request for the next slot. Undefined for any other text. */
function findSlotPhrase({ values, formContext: { actorLocale: locale, dateOrder }, now }: WhenState) {
  const zone = getParsingZone(values.zone);
  return isZone(zone) ? readSlotPhrase(values.when.trim(), { now, zone, locale, dateOrder }) : undefined;
}

function buildSlotKey({ values: { when, zone, project, platforms } }: WhenState): string {
  return JSON.stringify([when.trim(), getParsingZone(zone), project?.id, platforms.toSorted()]);
}

/** Reads "next slot" in the form, as far as the slot was looked up. Undefined for any other text. */
function readSlot(state: WhenState): SlotReading | undefined {
  const { project, platforms } = state.values;
  const { slot: found } = state.formContext;
  const phrase = findSlotPhrase(state);
  if (!phrase) return undefined;
  if ('problem' in phrase) return { kind: 'no-slot', headline: phrase.problem, advice: '' };
  if (!project)
    return { kind: 'no-slot', headline: 'Each project has its own slots.', advice: 'Choose the project.' };
  if (found?.key !== buildSlotKey(state)) {
    const advice = platforms.length === 0 ? 'Choose the platforms.' : 'Try again in a moment.';
    return { kind: 'no-slot', headline: 'I haven’t looked up the next slot yet.', advice };
  }
  if (!found.slot) return { kind: 'no-slot', ...(found.problem ?? { headline: '', advice: '' }) };
  const moment = { instant: new Date(found.slot.instant), zone: found.slot.zone };
  return { kind: 'understood', moment, notes: [found.note], slotFrom: moment.instant };
}

/**
 * Looks up the slot of the form. One that the form has shown stays: sending the form takes it, or the next. `formId`:
 * absent while the form is opened.
 */
export async function findFormSlot(
  call: Call,
  state: WhenState,
  formId?: string,
): Promise<FoundSlot | undefined> {
  const { project, platforms } = state.values;
  const { slot: shown } = state.formContext;
  const phrase = findSlotPhrase(state);
  if (!phrase || 'problem' in phrase || !project) return undefined;
  const key = buildSlotKey(state);
  const known = shown?.key === key && !shown.slot?.isUnsure ? shown : undefined;
  if (known?.slot && new Date(known.slot.instant) > state.now) return known;
  // A form that is sent again asks for the slot that its post has, which isn't free any more.
  const search = { from: phrase.from, origin: formId };
  const place = { workspace: call.actor.workspace, project: project.id, platforms };
  try {
    const found = await findNextSlot(call.context, place, search);
    if ('problem' in found) return { key, note: '', problem: found.problem };
    const { slot, note } = found;
    const { zone, isUnsure } = slot;
    return { key, slot: { instant: slot.instant.toISOString(), zone, isUnsure }, note };
  } catch (error) {
    // Without the database the form can still say that the post isn't saved.
    call.log.warn({ reference: call.reference, err: error }, 'could not look up the next slot');
    return undefined;
  }
}
