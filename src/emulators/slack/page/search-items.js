/**
 * The items whose words fit what was typed, best first: those that begin with it, then those with a word that begins
 * with it, then those that contain it, then (from three letters on, or everything would) those that hold its letters in
 * order. The given order decides among equals.
 * @template T
 * @param {readonly T[]} items
 * @param {string} typed
 * @param {(item: T) => string} wordsOf
 * @returns {T[]}
 */
export function searchItems(items, typed, wordsOf) {
  const wanted = normalizeText(typed.trim());
  if (wanted === '') return [...items];
  return items
    .map((item) => ({ item, rank: rankMatch(normalizeText(wordsOf(item)), wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const NO_MATCH = 4;

/**
 * @param {string} words
 * @param {string} wanted
 */
function rankMatch(words, wanted) {
  if (words.startsWith(wanted)) return 0;
  const at = words.indexOf(wanted);
  if (at > 0) return /[\s/_(-]/.test(words.charAt(at - 1)) ? 1 : 2;
  return wanted.length >= 3 && hasLettersInOrder(words, wanted) ? 3 : NO_MATCH;
}

/**
 * @param {string} words
 * @param {string} wanted
 */
function hasLettersInOrder(words, wanted) {
  let at = -1;
  for (const letter of wanted.replaceAll(' ', '')) {
    at = words.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * Lower case and without accents: "sao" finds "São Paulo".
 * @param {string} text
 */
const normalizeText = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
