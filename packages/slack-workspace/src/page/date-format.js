/** Cached formatters, because creating one takes longer than drawing a message. */
const FORMATS = new Map();

/**
 * @param {string} locale
 * @param {string} timeZone
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {Intl.DateTimeFormat}
 */
export function getDateFormat(locale, timeZone, options) {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  FORMATS.set(key, format);
  return format;
}
