/** Cached formatters, because creating one takes longer than drawing a message. */
const FORMATS = new Map();

export function getDateFormat(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  FORMATS.set(key, format);
  return format;
}
