/** The text without accents, letter for letter: people leave them out, so nothing is told by them. */
export function withoutAccents(text: string): string {
  return text.replaceAll(/[\u00c0-\u024f]/gu, (letter) => letter.normalize('NFD').slice(0, 1));
}

const UMLAUTS: Readonly<Record<string, string>> = {
  ä: '(?:a|ae)',
  ö: '(?:o|oe)',
  ü: '(?:u|ue)',
  ß: '(?:ß|ss)',
};

/** A pattern, written as the language is, for text without accents: a blank stands for a blank or a hyphen. */
export function spelled(pattern: string): string {
  const umlauts = pattern.replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter);
  return withoutAccents(umlauts).replaceAll(' ', '[\\s-]');
}
