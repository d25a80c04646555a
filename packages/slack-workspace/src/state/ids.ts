import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const CAPITALS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function pickRandom(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Makes an id like Slack's: letters for the kind, then ten capitals and digits. */
export function makeId(
  kind: 'V' | 'D' | 'C' | 'Ev' | 'F' | 'S' | 'U' | 'T' | 'E' | 'B' | 'Q' | 'Fx' | 'Wx',
): string {
  return kind + pickRandom(CAPITALS_AND_DIGITS, 10);
}

/** Makes an id like those that Slack adds if an app gives no block_id or action_id. */
export const makeShortId = (): string => pickRandom(LETTERS_AND_DIGITS, 5);

/** Makes the hash of a view: the second of the change, then random characters, such as `1596530361.3wRYuk3R`. */
export function makeViewHash(now: number): string {
  return `${Math.floor(now / 1000)}.${pickRandom(LETTERS_AND_DIGITS, 8)}`;
}

/** Makes ten digits, as in an app's client id. */
export const makeNumber = (): string => String(randomInt(1e9, 1e10));

/** Makes random hexadecimal digits, two for each byte, for tokens, tickets and response_urls. */
export const makeSecret = (bytes = 18): string => randomBytes(bytes).toString('hex');

/** Compares in constant time, so that the time of an answer reveals nothing about the secret. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
