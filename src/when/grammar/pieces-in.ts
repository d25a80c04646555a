import type { Chrono, ParsedResult } from 'chrono-node';
import { takeSteps } from '../steps.ts';

/** A step is about as many patterns, each tried at one letter: an English grammar has so many, others about 40. */
const PATTERNS_PER_STEP = 100;

/** To begin with a pattern costs as much as trying it at so many letters more. */
const LETTERS_TO_BEGIN = 10;

/** The pieces of moments that a grammar finds, read on the day that begins at this instant as if in UTC. */
export function piecesIn(text: string, grammar: Chrono, instant: Date): ParsedResult[] {
  takeSteps(Math.ceil(((text.length + LETTERS_TO_BEGIN) * grammar.parsers.length) / PATTERNS_PER_STEP));
  return grammar.parse(text, { instant, timezone: 0 });
}
