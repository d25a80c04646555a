/** Our own choice: a few requests at once neither take long one after the other nor keep others waiting. */
const DEFAULT_LIMIT = 4;

/** Calls `work` for each item, at most `limit` at once. Returns the results in the order of the items. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  limit = DEFAULT_LIMIT,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers share one iterator, so each takes the next item.
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
