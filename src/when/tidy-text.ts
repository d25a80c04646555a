/** Quotes around words, and Slack's marks for bold and slanted ones; not the inches and seconds of 1". */
const MARKUP =
  /(?<![\p{L}\p{N}])[*_"“”«»„]+(?=[\p{L}\p{N}])|(?<=[\p{L}.!?)]|:\d\d)[*_"“”«»]+(?![\p{L}\p{N}])/gu;

/** Slack's codes such as ":rocket:" and ":+1::skin-tone-2:", which no letter or figure touches: "9:30:00" isn't one. */
const EMOJI_CODE =
  /(?<![^\s:([])(?::[a-z+][\w'+-]*:)+(?![\p{L}\p{N}])|(?<=[\p{L}\p{N}.,!?)])(?::[a-z][\w'+-]*:)+(?=\s|$)/giu;

/** Emoji, their skin tones, and flags. */
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]/gu;

/** Invisible characters, and those that turn the one before them into an emoji: "9️⃣". */
const INVISIBLE = /\p{Cf}|\ufe0f|\u20e3/gu;

/** The same words with plain spaces, dashes and apostrophes, without emoji and invisible characters. */
export function tidyText(text: string): string {
  return text
    .replace(/(?<=\d)(?=[½¼¾])/g, ' ')
    .replace(EMOJI_CODE, ' ')
    .replace(EMOJI, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .replace(INVISIBLE, '')
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
