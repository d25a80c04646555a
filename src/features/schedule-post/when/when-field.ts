import type { KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import type { FormChange, FormState } from '../../../forms/form.ts';
import type { ZonedRecurrence } from '../../../held-posts/series/rule.ts';
import { renderRule } from '../../../held-posts/series/rule-text.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import { actions, button, context, section } from '../../../slack/blocks.ts';
import { type Moment, understandMoment, withStepBudget } from '../../../when/when.ts';
import { isZone } from '../../../when/zones.ts';
import { FORM_NAME, type fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import {
  findCommonZone,
  getParsingZone,
  listMoments,
  type PostZone,
  readWhen,
  TIME_EXAMPLE,
  type WhenReading,
  type WhenState,
} from './read-when.ts';
import { getNotes, renderTime, renderTimeWithoutZone, renderWhenLine, type ViewState } from './when-text.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** Derives the value of the zone field and the shown moments from the typed text, the chosen zone and the project. */
export function deriveZoneAndMoments(changedState: PostState): FormChange<typeof fields, PostFormContext> {
  const defaultZone = applyDefaultZone(changedState);
  const reading = readWhen({ ...changedState, values: { ...changedState.values, zone: defaultZone } });
  const parsingZone = getParsingZone(defaultZone);
  const values = { zone: readZone(reading, defaultZone) };
  const moments = listMoments(reading);
  if (moments.length === 0) return { values };
  const shownMoments = {
    text: changedState.values.when.trim(),
    zone: parsingZone,
    moments: moments.map(({ moment, notes }) => ({
      instant: moment.instant.toISOString(),
      zone: moment.zone,
      notes: [...notes],
    })),
    notes: reading?.kind === 'several' ? [...reading.momentsReading.notes] : [],
  };
  return { values, formContext: { ...changedState.formContext, shownMoments } };
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
export function renderWhenBlocks(state: WhenState & { formContext: PostFormContext }): KnownBlock[] {
  const reading = readWhen(state);
  const choices = listChoices(reading).slice(0, CHOICE_BUTTONS.length);
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
    isProblem ? section(line) : context(line),
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
  ];
}

/** What a button chooses: one or more moments, or a rule. */
type Choice = readonly Moment[] | ZonedRecurrence;

/** Lists the choices for buttons. */
function listChoices(reading: WhenReading | undefined): readonly Choice[] {
  switch (reading?.kind) {
    case 'ambiguous':
      return reading.candidates.map((moment) => [moment]);
    case 'shifted':
      return [[reading.moment]];
    case 'past':
    case 'not-understood':
      return reading.suggestion ? [[reading.suggestion]] : [];
    case 'several':
      return reading.momentsReading.kind === 'ambiguous'
        ? reading.momentsReading.candidates.map((list) => list.map(({ moment }) => moment))
        : [];
    case 'which-series':
      return [...(reading.once ? [[reading.once]] : []), ...reading.recurrences];
    default:
      return [];
  }
}

/** Renders the label of a choice. Omits the zone of moments if the line above the buttons names it. */
export function renderChoice(choice: Choice, reading: WhenReading | undefined, state: ViewState): string {
  if ('times' in choice) return renderRule(choice);
  const isQuestion = reading?.kind === 'ambiguous' || reading?.kind === 'several';
  const isZoneNamed = isQuestion && findCommonZone(reading) !== undefined;
  const render = isZoneNamed ? renderTimeWithoutZone : renderTime;
  return choice.map((moment) => render(moment, state)).join(' · ');
}

/** Encodes a choice as a button's value. The maximum of 20 moments takes less than half of the 2,000 characters. */
export function encodeChoice(choice: Choice): string {
  if ('times' in choice) return `rule ${choice.zone} ${renderRule(choice)}`;
  return choice.map(({ instant, zone }) => `${instant.getTime()} ${zone}`).join(',');
}

/** Applies a choice. A rule or a single moment replaces the text. Several moments become the meaning of the unchanged text. */
export function chooseMoment(
  value: string | undefined,
  state: FormState<typeof fields, PostFormContext>,
): FormChange<typeof fields, PostFormContext> {
  const { values, formContext } = state;
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
  const notes = [...getNotes(readWhen(state))];
  const momentNotes = otherMoments.length === 0 ? notes : [];
  const storedMoments = moments.map((moment) => ({
    ...moment,
    instant: moment.instant.toISOString(),
    notes: momentNotes,
  }));
  return {
    values: { when: text, zone: toPostZone(zone, parsingZone, values.zone.isDefault) },
    formContext: {
      ...formContext,
      shownMoments: {
        text,
        zone: parsingZone,
        moments: storedMoments,
        notes: otherMoments.length === 0 ? [] : notes,
      },
    },
  };
}

function decodeChoice(value = ''): Moment[] {
  return value.split(',').flatMap((encodedMoment) => {
    const [time = '', zone = ''] = encodedMoment.split(' ');
    const instant = new Date(time === '' ? Number.NaN : Number(time));
    return Number.isNaN(instant.getTime()) || !isZone(zone) ? [] : [{ instant, zone }];
  });
}

/** Texts of the moments that are suggested for a post without a moment. */
const SUGGESTED_TEXTS = ['in 1 hour', TIME_EXAMPLE, 'monday 9am'];

/** Lists the choices for buttons: the candidates of the text, or else a few suggestions. */
export function listOfferedChoices(state: WhenState): readonly Choice[] {
  const choices = listChoices(readWhen(state));
  const zone = getParsingZone(state.values.zone);
  if (choices.length > 0 || !isZone(zone)) return choices;
  const momentsByTime = new Map<number, Moment>();
  for (const text of SUGGESTED_TEXTS) {
    // Suggestions have their own step budget, because parsing the typed text may have used up the request's budget.
    const reading = withStepBudget(() => understandMoment({ text, now: state.now, zone }));
    if (reading.kind === 'understood') momentsByTime.set(reading.moment.instant.getTime(), reading.moment);
  }
  return [...momentsByTime.values()].map((moment) => [moment]);
}
