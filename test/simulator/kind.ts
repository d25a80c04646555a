/** The kind of a violation, without the names and numbers of one simulation. */
export function toKind(violation: string): string {
  const [line = ''] = violation.split('\n');
  return line
    .replaceAll(/§[a-z]\d+(?:\.\d+)?/gu, '§')
    .replaceAll(/[UTC][AB]\d|\b(?:Plain|Shop|Checked|Olga|Mira|Pia|Paul|Carl) ?[AB]\b/gu, '…')
    .replaceAll(/\d+/gu, '0')
    .replace(/ was shown .*/u, ' was not true');
}
