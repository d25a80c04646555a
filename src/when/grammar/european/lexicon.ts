import {
  type EuropeanWords,
  group,
  inOrder,
  LETTER,
  type NamedUnit,
  spelled,
  wordList,
  yearParts,
} from './vocabulary.ts';

/** The compiled words of a language, shared by all its rules. */
export type Lexicon = ReturnType<typeof lexicon>;

export function lexicon(languageWords: EuropeanWords) {
  const { grammar: words, stretches, edges } = languageWords;
  const numbers = wordList(words.numbers);
  const ordinals = wordList(words.ordinals);
  const ending = spelled(words.ordinalEnding);
  const { nouns, weekendBegins = '(?!)', ofCalendar } = stretches;
  const endings = ofCalendar
    .filter(([template]) => template.startsWith('§'))
    .map(([template]) => template.slice(1));
  const figures = new RegExp(`^(\\d{1,2})(?:\\s?(?:${ending}))?$`, 'i');
  const numberOf = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : numbers.meaningOf(text);
  return {
    words,
    weekdays: wordList(inOrder(words.weekdays, 0)),
    months: wordList(inOrder(words.months, 1)),
    yearParts: wordList(yearParts(languageWords)),
    nouns,
    /** "After 17:00" is from then on, unlike "2 hours after 17:00". */
    from: `(?<!(?<!${LETTER})${wordList(words.units).pattern}\\s)${group(edges.after)}`,
    /** Patterns before and after the number of a week. */
    calendarWeek: stretches.calendarWeek.split('#').map(spelled),
    /** "Next week", "this year": how many are between it and the current one, which are none or more. */
    periods: perUnit((unit) =>
      wordList(
        ofCalendar
          .filter(([, ahead]) => ahead >= 0)
          .map(([template, ahead]) => [template.replace('§', nouns[unit]), ahead] as const),
      ),
    ),
    /** Patterns for "the week" and others, not followed by words that say which: "semana", but not "semana que viene". */
    openPeriods: perUnit((unit) =>
      spelled(
        `${unit === 'week' ? `(?<!${weekendBegins} )` : ''}${nouns[unit]}(?!${[' 20\\d\\d', ...endings].join('|')})(?!\\p{L})`,
      ),
    ),
    meridiem: meridiem(words.hasWordAm),
    /** Figures or words. */
    number: numbers.pattern,
    numberOf,
    /** "1er", "premier". */
    ordinal: `(?:\\d{1,2}\\s?(?:${ending})|${ordinals.pattern})`,
    /** The value of an ordinal or number. Undefined for neither. */
    dayOf: (text: string | undefined): number | undefined => {
      const figure = text === undefined ? undefined : figures.exec(text)?.[1];
      return figure === undefined ? (ordinals.meaningOf(text) ?? numbers.meaningOf(text)) : Number(figure);
    },
  };
}

/** "am", "p.m.", "a. m."; "9 am" with a blank only if "am" is no word of the language. */
function meridiem(hasWordAm = false): string {
  return `(?:(?<=\\d)[ap]m?|\\s?[ap]\\s?\\.\\s?m\\.?|\\s${hasWordAm ? 'p' : '[ap]'}m)(?!${LETTER})`;
}

/** Calls a function for each unit. */
function perUnit<Built>(build: (unit: NamedUnit) => Built): Readonly<Record<NamedUnit, Built>> {
  return { week: build('week'), month: build('month'), quarter: build('quarter'), year: build('year') };
}
