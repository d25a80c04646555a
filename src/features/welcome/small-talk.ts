/** The words after a greeting: "hi there", "hello Upnext", "hallo zusammen". */
const ADDRESSEES =
  'there|upnext|all|everyone|everybody|team|zusammen|an alle|à tous|a todos|a tutti|allemaal';

/** Everyday greetings in the languages in which people may also write times. */
const GREETINGS = [
  'hello|hi+|hey+|hiya|howdy|(?:good )?(?:morning|afternoon|evening)',
  'hallo|hallöchen|moin(?: moin)?|servus|grüß (?:gott|dich)|grüezi|guten (?:morgen|tag|abend)',
  'bonjour|bonsoir|salut|coucou',
  '¡?hola|buenas|buen día|buenos días|buenas (?:tardes|noches)',
  'olá|ola|oi|bom dia|boa (?:tarde|noite)',
  'ciao|salve|buongiorno|buonasera',
  'hoi|goede ?(?:morgen|middag|navond|dag)',
  'こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして',
];

const THANKS = [
  'thanks?|thank you|thx|ty|cheers|much appreciated|many thanks',
  'danke|dankeschön|danke (?:schön|sehr|dir|euch)|vielen dank|besten dank',
  'merci|merci (?:beaucoup|bien)|mille mercis',
  '¡?gracias|¡?(?:muchas|mil) gracias',
  'obrigad[oa]|muito obrigad[oa]|valeu',
  'grazie|grazie (?:mille|tante)|tante grazie',
  'dank ?je|dank ?je ?wel|bedankt|dank u(?: wel)?',
  '(?:どうも)?ありがとう(?:ございます|ございました)?|どうも',
];

/** Punctuation, emoji, and emoji as Slack writes them, such as ":wave:". */
const ENDING = String.raw`(?:[\s!.,;~。！、…]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|️|:[\w+-]+:)*`;

const GREETING_PATTERN = new RegExp(
  `^(?:${GREETINGS.join('|')})(?:[\\s,、]+(?:${ADDRESSEES}))?${ENDING}$`,
  'iu',
);
const THANKS_PATTERN = new RegExp(
  `^(?:${THANKS.join('|')})(?:[\\s,]+(?:you|so much|very much|a lot|a million|again|${ADDRESSEES}))*${ENDING}$`,
  'iu',
);

/** Matches whole lines that are only a greeting or thanks. */
export const SMALL_TALK = new RegExp(`${GREETING_PATTERN.source}|${THANKS_PATTERN.source}`, 'iu');

/** Classifies a line that `SMALL_TALK` matches. Undefined for all other text. */
export function classifySmallTalk(text: string): 'greeting' | 'thanks' | undefined {
  if (GREETING_PATTERN.test(text)) return 'greeting';
  return THANKS_PATTERN.test(text) ? 'thanks' : undefined;
}
