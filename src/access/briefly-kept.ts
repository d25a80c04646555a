/** What was looked up and is good for `keepMs`; whoever asks while a look-up is under way shares it. */
export function brieflyKept<Value>(options: {
  keepMs: number;
  /** So many at most; the oldest makes room. */
  most: number;
  /** ms on a clock that goes on. */
  clock: () => number;
}) {
  const { keepMs, most, clock } = options;
  const kept = new Map<string, { at: number; value: Promise<Value> }>();
  return {
    /** `live`: looked up anew, and kept for others. What fails is not kept. */
    get(key: string, live: boolean, look: () => Promise<Value>): Promise<Value> {
      const before = kept.get(key);
      if (!live && before && clock() - before.at < keepMs) return before.value;
      const mine = { at: clock(), value: look() };
      kept.delete(key);
      kept.set(key, mine);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      mine.value.catch(() => kept.get(key) === mine && kept.delete(key));
      return mine.value;
    },
    /** What begins with this is looked up anew from now on. */
    drop(prefix: string): void {
      for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key);
    },
  };
}
