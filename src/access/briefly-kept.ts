/** What a tenant's cached value is found by. */
interface TenantKey {
  workspace: string;
  /** Of the person or group; '' for the workspace as a whole. */
  id: string;
}

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
    get(of: TenantKey, live: boolean, look: () => Promise<Value>): Promise<Value> {
      const key = JSON.stringify([of.workspace, of.id]);
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
    /** Looked up anew from now on. */
    drop(of: TenantKey): void {
      kept.delete(JSON.stringify([of.workspace, of.id]));
    },
  };
}
