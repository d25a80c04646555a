import { timingSafeEqual } from 'node:crypto';

/** Compares without telling by its time how much was right. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
