import { DateTime } from 'luxon';
import { wordList } from '../european/vocabulary.ts';
import {
  comingDate,
  type Feast,
  feastDay,
  feastOn,
  isWeekend,
  movingFeasts,
  namedDays,
  workingDay,
} from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning, periodOf } from '../piece.ts';
import { beginningsIn, type Groups, needing, type Rules, rule } from '../rule.ts';
import { yearOf } from './dates.ts';
import { closest } from './days.ts';
import { WEEKDAY, weekdayOf } from './vocabulary.ts';

/**
 * Days of the Western and Eastern churches (the Eastern until 2100), of the United Nations (un.org/en/observances), of
 * the United States (5 U.S.C. § 6103 and 36 U.S.C. chapter 1, Cal. Gov. Code § 6721) and of other countries, and days
 * that people keep without a law.
 */
export const HOLIDAYS = [
  ...namedDays(`01-01 new year's day|new year; 01-06 epiphany|three kings' day; 01-07 orthodox christmas;
   01-14 orthodox new year; 01-25 burns night; 01-26 australia day; 01-28 data privacy day;
   02-02 candlemas|groundhog day; 02-04 world cancer day; 02-06 waitangi day; 02-12 lincoln's birthday|darwin day;
   02-13 galentine's day|galentine's|world radio day; 02-14 valentine's day|valentine's|v-day|st valentine's day;
   02-29 leap day;
   03-01 st david's day|zero discrimination day; 03-03 world wildlife day;
   03-08 international women's day|women's day; 03-14 white day|pi day; 03-15 ides of march;
   03-17 st patrick's day|st paddy's day|st patty's day; 03-20 international day of happiness; 03-21 world poetry day;
   03-22 world water day; 03-25 lady day; 03-27 world theatre day;
   03-31 transgender day of visibility|trans day of visibility;
   04-01 april fool's day|april fool's; 04-02 world autism awareness day; 04-07 world health day;
   04-21 world creativity and innovation day; 04-22 earth day; 04-23 st george's day|world book day;
   04-25 anzac day; kingsDay king's day; 04-30 walpurgis night|international jazz day;
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
   12-31 new year's eve|nye|hogmanay; ashWednesday ash wednesday; palmSunday palm sunday;
   shroveTuesday shrove tuesday|fat tuesday|mardi gras|pancake day|pancake tuesday;
   maundyThursday maundy thursday|holy thursday; goodFriday good friday; holySaturday holy saturday|easter saturday;
   easter easter|easter day|easter sunday; easterMonday easter monday; ascension ascension day;
   whitSunday pentecost|whit sunday|whitsun; whitMonday whit monday; trinitySunday trinity sunday;
   corpusChristi corpus christi; thanksgiving thanksgiving|thanksgiving day; blackFriday black friday;
   cyberMonday cyber monday; firstAdvent advent sunday|first advent|first sunday of advent;
   secondAdvent second sunday of advent; thirdAdvent third sunday of advent;
   fourthAdvent fourth sunday of advent; motheringSunday mothering sunday;
   orthodoxEaster orthodox easter|greek easter; orthodoxEaster+1 orthodox easter monday;
   orthodoxEaster-2 orthodox good friday`),
  // The United States: 5 U.S.C. § 6103; 36 U.S.C. § 104 (a proclamation of 1950), § 109, § 117 and § 125.
  ...namedDays(`01-third-monday martin luther king day|martin luther king jr day|mlk day;
    02-third-monday presidents' day|washington's birthday; 05-last-monday memorial day;
    09-first-monday labor day; 10-second-monday columbus day|indigenous peoples' day;
    05-third-saturday armed forces day; 06-third-sunday father's day;
    09-first-monday+6 grandparents' day; taxDay tax day; inaugurationDay inauguration day`),
  // 2 U.S.C. § 7: the Tuesday next after the first Monday in November.
  ...namedDays('11-first-monday+1 election day'),
  // The Arbor Day Foundation's, and most states'. The second Sunday in February: the National Football League's, since 2022.
  ...namedDays(`04-last-friday arbor day;
    02-second-sunday super bowl|super bowl sunday|superbowl|superbowl sunday`),
  // Counted from Thanksgiving: the National Retail Federation's, American Express's and GivingTuesday's.
  ...namedDays(`thanksgiving+1 native american heritage day;
    thanksgiving+2 small business saturday; thanksgiving+5 giving tuesday`),
  // Canada (Holidays Act, R.S.C. 1985, c. H-5) and its provinces.
  ...namedDays(`victoriaDay victoria day; 10-second-monday canadian thanksgiving;
    02-third-monday family day; 08-first-monday civic holiday`),
  // Banking and Financial Dealings Act 1971, and gov.uk/bank-holidays: England and Wales.
  ...namedDays(`05-first-monday early may bank holiday|may day bank holiday; 05-first-monday/05-last-monday may bank holiday;
    05-last-monday spring bank holiday|late may bank holiday;
    08-last-monday summer bank holiday|august bank holiday|late summer bank holiday`),
  // As the Cenotaph's service is held. Melbourne's race: Public Holidays Act 1993, Victoria.
  ...namedDays('11-second-sunday remembrance sunday; 11-first-tuesday melbourne cup day'),
  // As their founders have set them: days of trades.
  ...namedDays(`05-first-thursday world password day; 06-first-friday national donut day;
    07-last-friday sysadmin day|system administrator appreciation day;
    10-first-friday world smile day; programmersDay programmers' day|day of the programmer`),
  // Days that planners post for: of the National PTA and the NEA (the first full week of May), the International Association
  // of Administrative Professionals (the last full week of April), the American Nurses Association, the International Ice
  // Cream Association (Proclamation 5219), Insafe (Safer Internet Day), and of trades and founders.
  ...namedDays(`05-first-sunday+2 teacher appreciation day|national teachers' day; 05-06 national nurses day;
    04-last-saturday-3 administrative professionals' day; 03-first-friday employee appreciation day; 10-16 boss's day;
    09-29 national coffee day; 07-third-sunday national ice cream day; 02-09 national pizza day; 04-07 national beer day;
    08-first-friday international beer day; 05-25 national wine day; 10-28 national chocolate day; 12-04 national cookie day;
    04-11 national pet day; 03-23 national puppy day; 08-26 national dog day; 10-29 national cat day; 03-31 world backup day;
    02-second-tuesday safer internet day; 02-17 random acts of kindness day; 06-08 national best friends day`),
];

const AMERICAN = namedDays(
  "07-04 independence day; 05-second-sunday mother's day; 09-first-monday labour day",
);

/** In other countries, either of two days. Their days of independence have other names. */
const ELSEWHERE = namedDays(
  "motheringSunday/05-second-sunday mother's day; 05-01/09-first-monday labour day",
);

/** "New year's" is the day or the eve. */
const NEW_YEARS = feastOn('01-01/12-31');

const MONDAY = 1;
const SATURDAY = 6;

/** "christmas eve", "next easter", "black friday 2027", "valentine's day next year", "new years". */
export function holidays(isAmerican: boolean): Rules {
  const days = wordList(
    [...HOLIDAYS, ...(isAmerican ? AMERICAN : ELSEWHERE)].flatMap(([names, feast]) =>
      names.split('|').map((name) => [patternOf(name), feast] as const),
    ),
  );
  const readName = (
    { lead, before, name, eve, newYears, year, which = lead }: Groups,
    today: DateTime,
  ): Meaning | undefined => {
    if (newYears !== undefined) {
      const meaning = year === undefined ? feastDay(NEW_YEARS, today, undefined) : undefined;
      if (meaning === undefined) return undefined;
      // Today's hour may be over.
      const isToday = today.month === 1 && today.day === 1;
      const others = [...(meaning.otherDates ?? []), ...(isToday ? [today.plus({ years: 1 })] : [])];
      return withoutPast({ ...meaning, otherDates: others }, before);
    }
    const feast = days
      .meaningOf(name)
      ?.map((inYear) => (eve === undefined ? inYear : (each: number) => inYear(each)?.minus({ days: 1 })));
    const named = yearOf({ year, which }, today);
    const found = feast && feastDay(feast, today, named);
    if (found === undefined) return undefined;
    const meaning = withoutPast(found, before);
    // "Next christmas" before christmas can be this year's or next year's.
    const isEitherYear = meaning.year === today.year && before === 'next' && named === undefined;
    const [inYear, ...others] = feast ?? [];
    if (!isEitherYear || inYear === undefined || others.length > 0) return meaning;
    const later = comingDate(DateTime.utc(today.year + 1), undefined, inYear);
    return later && { ...meaning, otherDates: [later] };
  };
  const named = rule(
    `(?:(?<lead>this|next)\\syear(?:'s|,)?\\s(?:on\\s)?)?(?:(?<before>this(?:\\scoming)?|next|(?:the\\s)?(?:coming|upcoming)|the)\\s)?(?:(?<name>${days.pattern})|(?<newYears>new\\syear'?s))(?<eve>\\seve(?!\\sof))?(?!\\sday\\b)(?:,?\\s(?:of\\s|in\\s)?(?<year>\\d{4})(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?:of\\s)?(?<which>this|next)\\syear)?(?<weekend>\\sweek-?end(?:,?\\s(?:on\\s)?(?<day>${WEEKDAY}))?)?`,
    ({ weekend, day, ...words }, today) => {
      const meaning = readName(words, today);
      if (meaning === undefined) return undefined;
      return weekend === undefined ? { ...meaning, isNamedDay: true } : inWeekend(meaning, weekdayOf(day));
    },
  );
  return [needing({ test: beginningsIn(days.pattern) }, [named])];
}

/** "Next halloween" isn't last year's. */
function withoutPast({ pastDates, ...coming }: Meaning, before = ''): Meaning {
  return pastDates === undefined || /next|this|coming/.test(before) ? coming : { ...coming, pastDates };
}

/** "Memorial day weekend": the weekend closest to the day, or the weekday beside it. */
function inWeekend({ year, month, day }: Meaning, weekday: number | undefined): Meaning {
  const date = DateTime.fromObject({ year, month, day }, { zone: 'utc' });
  if (weekday !== undefined) return dateOf(closest(date, weekday));
  const saturday = closest(date, SATURDAY);
  const sunday = saturday.plus({ days: 1 });
  return { ...periodOf(saturday, [sunday]), lastDay: sunday };
}

/** "presidents day", "president's day", "mother day": the s and the apostrophe wherever people write them. */
function patternOf(name: string): string {
  return (
    name
      .replace(/^st /, '(?:st\\.?|saint) ')
      .replaceAll(/'s?|s'?(?= |$)/g, "(?:'?s'?)?")
      .replace("hallow(?:'?s'?)?een", 'halloween')
      // The only part of three letters, by which `beginningsIn` finds it.
      .replace("x-ma(?:'?s'?)?", 'x-mas')
      .replace(/^international /, "int(?:ernational|'?l) ")
  );
}

const EASTER = feastOn('goodFriday/easterMonday');

/** New Year's Day, Christmas Day and Boxing Day have substitutes after a weekend. */
const BANK_HOLIDAYS: Feast = [
  ...feastOn('goodFriday/easterMonday/05-first-monday/05-last-monday/08-last-monday'),
  (year) => workingDay(DateTime.utc(year - 1, 12, 31), 1, 1, isWeekend),
  (year) => workingDay(DateTime.utc(year, 12, 24), 1, 1),
  (year) => workingDay(DateTime.utc(year, 12, 24), 1, 2),
];

/** "the next bank holiday", "bank holiday monday", "easter bank holiday": England and Wales (gov.uk/bank-holidays). */
export const bankHolidays = rule(
  '(?:the\\s)?(?:(?<easter>easter)\\s|(?<before>next|coming|upcoming|this|following)\\s)?bank\\sholiday(?<monday>\\smonday)?(?!\\s(?:weekend|week))',
  ({ easter, before, monday }, today) => {
    const days = [today.year - 1, today.year, today.year + 1]
      .flatMap((year) => (easter === undefined ? BANK_HOLIDAYS : EASTER).map((inYear) => inYear(year)))
      .filter((day) => day !== undefined)
      .filter((day) => monday === undefined || day.weekday === MONDAY)
      .toSorted((a, b) => a.toMillis() - b.toMillis());
    const [first, second] = days.filter((day) => day >= today);
    // "Easter bank holiday" before Easter is its Friday or its Monday.
    const isEither = easter !== undefined && first?.weekday !== MONDAY;
    if (isEither) return first && eitherDateOf(first, second === undefined ? [] : [second]);
    const pastDates = before === undefined ? days.filter((day) => day < today).slice(-1) : [];
    return first && { ...dateOf(first), isNamedDay: true, pastDates };
  },
);

/** "Eid" alone is the next of the two. */
const MOVING_FEASTS = wordList(
  movingFeasts(`hebrew:Adar.14 purim; hebrew:Nisan.15 passover|pesach; hebrew:Iyar.18 lag\\sb[a']{0,2}omer;
    hebrew:Sivan.6 shavuot; hebrew:Av.9 tisha\\sb'?av; hebrew:Tishri.1 rosh\\shashanah?;
    hebrew:Tishri.10 yom\\skippur; hebrew:Tishri.15 sukkot; hebrew:Tishri.23 simchat\\storah;
    hebrew:Kislev.25 c?hann?uk+ah?; hebrew:Shevat.15 tu\\sb[i']?she?vat;
    persian:1.1 now?ruz|persian\\snew\\syear; islamic:9.1 ramadh?an|ramzan;
    islamic:10.1 eid[\\s-](?:al|ul)[\\s-]?fitr; islamic:12.10 eid[\\s-](?:al|ul)[\\s-]?a[dz]h?a;
    islamic:1.1 (?:islamic|hijri|muslim)\\snew\\syear; islamic:10.1/12.10 eid(?:\\smubarak)?;
    islamic:1.10 ashura; islamic:3.12 mawlid|milad[\\s-]un[\\s-]nabi; chineseNewYear chinese\\snew\\syear;
    lunarNewYear lunar\\snew\\syear; lanternFestival lantern\\sfestival;
    qingming qing\\s?ming(?:\\sfestival)?|tomb[\\s-]sweeping; dragonBoatFestival dragon\\sboat\\sfestival;
    midAutumnFestival (?:mid[\\s-]?autumn|moon|mooncake)\\sfestival;
    doubleNinthFestival (?:double\\s(?:ninth|nine)|chongyang)\\sfestival;
    diwali diwali|divali|deepavali|dipavali; holi holi; dussehra dussehra|dusshera|dasara|vijayadashami;
    navratri nava?ratri|nava?rathri; rakshaBandhan raksha\\sbandhan; ganeshChaturthi ganesh\\schaturthi;
    janmashtami (?:krishna\\s)?janmashtami; shivaratri (?:maha\\s)?shivaratri|maha\\sshivratri;
    ramNavami rama?\\snavami; guruNanakJayanti guru\\snanak\\sjayanti|gurpurab; onam onam; pongal pongal`),
);

/** Words before a feast: none, a preposition, or a time. "for" only at the beginning of the text. */
const BEFORE =
  '(?<=^[\\s(]*(?:for\\s)?|\\b(?:on|next|this|the|before|after|by|of|from)\\s|(?:\\d(?:\\s?[ap]\\.?m\\.?)?|\\b(?:noon|midday|midnight|morning|afternoon|evening|night)),?\\s)';
/** Words after a feast. Other words can make a place or an activity of it. */
const AFTER =
  '(?=[\\s)]*$|\\s?[,;.!?()@-]|\\s(?:at|by|around|about|from|in|on|please|noon|midday|midnight|morning|afternoon|evening|night|half|quarter|\\d))';

/** The days of a leap year of the Hebrew calendar. */
const LONGEST_YEAR = 385;

/** The next such day, including today, or the one in the named year. */
function feastFrom(
  today: DateTime,
  year: number | undefined,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  if (year === undefined) return firstFrom(today);
  const first = DateTime.utc(year);
  // A year can have two of them.
  return [today > first ? today : first, first].map(firstFrom).find((date) => date?.year === year);
}

/** The last such day that is over. A year can have two of them. */
function feastBefore(
  today: DateTime,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  let last: DateTime | undefined;
  let date = firstFrom(today.minus({ days: LONGEST_YEAR }));
  while (date !== undefined && date < today) {
    last = date;
    date = firstFrom(date.plus({ days: 1 }));
  }
  return last;
}

/**
 * "first day of hanukkah", "passover 2027", "eid al-fitr", "lunar new year's eve", "next diwali". Not names of people and
 * places ("lunch at Pongal House").
 */
export const feastsOfOtherCalendars = rule(
  `${BEFORE}(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:(?<before>the|next|this)\\s)?(?<name>${MOVING_FEASTS.pattern})(?:(?<eve>(?:'?s)?\\seve)|(?:'?s)?\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?<which>this|next)\\syear)?${AFTER}`,
  ({ before, name, eve, ...words }, today) => {
    const feast = MOVING_FEASTS.meaningOf(name);
    if (feast === undefined) return undefined;
    const ahead = { days: eve === undefined ? 0 : 1 };
    const firstFrom = (day: DateTime) => feast.firstFrom(day.plus(ahead))?.minus(ahead);
    const from = feast.isSeen === true ? today.minus({ days: 1 }) : today;
    const year = yearOf(words, from);
    const date = feastFrom(from, year, firstFrom);
    if (date === undefined) return undefined;
    const othersOf = (day: DateTime) => feast.othersOf(day.plus(ahead)).map((other) => other.minus(ahead));
    const meaning = eitherDateOf(date, othersOf(date));
    if (year !== undefined) return meaning;
    const pastDate = feastBefore(from, firstFrom);
    const pastDates = pastDate && [pastDate, ...othersOf(pastDate)];
    return pastDates === undefined ? meaning : withoutPast({ ...meaning, pastDates }, before);
  },
);
