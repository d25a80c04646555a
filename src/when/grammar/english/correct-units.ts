import { isOneLetterOff } from '../correct-words.ts';
import { NUMBER_WORD } from './numbers.ts';

const UNITS = ['day', 'days', 'week', 'weeks', 'hour', 'hours', 'month', 'months', 'year', 'years'];

/** Where a unit of time is expected, shorter words than elsewhere are its slips. */
const BESIDE_COUNT = new RegExp(`(?<=\\b(?:\\d{1,3}|next|${NUMBER_WORD})\\s)[a-z]{2,7}(?![a-z'])`, 'gi');

/** "in 3 dyas", "next wek": only letters that are missing, twice there or swapped, since "2 ways" are ways. */
export function correctUnits(text: string, found: (written: string, meant: string) => void): string {
  return text.replaceAll(BESIDE_COUNT, (written) => {
    const word = written.toLowerCase();
    const near = UNITS.includes(word) ? [] : UNITS.filter((unit) => isSlip(word, unit));
    const [only] = near;
    if (only === undefined || near.length > 1) return written;
    found(written, only);
    return only;
  });
}

function isSlip(word: string, unit: string): boolean {
  const isSwapped = lettersOf(word) === lettersOf(unit);
  const isDoubled =
    word.length > unit.length && word.replaceAll(/(.)\1/g, '$1') === unit.replaceAll(/(.)\1/g, '$1');
  const isMissing = word.length < unit.length;
  return word[0] === unit[0] && isOneLetterOff(word, unit) && (isSwapped || isDoubled || isMissing);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
