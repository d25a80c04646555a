import { DateTime, Duration } from 'luxon';
import { comingDate, feastDay } from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning } from '../piece.ts';
import { numberedWeeks, type Rule, rule } from '../rule.ts';
import { type Edge, group, LETTER, type Lexicon, wordList, wordRule } from './vocabulary.ts';

/** Days by their names: "heute", "après-demain", weekdays, feasts. */
export function days(lexicon: Lexicon): Rule[] {
  return [
    weekdaysBeside(lexicon),
    daysBeside(lexicon),
    dayNames(lexicon),
    feasts(lexicon),
    weekdays(lexicon),
    workingDays(lexicon),
    ...partsOfDay(lexicon),
  ];
}

function dayNames({ words }: Lexicon): Rule {
  const days = wordList(words.days);
  const plus = wordList(words.weekdayPlus);
  return rule(
    `(?<name>${days.pattern})(?:\\s(?<plus>${plus.pattern}))?`,
    ({ name, plus: added }, today): Meaning | undefined => {
      const day = days.meaningOf(name);
      if (day === undefined) return undefined;
      const later = plus.meaningOf(added);
      const date = today.plus({ days: day.ahead }).plus(Duration.fromISO(later ?? 'PT0S'));
      return {
        ...dateOf(date),
        isNamedDay: true,
        ...(day.ahead === 0 && later === undefined && { isToday: true }),
        ...(day.part !== undefined && { part: day.part }),
      };
    },
  );
}

/** "nächsten Montag", "mardi prochain", "lundi en huit", "in zwei Wochen am Montag", "Montagabend". */
function weekdays({ words, weekdays: names }: Lexicon): Rule {
  const before = wordList(words.weekdayBefore);
  const after = wordList(words.weekdayAfter);
  const plus = wordList(words.weekdayPlus);
  const parts = wordList(words.partsOfWeekday);
  return rule(
    `(?:(?<before>${before.pattern})\\s|(?<ahead>${plus.pattern})\\s(?:${group(words.dayMarker)}\\s)?)?(?<day>${names.pattern})\\.?(?:\\s?(?<part>${parts.pattern}))?(?:,?\\s(?:(?<after>${after.pattern})|(?<plus>${plus.pattern})))?`,
    (found) => {
      const weekday = names.meaningOf(found.day);
      const ahead = plus.meaningOf(found.ahead);
      const week =
        ahead === undefined
          ? (before.meaningOf(found.before) ?? after.meaningOf(found.after))
          : { ahead: Duration.fromISO(ahead).as('weeks') };
      const part = parts.meaningOf(found.part);
      const later = plus.meaningOf(found.plus);
      if (weekday === undefined) return undefined;
      return {
        weekday,
        ...(week !== undefined && { week }),
        ...(part !== undefined && { part }),
        ...(later !== undefined && { plus: Duration.fromISO(later) }),
      };
    },
  );
}

/** "in 3 Werktagen", "volgende werkdag". */
function workingDays({ words, number, numberOf }: Lexicon): Rule {
  const next = wordList(words.weekdayBefore.filter(([, week]) => week === 'next' || week === 'coming'));
  return rule(
    `(?:${group(words.durationBefore)}\\s(?<count>\\d{1,2}|${number})|${next.pattern})\\s${group(words.workingDay)}`,
    ({ count }, today) => ({
      ...dateOf(today),
      beside: { weekday: 'working', count: count === undefined ? 1 : (numberOf(count) ?? 1), way: 'after' },
    }),
  );
}

/** "le lundi après Noël", "il secondo martedì dopo Pasqua": before a feast or a date in figures. */
function weekdaysBeside({ words, weekdays: names, ordinal, dayOf }: Lexicon): Rule {
  const day = `(?:${wordList(words.feasts).pattern}|\\d{1,2}[\\s./])`;
  const next = `(?=\\s(?:(?:${group(words.of)}|${group(words.dayMarker)})\\s?)?${day})`;
  return rule(
    `(?:(?<nth>${ordinal})\\s)?(?<weekday>${names.pattern})\\s(?:(?<after>${group(words.dayAfter)})|${group(words.dayBefore)})${next}`,
    ({ nth, weekday, after }) => {
      const named = names.meaningOf(weekday);
      if (named === undefined) return undefined;
      const count = nth === undefined ? 1 : (dayOf(nth) ?? 1);
      return { beside: { weekday: named, count, way: after === undefined ? 'before' : 'after' } };
    },
  );
}

/** "le lendemain de Noël". */
function daysBeside({ words }: Lexicon): Rule {
  const after = `(?=\\s)(?!\\s${group(words.at)}\\s?\\d)`;
  return wordRule(words.daysBeside, (duration) => ({ plus: Duration.fromISO(duration) }), { after });
}

/** "Heiligabend", "lundi de Pâques 2027", "Koningsdag". */
function feasts({ words }: Lexicon): Rule {
  const days = wordList(words.feasts);
  const years = wordList(words.years);
  const parts = wordList(words.parts);
  const atPart = new RegExp(`^(?<part>${parts.pattern})\\s(?:${group(words.of)}\\s)`, 'i');
  const year = `(?<year>20\\d\\d)(?!\\d|[:.]\\d|\\s?${group(words.hourUnit)})`;
  return rule(
    `(?<name>${days.pattern})(?:,?\\s(?:${group(words.of)}\\s)?(?:${year}|(?<named>${years.pattern})))?`,
    ({ name, year: figures, named }, today) => {
      const feast = days.meaningOf(name);
      const ahead = years.meaningOf(named);
      const inYear = ahead === undefined ? figures && Number(figures) : today.year + ahead;
      const day = feast && feastDay(feast, today, inYear || undefined);
      const part = parts.meaningOf(atPart.exec(name ?? '')?.groups?.part);
      return day && { ...day, isNamedDay: true, ...(part !== undefined && { part }) };
    },
  );
}

/** Parts of the day: "am Abend", "de la tarde", "ce soir", "tard". */
function partsOfDay({ words, weekdays }: Lexicon): Rule[] {
  return [
    wordRule(words.parts, (part) => ({ part })),
    wordRule(words.partsOfToday, (part, today) => ({ ...dateOf(today), isToday: true, part })),
    wordRule(words.partsOfWeekday, (part) => ({ part }), { before: `(?<=${weekdays.pattern}\\s)` }),
    rule(group(words.late), () => ({ edge: 'late' })),
  ];
}

/** Weeks, months and years, their beginnings and ends, and weekends. */
export function periods(lexicon: Lexicon): Rule[] {
  return [...wholePeriods(lexicon), ...edges(lexicon), weekends(lexicon)];
}

/** "nächste Woche", "KW 7", "nächsten Monat", "nächstes Jahr": each joins a day on either side. */
function wholePeriods({ words }: Lexicon): Rule[] {
  const before = `(?:${group(words.of)}\\s)?`;
  const unit = `(?![:.,]?\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  return [
    wordRule(words.weeks, (week) => ({ week }), { before }),
    numberedWeeks(`${before}${group(words.calendarWeek)}\\s?`, `(?:[\\s/](?<year>20\\d\\d))?${unit}`),
    // "Le 1er du mois", typed on the 20th, is in the next month.
    wordRule(words.ofMonths, (ahead, today) => (ahead === 0 ? {} : monthAhead(today, ahead)), { before }),
    wordRule(words.years, (ahead, today) => ({ year: today.year + ahead }), { before }),
  ];
}

function monthAhead(today: DateTime, months: number): Meaning {
  const { year, month } = today.startOf('month').plus({ months });
  return { year, month };
}

/** "Monatsende", "Mitte nächster Woche", "Anfang Dezember". */
function edges({ words, months: names }: Lexicon): Rule[] {
  const edge = wordList(words.edges);
  const [weeks, months, years] = [wordList(words.weeks), wordList(words.ofMonths), wordList(words.years)];
  const of = `(?:${group(words.of)}\\s)?`;
  return [
    wordRule(words.ends, (unit, today) => dateOf(today.endOf(unit))),
    rule(
      `(?<edge>${edge.pattern})[\\s-]${of}(?:(?<week>${weeks.pattern})|(?<month>${months.pattern})|(?<year>${years.pattern}))`,
      (found, today) => {
        const at = edge.meaningOf(found.edge);
        const week = weeks.meaningOf(found.week);
        const [month, year] = [months.meaningOf(found.month), years.meaningOf(found.year)];
        if (at === undefined) return undefined;
        if (month !== undefined) {
          const date = edgeOf('month', today.plus({ months: month }), at);
          // "Début de mois", typed on the 20th, is in the next month.
          return dateOf(date < today ? edgeOf('month', today.plus({ months: month + 1 }), at) : date);
        }
        if (year !== undefined) return dateOf(edgeOf('year', today.plus({ years: year }), at));
        const weekday = { start: 1, middle: 3, end: FRIDAY }[at];
        return week === undefined ? undefined : { weekday, week };
      },
    ),
    rule(
      `(?<edge>${edge.pattern})[\\s-]${of}(?<month>${names.pattern})\\.?(?:\\s(?<year>20\\d\\d)(?![:.]?\\d))?`,
      (found, today) => {
        const at = edge.meaningOf(found.edge);
        const month = names.meaningOf(found.month);
        if (at === undefined || month === undefined) return undefined;
        const named = found.year === undefined ? undefined : Number(found.year);
        const date = comingDate(today, named, (year) => edgeOf('month', DateTime.utc(year, month), at));
        return date && dateOf(date);
      },
    ),
  ];
}

const FRIDAY = 5;

function edgeOf(unit: 'month' | 'year', day: DateTime, at: Edge): DateTime {
  const start = day.startOf(unit);
  if (at === 'end') return day.endOf(unit);
  if (at === 'start') return start;
  return start.plus(unit === 'month' ? { days: 14 } : { months: 6 });
}

/** "ce week-end": Saturday or Sunday. */
function weekends({ words }: Lexicon): Rule {
  return wordRule(words.weekends, (weeks, today) => {
    const saturday = today.startOf('week').plus({ days: 5, weeks });
    const sunday = saturday.plus({ days: 1 });
    return saturday < today ? dateOf(sunday) : eitherDateOf(saturday, [sunday]);
  });
}
