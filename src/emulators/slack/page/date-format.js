/** Cached, because creating a formatter takes longer than drawing a message, and a channel needs only a few. */
const FORMATS = new Map();

/**
 * @param {string} locale
 * @param {string} timeZone
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {Intl.DateTimeFormat}
 */
export function getDateFormat(locale, timeZone, options) {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const known = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  FORMATS.set(key, known);
  return known;
}
