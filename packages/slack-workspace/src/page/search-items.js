/**
 * The items whose text matches the query, best matches first:
 * 1. The text starts with the query.
 * 2. A later word starts with it.
 * 3. The text contains it.
 * 4. The text contains its letters in order. Only for queries of three letters or more.
 *
 * Items with equal matches keep their order.
 * @template T
 * @param {readonly T[]} items
 * @param {string} query
 * @param {(item: T) => string} getText
 * @returns {T[]}
 */
export function searchItems(items, query, getText) {
  const normalizedQuery = normalizeText(query.trim());
  if (normalizedQuery === '') return [...items];
  return items
    .map((item) => ({ item, rank: rankMatch(normalizeText(getText(item)), normalizedQuery) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const NO_MATCH = 4;

/**
 * @param {string} text
 * @param {string} query
 */
function rankMatch(text, query) {
  if (text.startsWith(query)) return 0;
  const index = text.indexOf(query);
  if (index > 0) return /[\s/_(-]/.test(text.charAt(index - 1)) ? 1 : 2;
  return query.length >= 3 && hasLettersInOrder(text, query) ? 3 : NO_MATCH;
}

/**
 * @param {string} text
 * @param {string} query
 */
function hasLettersInOrder(text, query) {
  let index = -1;
  for (const letter of query.replaceAll(' ', '')) {
    index = text.indexOf(letter, index + 1);
    if (index < 0) return false;
  }
  return true;
}

/**
 * The text in lower case without accents, so that "sao" finds "São Paulo".
 * @param {string} text
 */
const normalizeText = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
