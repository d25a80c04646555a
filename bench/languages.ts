import { readFileSync } from 'node:fs';
import * as chrono from 'chrono-node';
import { z } from 'zod';
import { type Moment, understandMoment } from '../src/when/when.ts';
import { instantAfterGap, instantsShowing, wallClockAt } from '../src/when/zones.ts';
import { isLabelledMoment } from './languages/is-labelled-moment.ts';
import { type LabelledPhrase, labelledPhrase } from './languages/labelled-phrase.ts';

/**
 * Compares, for each language, how often Upnext and chrono find the labelled moment of a phrase: for our own phrases, whose
 * answers were written before they were run, or for those of the file LANGUAGE_PHRASES. Chrono gets its best settings:
 * the author's wall time as its reference, and forwardDate. The results of chrono count as wall time in the author's
 * zone, and a day without a time counts as 09:00.
 */

const OWN_PHRASES = new URL('languages/typed-phrases.jsonl', import.meta.url);
/** Labels in public suites that are plainly wrong, or that name no time that somebody could schedule for. */
const WRONG_LABELS = new URL('languages/wrong-labels.json', import.meta.url);

const CHRONOS: Readonly<Record<string, chrono.Chrono>> = {
  en: chrono.en.casual,
  de: chrono.de.casual,
  fr: chrono.fr.casual,
  es: chrono.es.casual,
  nl: chrono.nl.casual,
  pt: chrono.pt.casual,
  it: chrono.it.casual,
  ja: chrono.ja.casual,
};

/** The hour of a post whose phrase has no time. */
const DEFAULT_HOUR = 9;

type Result = 'exact' | 'ambiguous' | 'none' | 'wrong';
/** The moments that a phrase can mean. Empty if the phrase wasn't understood. */
type Candidates = readonly Moment[];

export async function runLanguageBenchmark(): Promise<void> {
  const path = process.env.LANGUAGE_PHRASES;
  const phrases = path === undefined ? readOwnPhrases() : readPhrases(path);
  const wrongLabels = z
    .array(z.object({ suite: z.string(), input: z.string(), reference: z.string(), why: z.string() }))
    .parse(JSON.parse(readFileSync(WRONG_LABELS, 'utf8')));
  const isRightlyLabelled = ({ suite, input, reference }: LabelledPhrase) =>
    !wrongLabels.some(
      (wrong) => wrong.suite === suite && wrong.input === input && wrong.reference === reference,
    );
  console.log(`${'%'.padStart(15)} ${RESULTS.map((result) => result.padStart(9)).join(' ')}`);
  for (const [language, grammar] of Object.entries(CHRONOS)) {
    const ofLanguage = phrases.filter((phrase) => languageOf(phrase) === language);
    if (ofLanguage.length === 0) continue;
    const rightlyLabelled = ofLanguage.filter(isRightlyLabelled);
    console.log(`${language}, ${ofLanguage.length} phrases`);
    printShares('Upnext', computeShares(ofLanguage, parseWithUpnext));
    if (rightlyLabelled.length < ofLanguage.length)
      printShares(`of ${rightlyLabelled.length}`, computeShares(rightlyLabelled, parseWithUpnext));
    printShares(
      'chrono',
      computeShares(ofLanguage, (phrase) => parseWithChrono(grammar, phrase, false)),
    );
    printShares(
      'strict',
      computeShares(ofLanguage, (phrase) => parseWithChrono(grammar, phrase, true)),
    );
  }
  if (process.env.SHOW_MISSES) printMisses(phrases);
}

function readPhrases(path: string): readonly LabelledPhrase[] {
  return z.array(labelledPhrase).parse(JSON.parse(readFileSync(path, 'utf8')));
}

function readOwnPhrases(): readonly LabelledPhrase[] {
  const lines = readFileSync(OWN_PHRASES, 'utf8').trim().split('\n');
  return lines.map((line) => labelledPhrase.parse(JSON.parse(line)));
}

function languageOf({ language, locale }: LabelledPhrase): string {
  return language ?? locale.slice(0, 2);
}

/** Phrases that weren't understood, or were misunderstood. */
function printMisses(phrases: readonly LabelledPhrase[]): void {
  for (const phrase of phrases) {
    const candidates = parseWithUpnext(phrase);
    const result = classify(phrase, candidates);
    if (result === 'exact' || result === 'ambiguous') continue;
    const read = candidates.map(({ instant, zone }) =>
      new Date(wallClockAt(instant.getTime(), zone)).toISOString(),
    );
    console.log(
      [
        result,
        phrase.locale,
        phrase.input,
        phrase.reference,
        phrase.zone,
        JSON.stringify(phrase.expected),
        read,
      ].join(' | '),
    );
  }
}

function computeShares(
  phrases: readonly LabelledPhrase[],
  parse: (phrase: LabelledPhrase) => Candidates,
): ReadonlyMap<Result, number> {
  const results = phrases.map((phrase) => classify(phrase, parse(phrase)));
  const computeShare = (result: Result) =>
    (100 * results.filter((each) => each === result).length) / results.length;
  return new Map(RESULTS.map((result) => [result, computeShare(result)]));
}

const RESULTS = ['exact', 'ambiguous', 'none', 'wrong'] as const;

function classify(phrase: LabelledPhrase, candidates: Candidates): Result {
  if ('refuse' in phrase.expected) return candidates.length === 0 ? 'exact' : 'wrong';
  if (candidates.length === 0) return 'none';
  const isRight = candidates.some((moment) => isLabelledMoment(moment, phrase));
  if (!isRight) return 'wrong';
  return candidates.length === 1 ? 'exact' : 'ambiguous';
}

function printShares(name: string, shares: ReadonlyMap<Result, number>): void {
  const figures = RESULTS.map((result) => (shares.get(result) ?? 0).toFixed(1).padStart(9));
  console.log(`${name.padStart(15)} ${figures.join(' ')}`);
}

function parseWithUpnext({ input, reference, zone, locale }: LabelledPhrase): Candidates {
  const reading = understandMoment({ text: input, now: new Date(reference), zone, locale });
  if (reading.kind === 'ambiguous') return reading.candidates;
  return reading.kind === 'past' || reading.kind === 'not-understood' ? [] : [reading.moment];
}

/**
 * Parses a phrase with chrono. If `isStrict`, the result is empty unless chrono used every word. Chrono has no option
 * for this.
 */
function parseWithChrono(grammar: chrono.Chrono, phrase: LabelledPhrase, isStrict: boolean): Candidates {
  const { input, reference, zone } = phrase;
  const wallClock = new Date(wallClockAt(Date.parse(reference), zone));
  const [result, ...others] = grammar.parse(
    input,
    { instant: wallClock, timezone: 0 },
    { forwardDate: true },
  );
  if (result === undefined) return [];
  const usesEveryWord = others.length === 0 && !result.end && result.text === input.trim();
  if (isStrict && !usesEveryWord) return [];
  const { start } = result;
  const getPart = (name: chrono.Component) => start.get(name) ?? 0;
  const hasTime = start.isCertain('hour') || start.tags().has('result/relativeDateAndTime');
  // Chrono sets the hour to 12 if the phrase has no time.
  const isCasualTime = !hasTime && getPart('hour') !== 12;
  const hour = hasTime || isCasualTime ? getPart('hour') : DEFAULT_HOUR;
  const minute = hasTime || isCasualTime ? getPart('minute') : 0;
  const wallTime = Date.UTC(getPart('year'), getPart('month') - 1, getPart('day'), hour, minute);
  const offset = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null;
  const instant =
    offset === null
      ? (instantsShowing(wallTime, zone)[0] ?? instantAfterGap(wallTime, zone))
      : wallTime - offset * 60_000;
  return [{ instant: new Date(instant), zone }];
}
