const MONDAY = 1;

const known = new Map<string, number>();

/** The ISO weekday on which weeks begin in the locale (CLDR's weekInfo): Sunday in the United States; else Monday. */
export function firstWeekday(locale: string): number {
  const before = known.get(locale);
  if (before !== undefined) return before;
  const day = readFirstDay(locale);
  known.set(locale, day);
  return day;
}

function readFirstDay(locale: string): number {
  try {
    const info: unknown = Reflect.get(new Intl.Locale(locale.replaceAll('_', '-')), 'weekInfo');
    const day: unknown =
      typeof info === 'object' && info !== null ? Reflect.get(info, 'firstDay') : undefined;
    return typeof day === 'number' ? day : MONDAY;
  } catch {
    return MONDAY;
  }
}
