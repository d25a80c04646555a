/** In which forms a text can lie somewhere: as it is, in base64 at each of three places, in hex, in an address. */
export function tracesOf(canary: string, text: string): string[] {
  return formsOf(canary).filter((form) => text.includes(form));
}

function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const shifted = [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    // What stands beside it changes the first and the last characters.
    const cut = (text: string) => text.replace(/=+$/, '').slice(Math.ceil((shift * 4) / 3), -1);
    return [cut(whole.toString('base64')), cut(whole.toString('base64url'))];
  });
  const hex = bytes.toString('hex');
  return [...new Set([canary, encodeURIComponent(canary), ...shifted, hex, hex.toUpperCase()])];
}
