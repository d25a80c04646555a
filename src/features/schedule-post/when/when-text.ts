import { MINUTE_MS } from '../../../durations.ts';
import {
  explainRule,
  renderFrom,
  renderLeftOut,
  renderNextDates,
  renderRuleForReader,
} from '../../../held-posts/series/rule-text.ts';
import { warnOfBlackout } from '../../../held-posts/slots/slot-text.ts';
import { renderLead } from '../../../posts/post-text.ts';
import { renderMoment, renderMomentInActorZone } from '../../../posts/post-time.ts';
import { findBlackout, leaveOutBlackouts } from '../../../preferences/posting-times.ts';
import { SUGGESTED_LEAD_MINUTES } from '../../../preferences/project-policy.ts';
import { escapeFormatting, escapeText } from '../../../slack/blocks.ts';
import { formatMomentDay, renderNote } from '../../../when/format-moment.ts';
import { type FaultyMoment, findDateOrder, type Moment, type MomentReading } from '../../../when/when.ts';
import { zoneName } from '../../../when/zones.ts';
import { capitalize, clip, joinWithOr } from '../../../words.ts';
import type { PostInputs, PostState } from '../form/fields.ts';
import { findFormPolicy } from '../form/post-form-context.ts';
import {
  DEFAULT_EXAMPLES,
  findCommonZone,
  listMoments,
  SERIES_EXAMPLES,
  type WhenReading,
} from './read-when.ts';

export const SEVERAL_MOMENTS_EXAMPLES = [
  'mon, wed and fri 9am',
  'tomorrow 9am and 3pm',
  '1 Dec at noon and 15 Dec 8:30',
];
/** Maximum length of the quoted text, in characters. */
const MAX_QUOTE_LENGTH = 60;
/** Maximum candidates in a sentence. The form has the same number of buttons for candidates. */
const MAX_CANDIDATES = 4;

/** Renders "Sat 21 Nov, 09:00 (Lisbon)", or "Sa., 21. Nov., 09:00 (Lisbon)" for a German actor. */
export function renderTime({ instant, zone }: Moment, { now, formContext }: PostState): string {
  return renderMoment(instant, zone, now, formContext.actorLocale);
}

/** Renders a moment without its place, which the sentence or another line names: "Sat 21 Nov, 09:00". */
export function renderTimeWithoutZone(moment: Moment, state: PostState): string {
  const place = zoneName(moment.zone);
  // If the clock shows this time twice, its offset stays: "Sun 31 Oct, 02:30 (UTC+01:00)".
  return renderTime(moment, state).replace(` (${place})`, '').replace(`(${place}, `, '(');
}

function renderExamples(examples: readonly string[]): string {
  const quotedExamples = (examples.length > 0 ? examples : DEFAULT_EXAMPLES).map((example) => `“${example}”`);
  return joinWithOr(quotedExamples);
}

/** A problem with the typed time (plain text). `error`: the error of the field. Defaults to the headline and advice. */
interface WhenProblem {
  headline: string;
  advice: string;
  error?: string;
}

/** Renders the problem with the time as the error of the field (plain text). Undefined without a problem. */
export function renderWhenError(reading: WhenReading, state: PostState): string | undefined {
  const problem = findWhenProblem(reading, state);
  return problem && (problem.error ?? renderProblem(problem));
}

/** Renders the problem with the time in the words of the line below the field (plain text). Undefined without one. */
export function renderWhenProblem(reading: WhenReading, state: PostState): string | undefined {
  const problem = findWhenProblem(reading, state);
  return problem && renderProblem(problem);
}

function renderProblem({ headline, advice }: WhenProblem): string {
  return `${headline} ${advice}`.trim();
}

/** Finds the problem with the time. Undefined if there is none. */
function findWhenProblem(reading: WhenReading, state: PostState): WhenProblem | undefined {
  switch (reading.kind) {
    case 'understood':
    case 'series':
      return undefined;
    case 'ambiguous':
      return {
        headline: 'Which time did you mean?',
        advice: renderZoneNote(reading, state),
        error: 'Choose a time below.',
      };
    case 'shifted':
      return { headline: SKIPPED_TIME, advice: renderSuggestion(reading.moment, state) };
    case 'past':
      return findPastProblem(reading, state);
    case 'several':
      return findSeveralProblem(reading, state);
    case 'which-series':
      return {
        headline: reading.once ? 'Once, or every month?' : 'Which dates did you mean?',
        advice: '',
        error: 'Choose below what you meant.',
      };
    case 'no-slot':
      return { headline: reading.headline, advice: reading.advice };
    case 'not-held':
      return {
        headline: 'Posts can repeat only in a project that keeps them editable.',
        advice: renderHoldingAdvice(state),
      };
    case 'repeating':
      return {
        headline: 'Posts can’t repeat that often.',
        advice: `Try ${renderExamples(SERIES_EXAMPLES)}.`,
      };
    case 'not-understood': {
      const { suggestion, unparsedText, reason, examples } = reading;
      if (suggestion) return { headline: reason, advice: renderSuggestion(suggestion, state) };
      return { headline: renderReason(unparsedText, reason), advice: `Try ${renderExamples(examples)}.` };
    }
  }
}

/** The answer that keeps a project's posts editable, as the form offers it. */
export const KEEP_ANSWER = `Keep them until ${renderLead(SUGGESTED_LEAD_MINUTES)} before`;

/** Whether the form asks if the project's posts stay editable: until one of its managers has answered. */
export function asksAboutHolding({ values: { project }, formContext }: PostInputs): boolean {
  const { policies, mayChangePolicy, heldPost } = formContext;
  if (!project || !policies || !mayChangePolicy || heldPost) return false;
  return !Object.hasOwn(policies, project.id);
}

/** Says how to keep a project's posts editable. */
function renderHoldingAdvice(state: PostState): string {
  if (asksAboutHolding(state)) return `To turn that on, press “${KEEP_ANSWER}” at the end of the form.`;
  return state.formContext.mayChangePolicy
    ? 'Turn that on with /upnext policy, then submit again.'
    : 'Ask a Manager to turn that on with /upnext policy.';
}

const SKIPPED_TIME = 'This time doesn’t exist because the clocks go forward.';

function renderSuggestion(moment: Moment, state: PostState): string {
  return `Did you mean ${renderTimeWithoutZone(moment, state)}?`;
}

/**
 * Renders the zone of all candidates, and that the choice between 3 April and 4 March for 3/4 is remembered. Candidates
 * in several zones name their own.
 */
function renderZoneNote(reading: WhenReading, { values, formContext }: PostState): string {
  const zone = findCommonZone(reading);
  const isOrder = formContext.dateOrder === 'unsure' && findDateOrder([values.when]) === 'unsure';
  const parts = [
    ...(zone === undefined ? [] : [`times are in ${zoneName(zone)}`]),
    ...(isOrder ? ['I’ll remember the order of day and month'] : []),
  ];
  return parts.length === 0 ? '' : `${capitalize(parts.join(', and '))}.`;
}

/** Quotes the text that a reason is about. Quotes nothing if the reason is about the whole text. */
function renderReason(quotedText: string, reason: string): string {
  return quotedText === '' ? reason : `“${clip(quotedText, MAX_QUOTE_LENGTH)}”: ${reason}`;
}

function findSeveralProblem(
  reading: Extract<WhenReading, { kind: 'several' }>,
  state: PostState,
): WhenProblem | undefined {
  const { momentsReading } = reading;
  switch (momentsReading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return {
        headline: 'Which times did you mean?',
        advice: renderZoneNote(reading, state),
        error: 'Choose the times below.',
      };
    case 'faulty': {
      const { faults } = momentsReading;
      const isUnclear = faults.some((fault) => fault.reading.kind === 'not-understood');
      return {
        headline: faults
          .map(({ words, reading: fault }) => renderReason(words, renderFault(fault, state)))
          .join(' '),
        advice: isUnclear ? `Try ${renderExamples(SEVERAL_MOMENTS_EXAMPLES)}.` : '',
      };
    }
  }
}

/** Explains one problem among several times. Names the choices, because a faulty list has no buttons. */
function renderFault(reading: FaultyMoment['reading'], state: PostState): string {
  switch (reading.kind) {
    case 'ambiguous': {
      const candidates = reading.candidates.slice(0, MAX_CANDIDATES).map((each) => renderTime(each, state));
      return `Which did you mean: ${candidates.join(' or ')}?`;
    }
    case 'shifted':
      return `${SKIPPED_TIME} ${renderSuggestion(reading.moment, state)}`;
    case 'past':
      return `${renderTime(reading.moment, state)} has passed. Remove it, or enter another.`;
    case 'not-understood':
      return reading.reason;
  }
}

function findPastProblem(
  { moment, suggestion }: Extract<MomentReading, { kind: 'past' }>,
  state: PostState,
): WhenProblem {
  const hasJustPassed = state.now.getTime() - moment.instant.getTime() < MINUTE_MS;
  const headline = hasJustPassed ? 'Now is too soon.' : `${renderTime(moment, state)} has passed.`;
  if (!suggestion) return { headline, advice: 'Pick a later time.' };
  return {
    headline,
    advice: hasJustPassed
      ? `The earliest is ${renderTimeWithoutZone(suggestion, state)}.`
      : renderSuggestion(suggestion, state),
  };
}

/** Renders the line below the field, which changes while somebody types. Mrkdwn; '' if there is nothing to say. */
export function renderWhenLine(reading: WhenReading | undefined, state: PostState): string {
  if (!reading) return renderSlotHint(state);
  const problem = findWhenProblem(reading, state);
  if (problem) {
    const advice = [escapeText(problem.advice), ...renderNotes(getNotes(reading), state)].filter(Boolean);
    return [`:warning: *${escapeText(problem.headline)}*`, ...advice].join(' ');
  }
  if (reading.kind === 'series') return renderSeries(reading, state, [TEXTS_NOTE]);
  const warnings = warnOfBlackouts(reading, state)
    .map((warning) => `\n:warning: ${escapeFormatting(warning)}`)
    .join('');
  if (reading.kind === 'several') return `${renderSeveralMoments(reading, state)}${warnings}`;
  const line = listMoments(reading)
    .flatMap(({ moment, notes }) => [
      `:calendar: ${renderMomentLine(moment, state)}`,
      ...renderNotes(notes, state),
    ])
    .join('  ');
  return `${line}${warnings}`;
}

/** In a project with posting times, people can ask for one. */
function renderSlotHint(state: PostState): string {
  const { postingTimes } = findFormPolicy(state);
  return postingTimes.length === 0 ? '' : 'For the next free posting time, type “next slot”.';
}

/** Warns of posts on blackout days of the project, once for each day (plain text). */
function warnOfBlackouts(reading: WhenReading, state: PostState): string[] {
  const warnings = listMoments(reading).flatMap(({ moment }) => {
    const blackout = findBlackout(findFormPolicy(state), moment);
    const { now, formContext } = state;
    const day = formatMomentDay(moment, { now, locale: formContext.actorLocale });
    return blackout ? [warnOfBlackout(blackout, day)] : [];
  });
  return [...new Set(warnings)];
}

export function getNotes(reading: WhenReading | undefined): readonly string[] {
  if (reading?.kind === 'several') return reading.momentsReading.notes;
  return reading && 'notes' in reading ? reading.notes : [];
}

/** Renders notes with the reader's clock (mrkdwn). */
function renderNotes(notes: readonly string[], { formContext }: PostState): string[] {
  return notes.map((note) => escapeText(renderNote(note, formContext.actorLocale)));
}

function renderSeveralMoments(reading: WhenReading, state: PostState): string {
  const moments = listMoments(reading);
  const assumptions = [...new Set([...getNotes(reading), ...moments.flatMap((moment) => moment.notes)])];
  return [
    `:calendar: *${moments.length} posts*, one for each time:`,
    ...moments.map(({ moment }) => `• ${renderMomentLine(moment, state)}`),
    ...renderNotes(assumptions, state),
  ].join('\n');
}

const TEXTS_NOTE = 'For several texts in turn, put a line with --- between them.';

/**
 * Renders a rule: its words, its next dates, and what becomes of short months and changes of the clocks. `hints`: what
 * the form says after that (plain text).
 */
export function renderSeries(
  { recurrence, notes }: Extract<WhenReading, { kind: 'series' }>,
  state: PostState,
  hints: readonly string[] = [],
): string {
  const { now, formContext } = state;
  const { actorLocale: locale, series } = formContext;
  const policy = findFormPolicy(state);
  const since = series?.from === undefined ? '' : renderFrom(series.from, recurrence, { now, locale });
  return [
    `:repeat: *${escapeText(`${renderRuleForReader(recurrence, locale)}${since}`)}*`,
    ...renderNextDates(leaveOutBlackouts(recurrence, policy), { now, locale }, series).map(
      (date) => `• ${escapeText(date)}`,
    ),
    [
      ...renderNotes(notes, state),
      ...[
        ...explainRule(recurrence, { now, locale }),
        ...renderLeftOut(recurrence, policy.blackouts, now),
        ...(series?.before === undefined ? [] : ['Somebody cancelled its later posts.']),
        ...hints,
      ].map(escapeText),
    ].join(' '),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Renders "*Tue 1 Dec, 09:00 (Berlin)*  For you: Tue 1 Dec, 08:00 (Lisbon)." Mrkdwn. */
function renderMomentLine(moment: Moment, state: PostState): string {
  const { actorZone: zone, actorLocale: locale } = state.formContext;
  const actorMoment = renderMomentInActorZone(moment.instant, moment.zone, { zone, locale, now: state.now });
  const postMoment = `*${escapeText(renderTime(moment, state))}*`;
  return actorMoment === undefined ? postMoment : `${postMoment}  For you: ${escapeText(actorMoment)}.`;
}
