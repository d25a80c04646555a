import type { Parser } from 'chrono-node';
import { type DateTime, Duration } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { feasts } from './feasts.ts';
import type { Lexicon } from './lexicon.ts';
import { spelled } from './spelling.ts';
import { wordList } from './word-list.ts';

/** Days by their names: "heute", "après-demain", weekdays with their weeks, feasts. */
export function dayRules(lexicon: Lexicon): Parser[] {
  return [dayNames(lexicon), feasts(lexicon), weekdays(lexicon), weekThenWeekday(lexicon), ends(lexicon)];
}

function dayNames({ words }: Lexicon): Parser {
  const days = wordList(words.days);
  return rule(`(?<name>${days.pattern})`, ({ name }, today): Meaning | undefined => {
    const day = days.meaningOf(name);
    if (day === undefined) return undefined;
    return {
      ...dateOf(today.plus({ days: day.ahead })),
      isNamedDay: true,
      ...(day.ahead === 0 && { isToday: true }),
      ...(day.part !== undefined && { part: day.part }),
    };
  });
}

/** "nächsten Montag", "mardi prochain", "lunes de esta semana", "lundi en huit", "Montagabend". */
function weekdays({ words, weekdays: names }: Lexicon): Parser {
  const before = wordList(words.weekdayBefore);
  const after = wordList(words.weekdayAfter);
  const weeks = wordList(words.weeks);
  const plus = wordList(words.weekdayPlus);
  const parts = wordList(words.partsOfWeekday);
  const joiners = `(?:(?:${spelled(words.of)})\\s)?`;
  return rule(
    `(?:(?<before>${before.pattern})\\s)?(?<day>${names.pattern})\\.?(?:\\s?(?<part>${parts.pattern}))?(?:,?\\s(?:(?<after>${after.pattern})|${joiners}(?<week>${weeks.pattern})|(?<plus>${plus.pattern})))?`,
    (found) => {
      const weekday = names.meaningOf(found.day);
      const week =
        weeks.meaningOf(found.week) ?? before.meaningOf(found.before) ?? after.meaningOf(found.after);
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

/** "nächste Woche Montag", "próxima semana el martes". */
function weekThenWeekday({ words, weekdays: names }: Lexicon): Parser {
  const weeks = wordList(words.weeks);
  return rule(
    `(?<week>${weeks.pattern}),?\\s(?:(?:${spelled(words.dayMarker)}|${spelled(words.of)})\\s)?(?<day>${names.pattern})\\.?`,
    ({ week, day }) => {
      const weekday = names.meaningOf(day);
      const choice = weeks.meaningOf(week);
      return weekday === undefined || choice === undefined ? undefined : { weekday, week: choice };
    },
  );
}

/** "Ende des Monats", "fin de mes". */
function ends({ words }: Lexicon): Parser {
  const periods = wordList(words.ends);
  return rule(`(?<end>${periods.pattern})`, ({ end }, today) => {
    const period = periods.meaningOf(end);
    if (period === undefined) return undefined;
    return dateOf(today.plus({ [`${period.unit}s`]: period.ahead }).endOf(period.unit));
  });
}

export function dateOf(date: DateTime): Meaning {
  return { year: date.year, month: date.month, day: date.day };
}
