/** Words that join or soften a moment and say nothing of when: leaving them unread loses nothing. */
const FILLER =
  /^(?:[\s,;.@~()!/-]|\b(?:at|on|in|of|the|by|for|around|about|approximately|approx|roughly|exactly|precisely|sharp|on\sthe\sdot|promptly|please|(?:remind|message|tell)\sme|(?:post|publish|send|schedule|share)(?:\s(?:it|this|that))?|sometime|maybe|starting|due|o['’]?clock|hrs|h)\b)*$/i;

export function isFiller(text: string): boolean {
  return FILLER.test(text);
}
