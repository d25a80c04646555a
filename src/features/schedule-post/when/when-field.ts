import type { Button, KnownBlock } from '@slack/types';
import { DAY_MS } from '../../../durations.ts';
import { attachError, buildActionId } from '../../../forms/field.ts';
import type { FormChange } from '../../../forms/form.ts';
import { shiftTime } from '../../../posts/post-time.ts';
import type { ZonedRecurrence } from '../../../preferences/posting-times.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import { buildButtonRow, button, context, plain, section } from '../../../slack/blocks.ts';
import { runLineButton } from '../../../slack/catalogue.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { renderRecurrence } from '../../../when/recurrence.ts';
import { DATE_ORDERS, type DateOrder, findDateOrder, type Moment, notesOf } from '../../../when/when.ts';
import { isZone, wallClockAt } from '../../../when/zones.ts';
import { FORM_NAME, type fields, getParsingZone, type PostState, type PostZone } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import {
  findCommonZone,
  listMentionedMoments,
  listMoments,
  readWhen,
  type WhenReading,
} from './read-when.ts';
import {
  asksAboutHolding,
  getNotes,
  renderTime,
  renderTimeWithoutZone,
  renderWhenLine,
  renderWhenProblem,
} from './when-text.ts';

/** Derives the value of the zone field and the shown moments from the typed text, the chosen zone and the project. */
export function deriveZoneAndMoments(changedState: PostState): FormChange<typeof fields, PostFormContext> {
  const defaultZone = applyDefaultZone(changedState);
  const reading = readWhen({ ...changedState, values: { ...changedState.values, zone: defaultZone } });
  const values = { zone: readZone(reading, defaultZone) };
  const moments = listMoments(reading);
  // The form keeps the slot that it has shown.
  if (moments.length === 0 || (reading && 'slotFrom' in reading)) return { values };
  const text = { text: changedState.values.when.trim(), zone: getParsingZone(defaultZone) };
  const notes = reading?.kind === 'several' ? reading.momentsReading.notes : [];
  return { values, formContext: showMoments(changedState, text, moments, notes) };
}

/** Stores the moments that a text has in a form, so that it keeps its meaning. */
function showMoments(
  { formContext }: PostState,
  text: { text: string; zone: string },
  moments: ReturnType<typeof listMoments>,
  notes: readonly string[],
): PostFormContext {
  const stored = moments.map(({ moment: { instant, zone }, notes: own }) => ({
    ...{ instant: instant.toISOString(), zone },
    notes: [...own],
  }));
  return { ...formContext, shownMoments: { ...text, moments: stored, notes: [...notes] } };
}

/** Derives the value of the zone field from the typed text, the chosen zone and the project. */
export function deriveZone(state: PostState): PostZone {
  const zone = applyDefaultZone(state);
  return readZone(readWhen({ ...state, values: { ...state.values, zone } }), zone);
}

/** Reads the zone from the text. An unfinished text has no zone yet, and meanwhile the field keeps its zone. */
function readZone(reading: WhenReading | undefined, zone: PostZone): PostZone {
  const parsingZone = getParsingZone(zone);
  const fieldZone = findCommonZone(reading) ?? (reading === undefined ? parsingZone : zone.zone);
  return toPostZone(fieldZone, parsingZone, zone.isDefault);
}

/** Returns 'when' if the shown moment has passed and a button can offer another moment. */
export function findOutdatedWhenBlocks(state: PostState): 'when' | undefined {
  const { values, formContext } = state;
  if (formContext.shownMoments?.text !== values.when.trim()) return undefined;
  const reading = readWhen(state);
  return reading?.kind === 'past' && reading.suggestion ? 'when' : undefined;
}

/** Sets the default zone of the project, unless somebody has chosen a zone. */
function applyDefaultZone({ values: { zone, project }, formContext }: PostState): PostZone {
  const defaultZone = pickDefaultZone(formContext.zones, project?.id)?.zone ?? '';
  if (zone.zone !== '' && (!zone.isDefault || getParsingZone(zone) === defaultZone)) return zone;
  return { zone: defaultZone, ...(defaultZone !== '' && { isDefault: true }) };
}

/** Creates the value of the zone field. Sets `parsedIn` only if the text names a zone other than `parsingZone`. */
function toPostZone(zone: string, parsingZone: string, isDefault: boolean | undefined): PostZone {
  return { zone, ...(zone !== parsingZone && { parsedIn: parsingZone }), ...(isDefault && { isDefault }) };
}

/** The names of the buttons for candidates. Slack requires a separate action id for each button. */
export const CHOICE_BUTTONS = ['choice-0', 'choice-1', 'choice-2', 'choice-3'] as const;

/** Renders the blocks below the field: the reading, and buttons for its candidates. */
export function renderWhenBlocks(state: PostState): KnownBlock[] {
  const reading = readWhen(state);
  const choices = listChoices(reading, state.values.when, state.now).slice(0, CHOICE_BUTTONS.length);
  const buttons = choices.map((moments, index) =>
    // The value isn't signed, because people may type any moment into the field anyway.
    button(
      renderChoice(moments, reading, state),
      buildActionId(FORM_NAME, CHOICE_BUTTONS[index] ?? CHOICE_BUTTONS[0]),
      encodeChoice(moments),
    ),
  );
  const line = renderWhenLine(reading, state);
  const isProblem = reading !== undefined && reading.kind !== 'series' && listMoments(reading).length === 0;
  return [
    // Small print would be easy to miss.
    ...(isProblem ? [attachError(section(line), reading && renderWhenProblem(reading, state))] : []),
    ...(isProblem || line === '' ? [] : [context(line)]),
    ...renderWholeChoices(choices, reading, state),
    ...buildButtonRow([...buttons, ...renderPolicyButton(reading, state)]),
  ];
}

/** Renders [Open policy] for people who may mend with it why there is no such time. */
function renderPolicyButton(reading: WhenReading | undefined, state: PostState): Button[] {
  const { values, formContext } = state;
  const isOfPolicy =
    reading?.kind === 'no-slot'
      ? reading.isOfPolicy
      : reading?.kind === 'not-held' && !asksAboutHolding(state);
  if (!isOfPolicy || !values.project || !formContext.mayChangePolicy) return [];
  return [runLineButton('Open policy', `/upnext policy ${values.project.id}`)];
}

/** What a button chooses: one or more moments, or a rule. */
type Choice = readonly Moment[] | ZonedRecurrence;

function listChoices(reading: WhenReading | undefined, text: string, now: Date): readonly Choice[] {
  switch (reading?.kind) {
    case 'ambiguous': {
      const [first, second = first] = reading.candidates;
      const areDays = first && second && second.instant.getTime() - first.instant.getTime() >= DAY_MS;
      return areDays && NEXT_WEEK.test(text.trim())
        ? [[first], [0, 1, 2, 3, 4].map((days) => moveDays(first, days))]
        : reading.candidates.map((moment) => [moment]);
    }
    case 'shifted':
      return [[reading.moment]];
    case 'past':
    case 'not-understood':
      return reading.suggestion ? [[reading.suggestion]] : [];
    case 'several': {
      if (reading.momentsReading.kind !== 'ambiguous') return [];
      const lists = reading.momentsReading.candidates.map((list) => list.map(({ moment }) => moment));
      // The days of “5/12 and 6/12” are in no week.
      return findDateOrder([text]) === 'unsure' ? lists : addNextWeek(lists, now);
    }
    case 'which-series':
      return [...(reading.once ? [[reading.once]] : []), ...reading.recurrences];
    default:
      return [];
  }
}

/** "Next week", "next week 9am": its Monday, or its Monday to Friday. With a day, it has a single reading. */
const NEXT_WEEK = /^next week\b/i;

function moveDays({ instant, zone }: Moment, days: number): Moment {
  return { instant: shiftTime(instant, zone, { days, minutes: 0 }), zone };
}

/** Adds the reading in which all days of a list are in the next week, as people mean by "Monday to Friday". */
function addNextWeek(lists: readonly (readonly Moment[])[], now: Date): readonly (readonly Moment[])[] {
  const [first = []] = lists;
  const [zone] = first.map((moment) => moment.zone);
  if (zone === undefined || first.length < 2) return lists;
  const monday = startOfNextWeek(now, zone);
  const nextWeek = first
    .map((moment) => {
      const weeks = Math.floor((wallClockAt(moment.instant.getTime(), zone) - monday) / (7 * DAY_MS));
      return moveDays(moment, -7 * weeks);
    })
    .toSorted((one, other) => one.instant.getTime() - other.instant.getTime());
  const isListed = lists.some((list) => encodeChoice(list) === encodeChoice(nextWeek));
  const isDistinct = new Set(nextWeek.map(({ instant }) => instant.getTime())).size === first.length;
  return isListed || !isDistinct ? lists : [...lists.slice(0, CHOICE_BUTTONS.length - 1), nextWeek];
}

/** The wall clock of the next Monday at midnight, in ms. */
function startOfNextWeek(now: Date, zone: string): number {
  const today = Math.floor(wallClockAt(now.getTime(), zone) / DAY_MS);
  // Day 0, 1 January 1970, was a Thursday.
  const weekday = (today + 3) % 7;
  return (today - weekday + 7) * DAY_MS;
}

/**
 * Renders the label of a button for one or several moments. Omits the zone if the line above the buttons names it. A label
 * that would be cut off names the first and the last time.
 */
function renderChoice(choice: Choice, reading: WhenReading | undefined, state: PostState): string {
  if ('times' in choice) return renderRecurrence(choice);
  const times = renderTimes(choice, reading, state);
  const whole = times.join(' · ');
  if (whole.length <= LIMITS.buttonText) return whole;
  const parts = times.map((time) => /^(.*), (\S+.*)$/u.exec(time) ?? [time, time, '']);
  const [[, firstDay, clock] = []] = parts;
  if (!parts.every((part) => part[2] === clock))
    return `${times.length} times: ${times[0]} to ${times.at(-1)}`;
  const days = parts.map((part) => part[1]).join(', ');
  const label = `${days}, ${clock}`;
  return label.length <= LIMITS.buttonText
    ? label
    : `${times.length} days: ${firstDay} to ${parts.at(-1)?.[1]}, ${clock}`;
}

function renderTimes(
  moments: readonly Moment[],
  reading: WhenReading | undefined,
  state: PostState,
): string[] {
  const isQuestion = reading?.kind === 'ambiguous' || reading?.kind === 'several';
  const isZoneNamed = isQuestion && findCommonZone(reading) !== undefined;
  const render = isZoneNamed ? renderTimeWithoutZone : renderTime;
  return moments.map((moment) => render(moment, state));
}

/** Renders all times of choices whose buttons name only the first and the last one (mrkdwn). */
function renderWholeChoices(
  choices: readonly Choice[],
  reading: WhenReading | undefined,
  state: PostState,
): KnownBlock[] {
  return choices.flatMap((choice) => {
    if ('times' in choice) return [];
    const label = renderChoice(choice, reading, state);
    const isWhole = !/^\d+ (?:times|days): /.test(label);
    return isWhole ? [] : [context(plain(`${label} = ${renderTimes(choice, reading, state).join(' · ')}`))];
  });
}

/** Encodes a choice as a button's value. The maximum of 20 moments takes less than half of the 2,000 characters. */
export function encodeChoice(choice: Choice): string {
  if ('times' in choice) {
    // The field for the zone gets it, so that another one can be chosen there.
    const { zone, ...rule } = choice;
    return `rule ${zone} ${renderRecurrence(rule)}`;
  }
  return choice.map(({ instant, zone }) => `${instant.getTime()} ${zone}`).join(',');
}

/** Applies a choice. A rule or a single moment replaces the text. Several moments become the meaning of the unchanged text. */
export function chooseMoment(
  value: string | undefined,
  state: PostState,
): FormChange<typeof fields, PostFormContext> {
  const { values } = state;
  const [, ruleZone, rule] = /^rule (\S+) (.+)$/.exec(value ?? '') ?? [];
  if (rule !== undefined && isZone(ruleZone ?? ''))
    return { values: { when: rule, zone: { zone: ruleZone ?? '' } } };
  const moments = decodeChoice(value);
  const [firstMoment, ...otherMoments] = moments;
  if (!firstMoment) return {};
  // The text of several moments could be too long for the field, so the typed text stays.
  const text = otherMoments.length === 0 ? renderTime(firstMoment, state) : values.when.trim();
  const parsingZone = getParsingZone(values.zone);
  const zone = moments.every((moment) => moment.zone === firstMoment.zone) ? firstMoment.zone : parsingZone;
  // Assumptions about the text also apply to the chosen candidate.
  const reading = readWhen(state);
  const notes = reading?.kind === 'shifted' ? notesOf(reading) : getNotes(reading);
  const [ofEach, ofAll] = otherMoments.length === 0 ? [notes, []] : [[], notes];
  const order = findChosenOrder(value, state);
  const chosen = moments.map((moment) => ({ moment, notes: order ? [...ofEach, ORDER_REMEMBERED] : ofEach }));
  const formContext = showMoments(state, { text, zone: parsingZone }, chosen, ofAll);
  return {
    values: { when: text, zone: toPostZone(zone, parsingZone, values.zone.isDefault) },
    formContext: order ? { ...formContext, dateOrder: order } : formContext,
  };
}

const ORDER_REMEMBERED = 'From now on I read your dates in this order. Change that with /upnext zone.';

/** The order of day and month that a choice among both shows. Undefined if it shows none, or the order is known. */
export function findChosenOrder(value: string | undefined, state: PostState): DateOrder | undefined {
  const { formContext } = state;
  if (formContext.dateOrder !== 'unsure') return undefined;
  const chosen = decodeChoice(value).map(({ instant }) => instant.getTime());
  const fitting = DATE_ORDERS.filter((dateOrder) => {
    const reading = readWhen({
      ...state,
      formContext: { ...formContext, dateOrder, shownMoments: undefined },
    });
    if (!reading) return false;
    if (reading.kind === 'series') return encodeChoice(reading.recurrence) === value;
    const instants = listMentionedMoments(reading).map(({ instant }) => instant.getTime());
    return chosen.length > 0 && chosen.every((instant) => instants.includes(instant));
  });
  const [order, ...others] = fitting;
  return others.length === 0 ? order : undefined;
}

function decodeChoice(value = ''): Moment[] {
  return value.split(',').flatMap((encodedMoment) => {
    const [time = '', zone = ''] = encodedMoment.split(' ');
    const instant = new Date(time === '' ? Number.NaN : Number(time));
    return Number.isNaN(instant.getTime()) || !isZone(zone) ? [] : [{ instant, zone }];
  });
}
