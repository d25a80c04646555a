/** Whether one letter of the word is missing, too many, wrong, or in its neighbour's place. */
export function isOneLetterOff(word: string, known: string): boolean {
  const apart = word.length - known.length;
  if (word === known || Math.abs(apart) > 1) return false;
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
