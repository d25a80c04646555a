/** The marks that may follow a letter, except the one that ends a run: U+034F, COMBINING GRAPHEME JOINER. */
const MARK = String.raw`[[\p{M}\uff9e\uff9f]--\u034f]`;

/**
 * A run of as many marks as the Stream-Safe Text Format permits, before another one. Longer runs are in no language:
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const LONGEST_RUN = new RegExp(`${MARK}{30}(?=${MARK})`, 'gv');

/**
 * Normalizes any text in linear time. Everything in src that normalizes text from outside calls this function, because
 * String.prototype.normalize sorts runs of marks in quadratic time: 200,000 marks take a minute. As the Stream-Safe Text
 * Format prescribes, a joiner breaks up each longer run.
 */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONGEST_RUN, '$&\u034f').normalize(form);
}
