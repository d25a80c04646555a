import { createHash, timingSafeEqual } from 'node:crypto';

/** Checks Authorization headers in constant time. */
export function createBearerCheck(token: string): (authorization: string | undefined) => boolean {
  // Hashes have the same length, which the comparison needs; it also hides the token's length.
  const expected = digest(token);
  return (authorization) => {
    const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? [];
    return timingSafeEqual(digest(given ?? ''), expected) && given !== undefined;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
