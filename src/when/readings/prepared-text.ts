import { correctionNotes } from '../grammar/correct-words.ts';
import { correctEnglish } from '../grammar/english/correct-typos.ts';
import { spellOut } from '../grammar/english/spell-out.ts';
import { languageOf } from '../grammar/languages.ts';
import { tidyText } from '../tidy-text.ts';

/** The text as all readings take it: tidy, and where it is English alone, with its short forms spelled out. */
export function preparedText(text: string, locale: string): string {
  const tidy = tidyText(text);
  return languageOf(locale) === undefined ? oneByOne(spellOut(tidy)) : tidy;
}

/** "Mornings" is every morning. */
function oneByOne(text: string): string {
  return text.replaceAll(/\b(?:in the )?(morning|afternoon|evening|night)s\b/gi, 'every $1');
}

/** The text with its slips put right, and what was read as what; undefined where there are none. */
export function withoutSlips(
  prepared: string,
  locale: string,
): { text: string; notes: readonly string[] } | undefined {
  const corrected = languageOf(locale)?.correctTypos(prepared) ?? correctEnglish(prepared);
  if (corrected.corrections.length === 0) return undefined;
  return { text: corrected.text, notes: correctionNotes(corrected) };
}
