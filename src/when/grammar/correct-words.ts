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
    const near = meant.filter((each) => isSlip(word, plain(each), ending));
    const [only] = near;
    if (only === undefined || near.length > 1) return written;
    const right = /^\p{Lu}/u.test(written) ? only.replace(/^./u, (first) => first.toUpperCase()) : only;
    corrections.push({ written, meant: right });
    return right;
  });
  return { text: corrected, corrections };
}

function isSlip(word: string, known: string, ending: RegExp): boolean {
  return isOneLetterOff(word, known) && !(ending.test(word) && isDeclined(word, known));
}

function isDeclined(word: string, known: string): boolean {
  const isAdded = word.length === known.length + 1 && word.startsWith(known);
  const isChanged = word.length === known.length && word.slice(0, -1) === known.slice(0, -1);
  return isAdded || isChanged;
}

/** Notes for people about the corrections. */
export function correctionNotes({ corrections }: Corrected): readonly string[] {
  return corrections.map(({ written, meant }) => `“${written}” was read as “${meant}”.`);
}

/** Whether one letter of the word is missing, added or wrong, or two neighbours are swapped. */
export function isOneLetterOff(word: string, known: string): boolean {
  const apart = word.length - known.length;
  if (word === known || Math.abs(apart) > 1) return false;
  const start = sameLetters(word, known);
  const [rest, knownRest] = [word.slice(start), known.slice(start)];
  if (apart === 1) return rest.slice(1) === knownRest;
  if (apart === -1) return rest === knownRest.slice(1);
  if (rest.slice(1) === knownRest.slice(1)) return true;
  return rest[0] === knownRest[1] && rest[1] === knownRest[0] && rest.slice(2) === knownRest.slice(2);
}

function sameLetters(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
