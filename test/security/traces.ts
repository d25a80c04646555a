/** Lists the encodings of the canary in the text: plain, URL-encoded, hex, and base64 at each byte offset. */
export function findTraces(canary: string, text: string): string[] {
  return listEncodings(canary).filter((encoding) => text.includes(encoding));
}

function listEncodings(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    // The first and last characters depend on the adjacent bytes, so they are cut off.
    const cutEnds = (text: string) => text.replace(/=+$/, '').slice(Math.ceil((offset * 4) / 3), -1);
    return [cutEnds(shifted.toString('base64')), cutEnds(shifted.toString('base64url'))];
  });
  const hex = bytes.toString('hex');
  return [...new Set([canary, encodeURIComponent(canary), ...base64, hex, hex.toUpperCase()])];
}
