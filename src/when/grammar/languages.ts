import { isFiller, isNow, isPlainFiller, isSentence, isSentenceAround, refusalOf } from './english/around.ts';
import { clockTimeRules, looseDottedTimes, partOfDayRules, spokenTimeRules } from './english/clock.ts';
import { dayOfMonthRules, monthDateRules, numericDateRules, pairedDates } from './english/dates.ts';
import { businessDayRules, dayNameRules, durationRules, weekdayRules } from './english/days.ts';
import { bankHolidays, feastsOfOtherCalendars, holidays } from './english/holidays.ts';
import { periodRules, weekRules, wholePeriodRules } from './english/periods.ts';
import { correctEnglish, ENGLISH_WORDS } from './english/vocabulary.ts';
import { european } from './european/european.ts';
import type { EuropeanWords, ReadingWords } from './european/vocabulary.ts';
import { JAPANESE_WORDS, japanese } from './japanese/japanese.ts';
import { DUTCH_WORDS } from './languages/dutch.ts';
import { FRENCH_WORDS } from './languages/french.ts';
import { GERMAN_WORDS } from './languages/german.ts';
import { ITALIAN_WORDS } from './languages/italian.ts';
import { PORTUGUESE_WORDS } from './languages/portuguese.ts';
import { SPANISH_WORDS } from './languages/spanish.ts';
import { type Language, type OtherLanguage, withDifferences } from './read-grammar.ts';
import {
  dropLooseHours,
  dropNamedMeals,
  dropNumbersOfThings,
  dropTimesOffTheClock,
  dropWhatLeadsNowhere,
  eveningsOnTwelveHours,
  mergePieces,
  yearsThatAreTimes,
} from './refiners.ts';
import { createGrammar, lazily, needing, yearFirstDates } from './rule.ts';

const MONTH_OR_YEAR = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|20\d\d/i;

const PERIOD = new RegExp(
  `${MONTH_OR_YEAR.source}|w(?:ee)?k|w/c|month|quarter|year|\\bdays?\\b|eo[wmqy]|[qh]\\s?\\d|half|spring|summer|autumn|fall|winter|nox|solstice|end|start|begin`,
  'i',
);

/** Words of clock times. */
const NUMBER =
  /\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|ty|half|quarter|hour|minute/i;

/** Texts with other words than those of most dates and times: no feast and no duration has only these. */
const MORE_THAN_PLAIN =
  /^(?!(?:[\s\d:.,/@-]|(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|sun|mon|tues?|weds?|thu(?:rs)?|fri|sat|(?:janu|febru)ary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|today|tonight|tomorrow|at|on|in\sthe|the|this|next|[ap]m|noon|midnight|morning|afternoon|evening|night|st|nd|rd|th)(?![a-z]))*$)/i;

/** `isAmerican`: whether the feasts and evenings are those of the United States. */
function english(isAmerican: boolean): Language {
  const rules = [
    needing(/\d{4}/, yearFirstDates),
    ...dayNameRules,
    needing(/biz|business|work|week-?day/i, businessDayRules),
    needing(/sun|mon|tue|wed|thu|fri|sat/i, weekdayRules),
    needing(MONTH_OR_YEAR, monthDateRules),
    needing(/\d\s?[-/.]\s?\d|\d{4}|\d\s\d|week|w[k\d]|[ck]w/i, numericDateRules),
    needing(
      /\b(?:the|on|of|in|day|month|year)\b|\d\s?(?:st|nd|rd|th)|^\s*\d|first|second|third|fourth|fifth|last|final/i,
      dayOfMonthRules,
    ),
    needing(PERIOD, [...weekRules, ...periodRules, ...wholePeriodRules]),
    needing(MORE_THAN_PLAIN, [
      ...holidays(isAmerican),
      feastsOfOtherCalendars,
      ...(isAmerican ? [] : [bankHolidays]),
      ...durationRules,
    ]),
    needing(NUMBER, [...clockTimeRules, ...spokenTimeRules]),
    ...partOfDayRules,
  ];
  const refiners = [
    dropTimesOffTheClock,
    yearsThatAreTimes,
    dropNumbersOfThings,
    ...(isAmerican ? [eveningsOnTwelveHours] : []),
    mergePieces(isSentence, isPlainFiller),
    dropNamedMeals,
    dropLooseHours,
    dropWhatLeadsNowhere,
  ];
  return {
    // "10.10" as a time and as a date.
    ...withDifferences([
      createGrammar([...rules, needing(/\d\.\d/, [looseDottedTimes])], refiners),
      createGrammar([...rules, needing(/\d\.\d/, [pairedDates])], refiners),
    ]),
    prepare: (text) => text,
    isFiller,
    canLeave: isSentenceAround,
    isNow,
    refusalOf,
    correctTypos: correctEnglish,
  };
}

/** Built at its first use only, because its patterns take milliseconds and memory. */
interface BuiltLater {
  words: ReadingWords;
  language: () => OtherLanguage;
}

const withGrammar = (words: EuropeanWords): BuiltLater => ({
  words,
  language: lazily(() => european(words)),
});

const LANGUAGES: Readonly<Record<string, BuiltLater>> = {
  ja: { words: JAPANESE_WORDS, language: lazily(japanese) },
  nl: withGrammar(DUTCH_WORDS),
  fr: withGrammar(FRENCH_WORDS),
  de: withGrammar(GERMAN_WORDS),
  it: withGrammar(ITALIAN_WORDS),
  pt: withGrammar(PORTUGUESE_WORDS),
  es: withGrammar(SPANISH_WORDS),
};

/** All languages that are read. */
export const LANGUAGE_CODES: readonly string[] = ['en', ...Object.keys(LANGUAGES)];

/** The words for lists, ranges and recurrences of a language. Defaults to English. */
export function readingWordsOf(code: string | undefined): ReadingWords {
  return LANGUAGES[code ?? 'en']?.words ?? ENGLISH_WORDS;
}

/** A pattern for the words of any language. */
export function inAnyLanguage(wordsOf: (words: ReadingWords) => string | undefined): string {
  return LANGUAGE_CODES.flatMap((code) => wordsOf(readingWordsOf(code)) ?? []).join('|');
}

/** The code of a language other than English: "de" for "de-DE", "pt" for "pt_BR". Undefined for an unknown language. */
export function languageCodeOf(locale: string): string | undefined {
  const code = /^[a-z]+/i.exec(locale)?.[0].toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, code) ? code : undefined;
}

/** The language of a locale, or English for an unknown language. */
export function languageOf(locale: string): Language {
  return otherLanguageOf(locale) ?? englishOf(locale);
}

/** The language of a locale other than English. Undefined for an unknown language. */
export function otherLanguageOf(locale: string): OtherLanguage | undefined {
  return LANGUAGES[languageCodeOf(locale) ?? '']?.language();
}

/** The language of a locale, and English, because people mix them. */
export function languagesOf(locale: string): readonly Language[] {
  const other = otherLanguageOf(locale);
  return other === undefined ? [englishOf(locale)] : [other, englishOf(locale)];
}

/** All languages other than English. */
export function languagesBesideEnglish(): readonly OtherLanguage[] {
  return Object.values(LANGUAGES).map(({ language }) => language());
}

/** The United States, its territories, and the Philippines. */
const AMERICAN = /^en(?:-(?:US|PR|GU|VI|AS|MP|UM|PH))?$/i;

const american = english(true);
const british = english(false);

/** English with the feasts of the locale's region. */
export function englishOf(locale: string): Language {
  return AMERICAN.test(locale.replace('_', '-')) ? american : british;
}
