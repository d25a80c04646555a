/**
 * The holidays of each month: "25 burns night" is on the 25th. Days of the Western and Eastern churches, of the United
 * Nations (un.org/en/observances), of the United States (5 U.S.C. § 6103 and 36 U.S.C. chapter 1, Cal. Gov. Code § 6721)
 * and of other countries, and days that people keep without a law. The Eastern churches' are those until 2100.
 */
const MONTHS = [
  `1 new year's day|new year; 5 twelfth night; 6 epiphany|three kings' day; 7 orthodox christmas;
   14 orthodox new year; 25 burns night; 26 australia day; 28 data privacy day`,
  `2 candlemas|groundhog day; 4 world cancer day; 6 waitangi day; 12 lincoln's birthday|darwin day;
   13 galentine's day|world radio day; 14 valentine's day|valentine's|v-day|st valentine's day; 29 leap day`,
  `1 st david's day|zero discrimination day; 3 world wildlife day; 8 international women's day|women's day;
   14 white day|pi day; 15 ides of march; 17 st patrick's day|st paddy's day; 20 international day of happiness;
   21 world poetry day; 22 world water day; 25 lady day; 27 world theatre day;
   31 transgender day of visibility|trans day of visibility`,
  `1 april fool's day|april fool's; 2 world autism awareness day; 7 world health day;
   21 world creativity and innovation day; 22 earth day; 23 st george's day|world book day; 25 anzac day;
   27 king's day; 30 walpurgis night|international jazz day`,
  `1 workers' day|international workers' day|loyalty day|may day|mayday; 3 world press freedom day;
   4 star wars day; 5 cinco de mayo; 8 ve day; 9 europe day; 12 international nurses day;
   15 international day of families; 18 international museum day; 20 world bee day; 21 international tea day;
   22 harvey milk day; 25 towel day; 31 world no tobacco day`,
  `1 children's day|international children's day; 3 world bicycle day; 5 world environment day; 6 d-day;
   8 world oceans day|world ocean day; 14 world blood donor day|flag day; 19 juneteenth; 20 world refugee day;
   21 world music day|international yoga day; 24 midsummer's day; 30 social media day`,
  `1 canada day; 7 world chocolate day; 12 orangemen's day; 14 bastille day; 17 world emoji day; 18 mandela day;
   30 friendship day`,
  `8 international cat day; 12 international youth day|youth day; 15 feast of the assumption|assumption day;
   19 world photography day; 26 international dog day`,
  `8 literacy day|international literacy day; 11 patriot day; 17 constitution day; 19 talk like a pirate day;
   21 international day of peace|world peace day; 27 world tourism day; 29 michaelmas|world heart day;
   30 day for truth and reconciliation|truth and reconciliation day`,
  `1 international coffee day|world vegetarian day; 3 german unity day|day of german unity; 4 world animal day;
   5 world teachers' day|teachers' day; 10 world mental health day;
   11 coming out day|international day of the girl; 16 world food day; 24 united nations day;
   31 halloween|hallowe'en|all hallows' eve`,
  `1 all saints' day|world vegan day; 2 day of the dead|dia de los muertos|all souls' day;
   5 guy fawkes|guy fawkes night|guy fawkes day|bonfire night;
   11 veterans' day|armistice day|remembrance day|singles' day; 13 world kindness day; 14 world diabetes day;
   19 international men's day|men's day; 20 world children's day; 21 world television day; 30 st andrew's day`,
  `1 world aids day; 5 international volunteer day; 6 st nicholas' day; 7 pearl harbor day;
   8 immaculate conception; 10 human rights day; 13 st lucy's day; 24 christmas eve|xmas eve;
   25 christmas|christmas day|xmas|x-mas|xmas day; 26 st stephen's day|boxing day|kwanzaa;
   31 new year's eve|nye|hogmanay`,
];

/** Month and day of each name. */
export const FIXED_HOLIDAYS: ReadonlyMap<string, readonly [number, number]> = new Map(
  MONTHS.flatMap((days, index) =>
    days.split(/;\s+/).flatMap((entry) => {
      const [, day, names = ''] = /^(\d+)\s+(.*)$/s.exec(entry) ?? [];
      return names
        .split('|')
        .map((name) => [name.replaceAll(/\s+/g, ' '), [index + 1, Number(day)]] as const);
    }),
  ),
);

/** Names with another date, or none, outside the United States. */
export const AMERICAN_HOLIDAYS = new Map([['independence day', [7, 4]]] as const);
