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
  const words = text.replace(/(?<=\d)(?=[½¼¾])/g, ' ').replace(EMOJI_CODE, ' ');
  return (/[^\0-\x7f]/.test(words) ? inPlainCharacters(words) : words)
    .replaceAll('`', "'")
    .replace(MARKUP, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The same words with ASCII characters in place of others that mean the same. ASCII alone has none of these. */
function inPlainCharacters(text: string): string {
  return text
    .replace(EMOJI, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .replace(INVISIBLE, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[•·]/g, ' ')
    .replace(/[‘’ʼ´]/g, "'");
}

const COURTESY =
  "pl(?:ea)?[sz]e?|thx|thanks|thank you|ty|cheers|bitte|danke|svp|stp|s'il (?:te|vous) plaît|merci|porfa(?:vor|plis)?|por favor|pfv?r?|sff|gracias|obrigad[oa]|blz|vlw|per favore|perfavore|pf|grazie|aub|alsjeblieft|alstublieft|graag|bedankt|お願い(?:いた)?します|よろしく";
const GREETING = 'hi|hey|hello|hallo|moin|hoi|hola|salut|bonjour|ciao|oi|olá|yo';
const AROUND = new RegExp(
  `^(?:${GREETING})(?:\\s+(?:all|team|zusammen|à tous|a tutti))?\\s*[,!]\\s*|(?:[\\s,!.?&+]+(?:and\\s+)?(?:${COURTESY}))+[\\s!.?]*$`,
  'giu',
);

/** The text without a greeting before it and thanks after it, in any language that is read. */
export function stripCourtesy(text: string): string {
  return text.replace(AROUND, '').trim() || text;
}

/** 2017 to 2033: other ten figures in a row are a telephone's. */
const SECONDS = /^@?(?<seconds>1[5-9]\d{8})(?:\d{3}|\.\d{1,6})?$/;

/** "1800000000", with milliseconds or a fraction too, as logs and Slack's own addresses write a moment. */
export function unixTime(text: string): Date | undefined {
  const seconds = SECONDS.exec(text)?.groups?.seconds;
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}
