import { english } from './english.ts';

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
