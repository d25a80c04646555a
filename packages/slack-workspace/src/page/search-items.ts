/**
 * The items whose text matches the query, best matches first:
 * 1. The text starts with the query.
 * 2. A later word starts with it.
 * 3. The text contains it.
 * 4. The text contains its letters in order. Only for queries of three letters or more.
 *
 * Items with equal matches keep their order.
 */
export function searchItems<T>(items: readonly T[], query: string, getText: (item: T) => string): T[] {
  const normalizedQuery = normalizeText(query.trim());
  if (normalizedQuery === '') return [...items];
  return items
    .map((item) => ({ item, rank: rankMatch(normalizeText(getText(item)), normalizedQuery) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const NO_MATCH = 4;

function rankMatch(text: string, query: string) {
  if (text.startsWith(query)) return 0;
  const index = text.indexOf(query);
  if (index > 0) return /[\s/_(-]/.test(text.charAt(index - 1)) ? 1 : 2;
  return query.length >= 3 && hasLettersInOrder(text, query) ? 3 : NO_MATCH;
}

function hasLettersInOrder(text: string, query: string) {
  let index = -1;
  for (const letter of query.replaceAll(' ', '')) {
    index = text.indexOf(letter, index + 1);
    if (index < 0) return false;
  }
  return true;
}

/** The text in lower case without accents, so that "sao" finds "São Paulo". */
const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
