/** Quotes around words, and Slack's marks for bold and slanted ones; not the inches and seconds of 1". */
const MARKUP =
  /(?<![\p{L}\p{N}])[*_"“”«»„]+(?=[\p{L}\p{N}])|(?<=[\p{L}.!?)]|:\d\d)[*_"“”«»]+(?![\p{L}\p{N}])/gu;

/** The same words with plain blanks, dashes and apostrophes, and nothing invisible between them. */
export function tidyText(text: string): string {
  return text
    .replace(/(?<=\d)(?=[½¼¾])/g, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[•·]/g, ' ')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(MARKUP, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
