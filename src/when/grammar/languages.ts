import { dutch } from './dutch/dutch.ts';
import { english } from './english/english.ts';
import { european } from './european/european.ts';
import { french } from './french/french.ts';
import { german } from './german/german.ts';
import { italian } from './italian/italian.ts';
import { japanese } from './japanese/japanese.ts';
import type { Language } from './language.ts';
import { portuguese } from './portuguese/portuguese.ts';
import { spanish } from './spanish/spanish.ts';

/** How each language is built, at its first use only: its patterns take milliseconds and memory. */
const BUILDERS: Readonly<Record<string, () => Language>> = {
  ja: japanese,
  nl: () => european(dutch),
  fr: () => european(french),
  de: () => european(german),
  it: () => european(italian),
  pt: () => european(portuguese),
  es: () => european(spanish),
};

const built = new Map<string, Language>();

/** The language of a locale such as "de-DE" or "pt_BR", other than English; undefined for one that is not known. */
export function languageOf(locale: string): Language | undefined {
  const code = /^[a-z]+/i.exec(locale)?.[0].toLowerCase() ?? '';
  const known = built.get(code);
  if (known !== undefined) return known;
  const language = Object.hasOwn(BUILDERS, code) ? BUILDERS[code]?.() : undefined;
  if (language !== undefined) built.set(code, language);
  return language;
}

/** All languages other than English. */
export function allLanguages(): readonly Language[] {
  return Object.keys(BUILDERS)
    .map(languageOf)
    .filter((language) => language !== undefined);
}

/** Regions that write the month first (CLDR): the United States, its territories, and the Philippines. */
const MONTH_FIRST = /^en(?:-(?:US|PR|GU|VI|AS|MP|UM|PH))?$/i;

const monthFirst = inBothDots(false);
const dayFirst = inBothDots(true);

function inBothDots(isDayFirst: boolean) {
  return {
    times: english({ dayFirst: isDayFirst, dots: 'times' }),
    dates: english({ dayFirst: isDayFirst, dots: 'dates' }),
  };
}

/** The two that take "10.10" as a time and as a date, in the order of day and month that the locale's region writes. */
export function englishGrammars(locale: string) {
  return MONTH_FIRST.test(locale.replace('_', '-')) ? monthFirst : dayFirst;
}
