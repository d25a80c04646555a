/** Holders with the same key share what all places have room for. The key is an address, an id, or any object. */
type Key = string | object;

interface Holder {
  keys: readonly Key[];
  /** Whether the holder only waits for its client. Defaults to always. */
  isIdle?: () => boolean;
  /** Takes the place away. The holder needn't leave it any more. */
  evict(): void;
}

/** A place of a client that hasn't been verified: a socket, an incoming body, or a reader of a file. */
interface Place {
  /** Makes the place larger. */
  grow(size: number): void;
  leave(): void;
}

/**
 * Creates places for what anybody may begin and not end. While there is room, a single key may use all of it. When there
 * is none, the key that uses the most makes room: first the oldest idle holder, and if all of them are at work, the
 * newest one. So a newcomer whose key uses little always gets in, and one whose key uses the most gets in only if an
 * earlier holder with that key is idle. Compare slots.ts, where those who wait for a place know how long they can wait.
 */
export function createPlaces(maxSize: number) {
  const groups = new Map<Key, { size: number; holders: Set<Holder> }>();
  const sizes = new Map<Holder, number>();
  let totalSize = 0;

  function resize(holder: Holder, change: number): void {
    totalSize += change;
    sizes.set(holder, (sizes.get(holder) ?? 0) + change);
    for (const key of holder.keys) {
      const group = groups.get(key) ?? { size: 0, holders: new Set() };
      group.size += change;
      group.holders.add(holder);
      groups.set(key, group);
    }
  }

  function remove(holder: Holder): void {
    const size = sizes.get(holder);
    if (size === undefined) return;
    resize(holder, -size);
    sizes.delete(holder);
    for (const key of holder.keys) {
      const group = groups.get(key);
      group?.holders.delete(holder);
      if (group?.holders.size === 0) groups.delete(key);
    }
  }

  /** Searches the largest group. In it, of the holders with several keys, those count whose other keys use the most. */
  function findHolderToEvict(): Holder | undefined {
    let largestGroup: { size: number; holders: Set<Holder> } | undefined;
    for (const group of groups.values()) if (group.size > (largestGroup?.size ?? 0)) largestGroup = group;
    let found: { holder: Holder; isIdle: boolean; size: number } | undefined;
    for (const holder of largestGroup?.holders ?? []) {
      const size = holder.keys.reduce((sum, key) => sum + (groups.get(key)?.size ?? 0), 0);
      if (found && (size < found.size || (size === found.size && found.isIdle))) continue;
      found = { holder, isIdle: holder.isIdle?.() ?? true, size };
      if (found.isIdle && holder.keys.length === 1) break;
    }
    return found?.holder;
  }

  function makeRoom(): void {
    while (totalSize > maxSize) {
      const holder = findHolderToEvict();
      if (!holder) return;
      remove(holder);
      holder.evict();
    }
  }

  return {
    /** Takes a place of this size, or calls `evict` at once. */
    enter(holder: Holder, size = 1): Place {
      resize(holder, size);
      makeRoom();
      return {
        grow(change) {
          if (!sizes.has(holder)) return;
          resize(holder, change);
          makeRoom();
        },
        leave: () => remove(holder),
      };
    },
  };
}
