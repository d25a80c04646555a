import { onDates } from '../../feasts.ts';

/**
 * Days of the Western and Eastern churches (the Eastern until 2100), of the United Nations (un.org/en/observances), of
 * the United States (5 U.S.C. § 6103 and 36 U.S.C. chapter 1, Cal. Gov. Code § 6721) and of other countries, and days
 * that people keep without a law.
 */
export const FIXED_HOLIDAYS = onDates(
  `01-01 new year's day|new year; 01-05 twelfth night; 01-06 epiphany|three kings' day; 01-07 orthodox christmas;
   01-14 orthodox new year; 01-25 burns night; 01-26 australia day; 01-28 data privacy day;
   02-02 candlemas|groundhog day; 02-04 world cancer day; 02-06 waitangi day; 02-12 lincoln's birthday|darwin day;
   02-13 galentine's day|world radio day; 02-14 valentine's day|valentine's|v-day|st valentine's day;
   02-29 leap day;
   03-01 st david's day|zero discrimination day; 03-03 world wildlife day;
   03-08 international women's day|women's day; 03-14 white day|pi day; 03-15 ides of march;
   03-17 st patrick's day|st paddy's day; 03-20 international day of happiness; 03-21 world poetry day;
   03-22 world water day; 03-25 lady day; 03-27 world theatre day;
   03-31 transgender day of visibility|trans day of visibility;
   04-01 april fool's day|april fool's; 04-02 world autism awareness day; 04-07 world health day;
   04-21 world creativity and innovation day; 04-22 earth day; 04-23 st george's day|world book day;
   04-25 anzac day; 04-27 king's day; 04-30 walpurgis night|international jazz day;
   05-01 workers' day|international workers' day|loyalty day|may day|mayday; 05-03 world press freedom day;
   05-04 star wars day; 05-05 cinco de mayo; 05-08 ve day; 05-09 europe day; 05-12 international nurses day;
   05-15 international day of families; 05-18 international museum day; 05-20 world bee day;
   05-21 international tea day; 05-22 harvey milk day; 05-25 towel day; 05-31 world no tobacco day;
   06-01 children's day|international children's day; 06-03 world bicycle day; 06-05 world environment day;
   06-06 d-day; 06-08 world oceans day|world ocean day; 06-14 world blood donor day|flag day; 06-19 juneteenth;
   06-20 world refugee day; 06-21 world music day|international yoga day; 06-24 midsummer's day;
   06-30 social media day;
   07-01 canada day; 07-07 world chocolate day; 07-12 orangemen's day; 07-14 bastille day; 07-17 world emoji day;
   07-18 mandela day; 07-30 friendship day;
   08-08 international cat day; 08-12 international youth day|youth day;
   08-15 feast of the assumption|assumption day; 08-19 world photography day; 08-26 international dog day;
   09-08 literacy day|international literacy day; 09-11 patriot day; 09-17 constitution day;
   09-19 talk like a pirate day; 09-21 international day of peace|world peace day; 09-27 world tourism day;
   09-29 michaelmas|world heart day; 09-30 day for truth and reconciliation|truth and reconciliation day;
   10-01 international coffee day|world vegetarian day; 10-03 german unity day|day of german unity;
   10-04 world animal day; 10-05 world teachers' day|teachers' day; 10-10 world mental health day;
   10-11 coming out day|international day of the girl; 10-16 world food day; 10-24 united nations day;
   10-31 halloween|hallowe'en|all hallows' eve;
   11-01 all saints' day|world vegan day; 11-02 day of the dead|dia de los muertos|all souls' day;
   11-05 guy fawkes|guy fawkes night|guy fawkes day|bonfire night;
   11-11 veterans' day|armistice day|remembrance day|singles' day; 11-13 world kindness day;
   11-14 world diabetes day; 11-19 international men's day|men's day; 11-20 world children's day;
   11-21 world television day; 11-30 st andrew's day;
   12-01 world aids day; 12-05 international volunteer day; 12-06 st nicholas' day; 12-07 pearl harbor day;
   12-08 immaculate conception; 12-10 human rights day; 12-13 st lucy's day; 12-24 christmas eve|xmas eve;
   12-25 christmas|christmas day|xmas|x-mas|xmas day; 12-26 st stephen's day|boxing day|kwanzaa;
   12-31 new year's eve|nye|hogmanay`,
);
