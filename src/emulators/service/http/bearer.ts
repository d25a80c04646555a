import { createHash, timingSafeEqual } from 'node:crypto';

/** A check of Authorization headers that takes as long for a wrong token as for the right one. */
export function bearerCheck(token: string): (authorization: string | undefined) => boolean {
  // Of equal length whatever was sent, which the comparison needs and which hides the token's own length.
  const expected = digest(token);
  return (authorization) => {
    const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? [];
    return timingSafeEqual(digest(given ?? ''), expected) && given !== undefined;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
