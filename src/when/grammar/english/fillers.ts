import { SMALL_TALK } from './small-talk.ts';

/** Words that join or soften a moment and say nothing of when: leaving them unread loses nothing. */
const FILLERS =
  "on\\sthe\\sdot|at\\sthe\\sstroke\\sof|at\\sthe\\slatest|(?:no|not)\\slater\\sthan|or\\sso|at|on|in|of|the|by|for|around|about|approximately|approx|roughly|exactly|precisely|sharp|promptly|please|(?:remind|message|tell)\\sme|(?:post|publish|send|schedule|share)(?:\\s(?:it|this|that))?|some\\s?time|maybe|starting|due|right|just|say|let's\\s(?:do|say|go\\swith)|how\\sabout|(?:my|our|local)\\stime|o['’]?clock|hrs|h|ish";

/** One piece at a time and never back: a text of such words only is told in one go, however long. */
const PIECE = new RegExp(`[\\s,:;.@~()!?/-]+|\\b(?:${FILLERS}|${SMALL_TALK})\\b`, 'gi');

export function isFiller(text: string): boolean {
  return text.replaceAll(PIECE, '') === '';
}

/** True where the whole text says "now", which can be no moment to come. */
export function isNow(text: string): boolean {
  return /^\s*(?:right\s+)?(?:now|asap|as\s+soon\s+as\s+possible|immediately|straight\s+away|right\s+away|at\s+the\s+moment|atm|at\s+once|this\s+(?:instant|minute|moment))[\s.!]*$/i.test(
    text,
  );
}
