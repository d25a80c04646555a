import { normalizeUnicode } from '../normalize-text.ts';
import { capitalize, joinWithAnd } from '../words.ts';

/** The name of the app in Slack. People type it to invite the app to a channel. */
export const APP_NAME = 'Upnext';

/** Names that programs use: post.created, project_id, ADMIN, ScheduleDate. */
const PROGRAM_NAME = /^(?:[a-z]+(?:[._][a-z]+)+|[A-Z]{4,}(?:_[A-Z]+)*|[A-Za-z]*[a-z][A-Z][A-Za-z]*)$/;

/**
 * Renders a name from the service in words: "ScheduleDate" as "Schedule date", "project_id" as "Project", "ADMIN" as
 * "Admin". Returns other text unchanged, because people may have written it.
 */
export function renderNameInWords(name: string): string {
  if (!PROGRAM_NAME.test(name)) return name;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s._]/)
    .filter((word, index) => index === 0 || word !== 'id')
    .join(' ');
  return capitalize(words);
}

/** Joins names: "A, B and 4 more", with at most `max` names. */
export function joinNames(names: readonly string[], max: number, join = joinWithAnd): string {
  const hiddenCount = names.length - max;
  return join(hiddenCount > 0 ? [...names.slice(0, max), `${hiddenCount} more`] : names);
}

/** Normalizes a name for comparisons that ignore case, quotes, invisible characters and repeated spaces. */
export function normalizeName(name: string): string {
  return normalizeUnicode(name, 'NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * The Cyrillic and Greek letters that look like one Latin letter, with that letter: those of these scripts in
 * https://www.unicode.org/Public/security/latest/confusables.txt (UTS #39), besides letters that look like digits.
 */
const LATIN_LOOKS: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic.
    ...['АA', 'ВB', 'СC', 'ЕE', 'ԌG', 'НH', 'ІI', 'ӀI', 'ЈJ', 'КK', 'МM', 'ОO', 'РP', 'ЅS', 'ТT', 'ѴV', 'ԜW'],
    ...['ХX', 'УY', 'ҮY', 'Ьb', 'аa', 'сc', 'ԁd', 'еe', 'ҽe', 'һh', 'іi', 'јj', 'ӏl', 'оo', 'рp', 'ԛq', 'гr'],
    ...['ѕs', 'ѵv', 'ԝw', 'ѡw', 'хx', 'уy', 'үy'],
    // Greek.
    ...['ΑA', 'ΒB', 'ϹC', 'ΕE', 'ϜF', 'ΗH', 'ΙI', 'ͿJ', 'ΚK', 'ΜM', 'ϺM', 'ΝN', 'ΟO', 'ΡP', 'ΤT', 'ΧX', 'ΥY'],
    ...['ΖZ', 'αa', 'ϲc', 'ιi', 'ϳj', 'οo', 'σo', 'ρp', 'υu', 'νv', 'γy'],
  ].map(([letter = '', latin = '']) => [letter, latin]),
);
const LOOKS_LATIN = new RegExp(`[${[...LATIN_LOOKS.keys()].join('')}]`, 'gu');

/**
 * Normalizes a name for the question whether another looks the same: with Latin letters for those of other scripts that
 * look like them, and without fillers, which have no look. Accents are letters of their own while these are replaced.
 */
export const normalizeLook = (name: string) =>
  normalizeName(
    normalizeUnicode(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''), 'NFKD').replace(
      LOOKS_LATIN,
      (letter) => LATIN_LOOKS.get(letter) ?? letter,
    ),
  );

/** Maximum length of the words that are searched for, because they are looked for in thousands of texts. */
const MAX_SEARCH_LENGTH = 200;

/**
 * Creates a function that tells whether a text contains all the words, in any order. Only the beginning of a longer
 * search counts.
 */
export function createWordSearch(words: string): (text: string) => boolean {
  const wanted = [...new Set(normalizeName(words.slice(0, MAX_SEARCH_LENGTH)).split(' '))];
  // Normalizing all texts takes longer than everything else.
  if (wanted.join('') === '') return () => true;
  return (text) => {
    const normalizedText = normalizeName(text);
    return wanted.every((word) => normalizedText.includes(word));
  };
}
