/** Quotes around words, Slack's marks for bold and slanted ones, and "+" in "mon+wed"; not the inches and seconds of 1". */
const MARKUP =
  /(?<![\p{L}\p{N}])[*_"“”«»„]+(?=[\p{L}\p{N}])|(?<=[\p{L}.!?)]|:\d\d)[*_"“”«»]+(?![\p{L}\p{N}])|(?<=\p{L}{2}\.?)\+(?=\p{L}{2})/gu;

/** Quotes round the whole text. */
const QUOTED =
  /^\s*(?:["“„](?<words>[^"“”„]+)["”“]|['‚](?<words>[^']+)'|«(?<words>[^«»]+)»|‹(?<words>[^‹›]+)›|»(?<words>[^«»]+)«|「(?<words>[^「」]+)」|『(?<words>[^『』]+)』)(?<end>[.!?。]?)\s*$/u;

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
    .replace(
      /(?<=\d)::(?=[0-5]\d)|(?<=(?<!\d)(?:1?\d|2[0-3]));(?=(?:00|[3-5]\d)(?:\s?(?:[ap]\.?m|uhr|h)(?!\p{L})|$))/giu,
      ':',
    )
    .replace(QUOTED, '$<words>$<end>')
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
    .replace(/[•·⋅]/g, ' ')
    .replace(/[‘’ʼ´]/g, "'");
}

const COURTESY =
  "pl(?:ea)?[sz]e?|thx|thanks|thank you|ty|cheers|bitte|danke|svp|stp|s'il (?:te|vous) plaît|merci|porfa(?:vor|plis)?|por favor|pfv?r?|sff|gracias|obrigad[oa]|blz|vlw|per favore|perfavore|pf|grazie|aub|alsjeblieft|alstublieft|graag|bedankt|お願い(?:いた)?します|よろしく";
const GREETING = 'hi|hey|hello|hallo|moin|hoi|hola|salut|bonjour|ciao|oi|olá|yo';
/** What a form or a brief writes before a time. */
const LABEL =
  'date|time|day|when|datum|zeit|termin|wann|quand|cu[aá]ndo|fecha|quando|data|wanneer|tijd|日時|日付';
const AROUND = new RegExp(
  `^(?:(?:${GREETING})(?:\\s+(?:all|team|zusammen|à tous|a tutti))?\\s*[,!]|(?:${LABEL})\\s?:)\\s*|(?:[\\s,!.?&+]+(?:and\\s+)?(?:${COURTESY}))+[\\s!.?]*$`,
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

/** A text without typos, and the corrections. */
export interface Corrected {
  text: string;
  corrections: readonly { written: string; meant: string }[];
}

interface Words {
  /** The words that a typo can mean. */
  meant: readonly string[];
  /** Whether a word is no typo. */
  isWord: (plain: string) => boolean;
  /** The word in small letters, and without accents in languages whose accents people omit. */
  plain: (word: string) => string;
  /** Endings of declined words: "Montage", "domingos" and "matinal" are no typos. */
  ending: RegExp;
}

/** Shorter words are too similar to other words. */
const SHORTEST = 5;

/** Corrects words that are one letter off exactly one known word. */
export function correctWords(text: string, { meant, isWord, plain, ending }: Words): Corrected {
  const corrections: { written: string; meant: string }[] = [];
  const corrected = text.replaceAll(/[\p{L}']+/gu, (written) => {
    const word = plain(written);
    if (word.length < SHORTEST || isWord(word)) return written;
    const near = meant.filter((each) => {
      const known = plain(each);
      const start = word.slice(0, -1);
      const isDeclined = start === known || (word.length === known.length && start === known.slice(0, -1));
      return isOneLetterOff(word, known) && !(ending.test(word) && isDeclined);
    });
    const [only] = near;
    if (only === undefined || near.length > 1) return written;
    const right = /^\p{Lu}/u.test(written) ? only.replace(/^./u, (first) => first.toUpperCase()) : only;
    corrections.push({ written, meant: right });
    return right;
  });
  return { text: corrected, corrections };
}

/** Notes for people about the corrections. */
export function correctionNotes({ corrections }: Corrected): readonly string[] {
  return corrections.map(({ written, meant }) => `“${written}” was read as “${meant}”.`);
}

/** Whether one letter of the word is missing, added or wrong, or two neighbours are swapped. */
export function isOneLetterOff(word: string, known: string): boolean {
  const apart = word.length - known.length;
  if (word === known || Math.abs(apart) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const [rest, knownRest] = [word.slice(start), known.slice(start)];
  if (apart === 1) return rest.slice(1) === knownRest;
  if (apart === -1) return rest === knownRest.slice(1);
  if (rest.slice(1) === knownRest.slice(1)) return true;
  return rest[0] === knownRest[1] && rest[1] === knownRest[0] && rest.slice(2) === knownRest.slice(2);
}
