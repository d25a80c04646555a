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

/** 2017 to 2033: other ten figures in a row are a telephone's. */
const SECONDS = /^@?(?<seconds>1[5-9]\d{8})(?:\d{3}|\.\d{1,6})?$/;

/** "1800000000", with milliseconds or a fraction too, as logs and Slack's own addresses write a moment. */
export function unixTime(text: string): Date | undefined {
  const seconds = SECONDS.exec(text)?.groups?.seconds;
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}
