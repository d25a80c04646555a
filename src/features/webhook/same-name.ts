/**
 * Whether somebody typed a project's name: case counts, since two projects may differ by it alone; what cannot be seen
 * or typed does not (invisible characters, the width of blanks, the quotes that phones put in, how accents are built).
 */
export function isSameName(typed: string, name: string): boolean {
  return plain(typed) !== '' && plain(typed) === plain(name);
}

/** True for a name of which nothing can be typed. */
export function cannotBeTyped(name: string): boolean {
  return plain(name) === '';
}

function plain(words: string): string {
  return words
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}
