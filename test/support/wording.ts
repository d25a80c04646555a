/**
 * Finds wording in a payload for Slack that people shouldn't read: ids, words of the code, and long explanations. The
 * rules are in CONTRIBUTING.md.
 */

/** Words and phrases that earlier versions used, with what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bmoments?\b/i, 'time'],
  [
    /\b(?:can ?not|could not|do not|does not|did not|is not|are not|was not|were not|has not|have not|will not)\b/i,
    'a contraction',
  ],
  [/\bI (?:am|will|have)\b/, 'a contraction'],
  [/\ball the same\b/i, 'anyway'],
  [/\bmeanwhile\b/i, 'a sentence that says what changed'],
  [/\bby itself\b|\bby myself\b/i, 'automatically, or nothing'],
  [/\bany ?more\b/i, 'no longer'],
  [/\bwhat there is\b|\ball that there is\b/i, 'a noun'],
  [/\bthe practice service begins\b/i, 'by default'],
  [/\bis about (?:no|this|these)\b/i, 'follows'],
  [/\bout of order\b/i, 'unavailable'],
];

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;
const RECORD_ID = /\b(?:template|post|project|prompt|source|user|log)_\w+/;
/** Names that programs use: ScheduleDate, project_id, DRAFT and ALLOW_FILE_DELETION. */
const PROGRAM_NAME = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[a-z]+_[a-z_]+|[A-Z]{4,}(?:_[A-Z]+)*)\b/g;
/** Codes of emoji, and the parts of dates and mentions that people don't see. */
const EMOJI_OR_TAG = /:\w+:|<[@#!][^|>]*\|?/g;
/** Names of products, and words that people type in capitals. */
const ALLOWED_NAMES: readonly string[] = [
  ...['LinkedIn', 'TikTok', 'YouTube', 'DELETE', 'FILE'],
  // Settings that people pass on to their operator.
  ...['PUBLIC_URL', 'MEDIA_BUCKET_URL'],
];
/** Matches references, the only ids that people should see. They pass them on to an operator. */
const REFERENCE = /reference: \S+/g;
const MAX_SENTENCES = 2;

/**
 * Lists the texts that people read in a payload: text objects, field errors, and messages without blocks. The `text` of
 * a message with blocks is their fallback, which repeats all of them.
 */
export function listTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    if (typeof field !== 'string')
      return name === 'errors' && field ? Object.values(field).map(String) : listTexts(field);
    return name === 'text' && !('blocks' in value) ? [field] : [];
  });
}

/** Lists the faults of a text. Empty if it is fine. */
export function findWordingFaults(text: string): string[] {
  const textWithoutReferences = text.replace(REFERENCE, '');
  const faults = BANNED.flatMap(([pattern, instead]) => {
    const found = pattern.exec(textWithoutReferences);
    return found ? [`“${found[0]}”: write ${instead}`] : [];
  });
  if (UUID.test(textWithoutReferences) || RECORD_ID.test(textWithoutReferences)) faults.push('an id');
  const programName = textWithoutReferences
    .replace(EMOJI_OR_TAG, '')
    .match(PROGRAM_NAME)
    ?.find((name) => !ALLOWED_NAMES.includes(name));
  if (programName !== undefined) faults.push(`“${programName}”: write words`);
  if (countSentences(textWithoutReferences) > MAX_SENTENCES)
    faults.push(`more than ${MAX_SENTENCES} sentences`);
  return faults.map((fault) => `${fault} — ${JSON.stringify(text.slice(0, 300))}`);
}

/** Counts the sentences of the longest paragraph. Lines of a list are paragraphs. */
function countSentences(text: string): number {
  const counts = text
    .split('\n')
    .map(
      (line) =>
        [
          ...line
            .replaceAll(/`[^`]*`|<[^>]*>|\b(?:e\.g|a\.m|p\.m)\./g, 'x')
            .matchAll(/[.!?](?=\s+[“*]?[A-Z0-9]|\s*$)/g),
        ].length,
    );
  return Math.max(0, ...counts);
}
