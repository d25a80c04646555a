/** Calls `work` for each item, at most `limit` at once. Returns the results in the order of the items. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
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
