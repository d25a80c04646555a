import { createHash } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { createRandom, type Random } from '../support/random.ts';
import { getProcess } from './virtual-time.ts';

const nodeCrypto: Record<string, unknown> = createRequire(import.meta.url)('node:crypto');

/** Sources of random numbers that all derive from one seed. */
export interface Randomness {
  /** Begins the numbers of a seed. */
  begin(seed: string): void;
  /** The numbers of one purpose. Those of other purposes don't depend on how many of these were drawn. */
  get(purpose: string): Random;
}

/** Replaces this process's random numbers and ids. Each simulated process draws its own. */
export function installRandomness(): Randomness {
  let seed = '';
  let sources = new Map<string, Random>();
  const get = (purpose: string) => {
    const source = sources.get(purpose) ?? createRandom(hash(`${seed} ${purpose}`).readUInt32LE());
    sources.set(purpose, source);
    return source;
  };
  const own = () => get(`ids of ${getProcess()?.name ?? 'the world'}`);
  const fill = <Bytes extends ArrayBufferView>(view: Bytes): Bytes => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const { drawInteger } = own();
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = drawInteger(256);
    return view;
  };
  const randomUUID = () => {
    const hex = fill(Buffer.alloc(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(nodeCrypto, {
    randomUUID,
    randomBytes: (size: number) => fill(Buffer.alloc(size)),
    randomInt: (from: number, to?: number) => {
      const [start, end] = to === undefined ? [0, from] : [from, to];
      return start + own().drawInteger(end - start);
    },
    randomFillSync: fill,
  });
  for (const [name, value] of Object.entries({ randomUUID, getRandomValues: fill }))
    Object.defineProperty(globalThis.crypto, name, { value, configurable: true, writable: true });
  Math.random = () => own().next();
  syncBuiltinESMExports();
  return {
    get,
    begin(newSeed) {
      seed = newSeed;
      sources = new Map();
    },
  };
}

const hash = (text: string) => createHash('sha256').update(text).digest();
