import fc from 'fast-check';
import { DUTCH_WORDS } from '../../../src/when/grammar/languages/dutch.ts';
import { FRENCH_WORDS } from '../../../src/when/grammar/languages/french.ts';
import { GERMAN_WORDS } from '../../../src/when/grammar/languages/german.ts';
import { ITALIAN_WORDS } from '../../../src/when/grammar/languages/italian.ts';
import { PORTUGUESE_WORDS } from '../../../src/when/grammar/languages/portuguese.ts';
import { SPANISH_WORDS } from '../../../src/when/grammar/languages/spanish.ts';
import { anyText } from '../any-text.ts';

/** Lists the words in the patterns of a vocabulary, such as "in", "einer" and "Woche". */
function listWords(vocabulary: object): readonly string[] {
  return [...new Set(JSON.stringify(vocabulary).match(/[\p{L}']+/gu) ?? [])];
}

const JAPANESE =
  '今日 明日 あした あさって 今週 来週 再来週 来月 今月末 月曜日 火曜 げつようび (金) 第2 の に は と から まで 毎週 午前 午後 朝 夜 正午 3月 25日 十 二十 一 時 9時 半 30分 分前 過ぎ 後 前 あと 今から 2時間 3日後 令和 元 年 2027年 大晦日 クリスマス イブ 元日 成人の日 投稿して ください 、 。 か、 または'.split(
    ' ',
  );

const WORDS: Readonly<Record<string, readonly string[]>> = {
  de: listWords(GERMAN_WORDS.grammar),
  fr: listWords(FRENCH_WORDS.grammar),
  es: listWords(SPANISH_WORDS.grammar),
  nl: listWords(DUTCH_WORDS.grammar),
  pt: listWords(PORTUGUESE_WORDS.grammar),
  it: listWords(ITALIAN_WORDS.grammar),
  ja: JAPANESE,
};

export const LANGUAGES: readonly string[] = Object.keys(WORDS);

const NUMBERS =
  '9 9h 14:30 8.30 15. 3/4 12-11 24.12. 2027 2099 31/12/9999 31.12.9999 31-12-9999 9999年12月31日 99999999 1er 2º ½ 0 31 1h30 ca. - – , . ( ) / : + @'.split(
    ' ',
  );

/**
 * Creates random texts, up to slightly longer than the limit: words of a language with numbers and punctuation,
 * repeated words, and other random texts.
 */
export function createTextArbitrary(language: string): fc.Arbitrary<string> {
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(WORDS[language] ?? [])) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  );
  const separator = fc.constantFrom(' ', ' ', '', ', ', '-', '. ');
  const mixedText = fc
    .array(fc.tuple(word, separator), { maxLength: 60 })
    .map((pairs) => pairs.flat().join('').slice(0, 200));
  const repetition = fc
    .array(fc.tuple(word, separator), { minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.flat().join('').repeat(200).slice(0, 200));
  return fc.oneof(
    { weight: 3, arbitrary: mixedText },
    { weight: 3, arbitrary: repetition },
    { weight: 1, arbitrary: anyText },
  );
}
