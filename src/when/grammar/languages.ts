import { dutch } from './dutch/dutch.ts';
import { european } from './european/european.ts';
import { french } from './french/french.ts';
import { german } from './german/german.ts';
import { italian } from './italian/italian.ts';
import { japanese } from './japanese/japanese.ts';
import type { Language } from './language.ts';
import { portuguese } from './portuguese/portuguese.ts';
import { spanish } from './spanish/spanish.ts';

/** How each language is built, at its first use only: its patterns take milliseconds and memory. */
const BUILDERS: Readonly<Record<string, () => Language>> = {
  ja: japanese,
  nl: () => european(dutch),
  fr: () => european(french),
  de: () => european(german),
  it: () => european(italian),
  pt: () => european(portuguese),
  es: () => european(spanish),
};

const built = new Map<string, Language>();

/** The language of a locale such as "de-DE" or "pt_BR", other than English; undefined for one that is not known. */
export function languageOf(locale: string): Language | undefined {
  const code = /^[a-z]+/i.exec(locale)?.[0].toLowerCase() ?? '';
  const known = built.get(code);
  if (known !== undefined) return known;
  const language = Object.hasOwn(BUILDERS, code) ? BUILDERS[code]?.() : undefined;
  if (language !== undefined) built.set(code, language);
  return language;
}
