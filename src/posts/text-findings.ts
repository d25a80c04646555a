import { joinNames } from '../slack/name.ts';
import type { Finding } from './platform-rules/platform-rules.ts';

/** What a text says that no reader is meant to see, whatever its platforms are, and whoever wrote it where. */

export function createTextFinding(problem: string): Finding {
  return { platforms: [], field: 'Content', problem };
}

export const PLACEHOLDER = /\{[^{}\n]{1,60}\}/g;

export function listPlaceholders(text: string): string[] {
  return [...new Set(text.match(PLACEHOLDER))];
}

/** Maximum placeholders that a sentence names. */
export const MAX_NAMED_PLACEHOLDERS = 5;

/** Says that text in braces goes out as it is, which may be meant. */
export function describePlaceholders(placeholders: readonly string[]): string[] {
  if (placeholders.length === 0) return [];
  return [
    `${joinNames(placeholders, MAX_NAMED_PLACEHOLDERS)} will go out with braces. Fill in placeholders first.`,
  ];
}

/** Marks of Markdown, HTML and programs, with what people read of them. */
const MARKS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?<![*\w])\*\*(?=[^\s*])[^*\n]{0,200}[^\s*]\*\*(?!\*)/u, '“**”'],
  [/\[[^[\]\n]{1,200}\]\(https?:\/\/[^\s()]{1,500}\)/iu, '“[…](…)”'],
  [/^#{1,6} (?=\S)/mu, '“# ” at the beginning of a line'],
  [/&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-f]{1,6});/iu, '“&…;”'],
  [/<\/?(?:br|p|b|i|strong|em|ul|ol|li|a|div|span|h[1-6])(?:\s[^<>]{0,300})?\/?>/iu, 'HTML such as “<br>”'],
  // In a path, a small letter follows: C:\new.
  [/(?<![\\:])\\n(?=\\n|\P{Ll}|$)/u, '“\\n”'],
];

/** Says which marks go out as they are: no platform shows them as formatting. */
export function findMarks(text: string): string[] {
  const found = MARKS.filter(([pattern]) => pattern.test(text)).map(([, name]) => name);
  return found.length === 0
    ? []
    : [`${joinNames(found, found.length)} will go out as written. Remove what isn’t meant.`];
}

const MAX_NAMED_EMOJI = 5;

/**
 * Creates a finding about emoji that exist only in the workspace, so that nobody outside can see them. `isListed`: whether
 * Slack has listed the workspace's emoji. Without the list, nobody knows whether a name is one.
 */
export function createEmojiFindings(names: readonly string[], isListed: boolean): Finding[] {
  if (names.length === 0) return [];
  const codes = names.slice(0, MAX_NAMED_EMOJI).map((name) => `:${name}:`);
  const moreText = names.length > codes.length ? ` and ${names.length - codes.length} more` : '';
  const [phrase, pronoun] = names.length === 1 ? ['this emoji', 'it'] : ['these emoji', 'them'];
  const list = `${codes.join(', ')}${moreText}`;
  return [
    {
      ...{ platforms: [], field: 'Content' },
      problem: isListed
        ? `Only this workspace has ${phrase}: ${list}.`
        : `Slack didn’t tell me which emoji only this workspace has, so this may go out as written: ${list}.`,
      advice: `Replace ${pronoun}, or leave ${pronoun} out.`,
    },
  ];
}
