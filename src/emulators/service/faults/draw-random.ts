/**
 * A pseudo-random number from 0 to 1 for the n-th call of `name`. It depends on nothing else, such as other calls or
 * their order. (FNV-1a over the name, then the finalizer of MurmurHash3.)
 */
export function drawRandom(seed: number, name: string, n: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of `${name} ${n}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
