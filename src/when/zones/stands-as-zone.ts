const DAY =
  'today|tonight|tomorrow|tmrw?|tom|week|month|year|day|eve|christmas|easter|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|\\d{1,2}(?:st|nd|rd|th)';
const PART =
  'noon|midday|midnight|morning|afternoon|evening|night|lunch(?:time)?|eod|eob|cob|cop|business|play';
const NUMBER = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty';
const FIGURES = '\\d[\\d:.h]*\\s?(?:[ap]\\.?\\s?m\\.?|[ap]|h|hrs|hours)?';

/** What a zone follows: "monday 9am Berlin", "at five Pacific", "noon in London". */
const AFTER_TIME = new RegExp(
  `(?:^|[^a-z0-9])(?:${FIGURES}|o['’]?\\s?clock|ish|sharp|hundred|[ap]\\.?m\\.?|${DAY}|${PART}|${NUMBER})[\\s,.:;/–-]*$`,
  'i',
);

/** What may come after it: the rest of the moment, what joins it or ends it; never the rest of a title. */
const BEFORE_REST = new RegExp(
  `^[\\s,.:;!?)\\]/–-]*(?:$|\\d|@|(?:${DAY}|${PART}|${NUMBER}|at|on|from|to|by|around|about|this|next|the|a|in|and|or|then|half|quarter|every|each|daily|end|start|beginning|first|last|early|late|please|pls|thanks|sharp)\\b)`,
  'i',
);

/** No title leads to it: "Berlin 9am", "(PT) monday 9am". */
const LEADS = /^[\s([,:@-]*(?:please\s+)?(?:at\s+|on\s+)?$/i;

const MARKED_BEFORE = /[([]\s*$/;
const MARKED_AFTER = /^(?:['’]s)?(?:\s+local)?\s+time\b/i;

/**
 * Whether a name from `start` to `end` of an English text says whose clock is meant, and is no part of a title:
 * "9am Berlin", "Berlin, tomorrow 9am", "noon (Berlin)", "Berlin time"; not "Berlin office tour 9am".
 */
export function standsAsZone(text: string, { start, end }: { start: number; end: number }): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (MARKED_BEFORE.test(before) || MARKED_AFTER.test(after)) return true;
  const plain = before.replace(/\bin\s+(?:the\s+)?$/i, '');
  return (AFTER_TIME.test(plain) || LEADS.test(plain)) && BEFORE_REST.test(after);
}
