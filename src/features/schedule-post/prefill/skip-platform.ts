import { findEverywhere, joinNames, translatePlatformWords } from '../../../posts/platforms.ts';
import { type MomentReader, skipDraft } from './line-names.ts';
import { isOtherNetwork, LIST_SUFFIX, ONLY_WORD, parsePlatformWord } from './platform-words.ts';

const LEADING_PLATFORM = /^(?:(?:on|to|via|and|&|\+)\s+)?([^\s,，、。「『]+)/i;

/** After a name, what shows that it begins no sentence of its own language: "金曜9時 X 投票まであと1日". */
const BEFORE_JAPANESE = /^(?:[「『]|\s+(?=\S*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]))/u;

/** Where a platform may stand. Each defaults to false. */
interface Place {
  /** After another one, where a conjunction may come first. */
  isFurther?: boolean;
  /** In a line, whose first word has a capital in any case. */
  isStart?: boolean;
  /** After a time. */
  isTimed?: boolean;
  /** After a comma. */
  isCell?: boolean;
  /** Whether a name with a capital is one, although it may begin a sentence. */
  takesCapital?: boolean;
}

/** Skips the platforms and "draft" at the start of a text, which may be the first words of the text instead. */
export function skipUncertainNames(text: string, momentReader: MomentReader): string {
  let rest = text;
  for (;;) {
    const place = { isFurther: rest !== text, takesCapital: true };
    const next = skipDraft(rest) ?? skipPlatform(rest, momentReader, place);
    if (next === undefined) return rest;
    rest = next.replace(/^[\s,;，、。]+/, '');
  }
}

/** Skips "everywhere" before a time or after one, unless a sentence goes on: "everywhere you look". */
function skipEverywhere(text: string, momentReader: MomentReader, isTimed: boolean): string | undefined {
  const everywhere = findEverywhere(text);
  if (everywhere?.index !== 0) return undefined;
  const rest = text.slice(everywhere.end);
  if (!/^(?:$|[\s,，、])/.test(rest)) return undefined;
  if (isTimed) return /^\p{Lu}/u.test(text) || /^\s+\p{Ll}/u.test(rest) ? undefined : rest;
  const next = momentReader.findLeadingMoments(rest.replace(/^[\s,]+/, ''), false);
  return next?.said?.saysHour && next.rest === '' ? rest : undefined;
}

/** Skips a platform, and "only" before or after it: "only on x", "X only". */
export function skipPlatform(
  text: string,
  momentReader: MomentReader,
  place: Place = {},
): string | undefined {
  const [first = ''] = text.split(/\s/, 1);
  const { isFurther = false, isTimed = false } = place;
  const isOnly = isTimed && !isFurther && first === first.toLowerCase() && ONLY_WORD.test(first);
  const rest = skipBarePlatform(isOnly ? text.slice(first.length).trimStart() : text, momentReader, {
    ...place,
    ...(isOnly && { takesCapital: true }),
  });
  if (isOnly) return rest !== undefined && /^(?:[\s,]*$|,|\s+\p{Lu})/u.test(rest) ? rest : undefined;
  const [only = ''] = /^\s+[^\s,]+(?=\s*(?:$|,)|\s+\p{Lu})/u.exec(rest ?? '') ?? [];
  return only !== '' && ONLY_WORD.test(only.trim()) ? rest?.slice(only.length) : rest;
}

/** Skips a platform with the words before and after it. Also skips an unknown platform if no text can follow it. */
function skipBarePlatform(
  text: string,
  momentReader: MomentReader,
  { isFurther = false, isStart = false, isTimed = false, isCell = false, takesCapital = false }: Place = {},
): string | undefined {
  const everywhere = skipEverywhere(text, momentReader, isTimed);
  if (everywhere !== undefined) return everywhere;
  const english = translatePlatformWords(text, momentReader.locale, isFurther);
  const joined = joinNames(english.replace(/^and\s+(?=(?:on|to|via)\s)/i, isFurther ? '' : '$&'));
  const match = LEADING_PLATFORM.exec(joined);
  const [matchText = '', name = ''] = match ?? [];
  const rest = joined.slice(matchText.length);
  // "Tomorrow 9am, x. We are live".
  const word = (isTimed || isFurther || isStart) && /^\s+\p{Lu}/u.test(rest) ? name.replace(/\.$/, '') : name;
  const [nextWord = ''] = rest.trim().split(/\s/);
  const [previousWord] = matchText.split(/\s/);
  const hasPrefix = matchText !== name;
  // "9am x On LinkedIn we wrote about this", unlike "9am x On LinkedIn: Hi".
  if (isFurther && isTimed && /^\p{Lu}\p{Ll}+\s/u.test(text) && /^\s+\p{Ll}/u.test(rest)) return undefined;
  // A capitalized name without "on" begins a sentence: "Instagram is down", unlike "Instagram, X friday 10am" and "Xで".
  const mayBeSentence = !hasPrefix && !takesCapital && !/[a-z][でに]$/i.test(word);
  if (mayBeSentence && word !== word.toLowerCase()) {
    const next = () => skipUncertainNames(rest.replace(/^[\s,，、]+/, ''), momentReader);
    const saysHour = () => momentReader.findLeadingMoments(next(), false)?.said?.saysHour === true;
    const isBeforeText = !isStart && (BEFORE_JAPANESE.test(rest) || (!isTimed && rest.trim() === ''));
    const isOnly = ONLY_WORD.test(rest.trim());
    // "Friday 9am. X, LinkedIn. We are live" and "9am, X, We are live", unlike "9am X, LinkedIn and more".
    const end = isCell ? /[.,]\s*$/ : /\.\s*$/;
    const isEnded = () =>
      isTimed && /^[^\p{Ll}]/u.test(next()) && end.test(joined.slice(0, joined.length - next().length));
    if (!isBeforeText && !isOnly && !isEnded() && (isTimed || !saysHour())) return undefined;
  }
  if (parsePlatformWord(word, previousWord, nextWord, false)) {
    const [suffix = ''] = LIST_SUFFIX.exec(nextWord) ?? [];
    return suffix === '' ? rest : rest.trimStart().slice(suffix.length);
  }
  // In another language, the word before it may as well begin a text: "et voilà", "on recrute".
  const isOwnWord = english !== text || (momentReader.locale?.startsWith('fr') && /^on\s/i.test(text));
  const isLast = rest.trim() === '';
  const mayBeUnknown = isStart || !/^\p{Lu}/u.test(text) || (isLast && isOtherNetwork(word));
  const isUnknown =
    hasPrefix &&
    !isOwnWord &&
    mayBeUnknown &&
    (isOtherNetwork(word) || isLast) &&
    !momentReader.isMoment(word);
  return isUnknown ? rest : undefined;
}
