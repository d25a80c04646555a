const WORDS = [
  ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
  ...['january', 'february', 'march', 'april', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
  ...['today', 'tomorrow', 'tonight', 'morning', 'afternoon', 'evening', 'midnight'],
] as const;

/** Words, names and other languages' words that lie one letter off, and mean what they say. */
const WORDS_THEMSELVES = new Set(
  `sundae sundry sunda monda mondays frida fridge toady toad tody today's morrow mourning moaning
   corning warning horning morning's marsh match macho marcy marco marchy larch parch starch
   aprils augusta auguste augur gusty jules julie julia jolly duly june's jung junes jane jude juno jun jul juan tune
   dune junk judy fully bully gully sully pulley fortnight knight knights eveing levening evenings avening
   yesterday weekday someday noonday everyday midday octobers novembers decembers januar februar
   eventing evensong tonights thursdays tuesdays wednesdays saturdays sundays fridays mornings afternoons`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Shorter ones are too close to other words to be anybody's slip. */
const SHORTEST = 5;

/**
 * The text with weekdays, months and words for days put right where one letter is missing, too many, wrong, or
 * in its neighbour's place: "firday", "tusday", "janaury". Two words as near as each other are left as they are.
 */
export function correctTypos(text: string): string {
  return text.replaceAll(/[a-z']{5,}/gi, (written) => {
    const word = written.toLowerCase();
    if (WORDS_THEMSELVES.has(word) || isKnown(word)) return written;
    const near = WORDS.filter((known) => isOneLetterOff(word, known));
    const [only] = near;
    return only !== undefined && near.length === 1 ? only : written;
  });
}

/** A known word, or one with an ending: "mondays" and "monday's" are no slips. */
function isKnown(word: string): boolean {
  return WORDS.some((known) => word === known || word === `${known}s` || word === `${known}'s`);
}

function isOneLetterOff(word: string, known: string): boolean {
  const apart = word.length - known.length;
  if (word.length < SHORTEST || Math.abs(apart) > 1) return false;
  const start = sameLetters(word, known);
  const [rest, knownRest] = [word.slice(start), known.slice(start)];
  if (apart === 1) return rest.slice(1) === knownRest;
  if (apart === -1) return rest === knownRest.slice(1);
  if (rest.slice(1) === knownRest.slice(1)) return true;
  return rest[0] === knownRest[1] && rest[1] === knownRest[0] && rest.slice(2) === knownRest.slice(2);
}

function sameLetters(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
