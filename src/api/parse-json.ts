const MAY_BE_UNSAFE = /\d{16}/;

/**
 * JSON.parse, but an integer beyond 2^53, which JSON.parse would round to another number, stays as its digits: an id
 * rounded is somebody else's id. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  // A reviver makes parsing many times slower, and few answers hold such a number.
  return MAY_BE_UNSAFE.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const digits = context?.source;
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return rounded && digits !== undefined && /^-?\d+$/.test(digits) ? digits : value;
}
