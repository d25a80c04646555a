/** The marks that may follow a letter, except the one that ends a run: U+034F, COMBINING GRAPHEME JOINER. */
const MARK = String.raw`[[\p{M}\uff9e\uff9f]--\u034f]`;

/**
 * A run of as many marks as the Stream-Safe Text Format permits, before another one. Longer runs are in no language:
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const FULL_RUN = new RegExp(`${MARK}{30}(?=${MARK})`, 'gv');

/**
 * UTF-16 units by which a compatibility form may be more than twice as long as the text. Single characters become up to
 * eighteen (https://www.unicode.org/faq/normalization.html), but no text in use is full of them.
 */
const MAX_EXPANSION = 32;

/**
 * Normalizes any text in linear time. Everything in src that normalizes text from outside calls this function, because
 * String.prototype.normalize sorts runs of marks in quadratic time: 200,000 marks take a minute. As the Stream-Safe Text
 * Format prescribes, a joiner breaks up each longer run.
 */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  const normalized = text.replace(FULL_RUN, '$&\u034f').normalize(form);
  return form.startsWith('NFK') ? normalized.slice(0, 2 * text.length + MAX_EXPANSION) : normalized;
}
