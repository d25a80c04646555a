import type { ProjectList } from '../../../posts/project.ts';
import { isOtherNetwork, LIST_SUFFIX, parsePlatformWord } from './extract-platforms.ts';
import { findProjectName } from './extract-project.ts';
import type { MomentReader } from './moment-reader.ts';

/** Matches "draft" at the start. Only in lower case, because "Draft beer for all" is the text of a post. */
const LEADING_DRAFT = /^(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/;
const LEADING_PLATFORM = /^(?:(?:on|to|via|and|&|\+)\s+)?([^\s,]+)/i;

/**
 * Splits a line without a colon or quotes: the head consists of the moments, platforms, project and draft at the start
 * of the line, and the text follows.
 */
export function splitAfterHead(
  line: string,
  projects: ProjectList,
  momentReader: MomentReader,
): { head: string; text: string } {
  const trimmedLine = line.trim();
  let text = trimmedLine;
  let hasMoment = false;
  for (;;) {
    const restWithoutMoment =
      skipPattern(text, LEADING_DRAFT) ??
      skipProject(text, projects, momentReader.isMoment) ??
      skipPlatform(text, momentReader);
    const rest =
      restWithoutMoment ?? (hasMoment ? undefined : skipMoment(text, text === trimmedLine, momentReader));
    if (rest === undefined) break;
    hasMoment ||= restWithoutMoment === undefined;
    text = rest.replace(/^[\s,]+/, '');
  }
  return { head: trimmedLine.slice(0, trimmedLine.length - text.length), text };
}

/** Skips the moments at the start. "Friday deals at our shop" is a sentence, unlike "friday Latte art". */
function skipMoment(
  text: string,
  isStart: boolean,
  { findLeadingMoments }: MomentReader,
): string | undefined {
  const leading = findLeadingMoments(text);
  if (!leading) return undefined;
  const isSentence =
    isStart && !/\s/.test(leading.words) && /^\p{Lu}/u.test(leading.words) && /^\p{Ll}/u.test(leading.rest);
  // "On" can begin a list of platforms that follows: "Tomorrow on x".
  return isSentence && !/^(?:on|for)\s/.test(leading.rest) ? undefined : leading.rest;
}

function skipPattern(text: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(text);
  return match ? text.slice(match[0].length) : undefined;
}

function skipProject(
  text: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): string | undefined {
  const prefix = /^for\s+/i.exec(text);
  const name = prefix && findProjectName(text.slice(prefix[0].length), projects, isMoment);
  return prefix && name ? text.slice(prefix[0].length + name.length) : undefined;
}

/** Skips a platform with the words before and after it. Also skips an unknown platform if no text can follow it. */
function skipPlatform(text: string, momentReader: MomentReader): string | undefined {
  const joined = text.replace(
    /^((?:on|to|via|and)\s+)?(linked|tik|you|face)\s(in|tok|tube|book)\b/i,
    '$1$2$3',
  );
  const match = LEADING_PLATFORM.exec(joined);
  const [matchText = '', word = ''] = match ?? [];
  const rest = joined.slice(matchText.length);
  const [nextWord = ''] = rest.trim().split(/\s/);
  const [previousWord] = matchText.split(/\s/);
  const hasPrefix = matchText !== word;
  // A capitalized name without "on" begins a sentence: "Instagram is down".
  if (!hasPrefix && word !== word.toLowerCase()) return undefined;
  if (parsePlatformWord(word, previousWord, nextWord, false))
    return LIST_SUFFIX.test(nextWord) ? rest.trimStart().slice(nextWord.length) : rest;
  const isUnknown = hasPrefix && (isOtherNetwork(word) || rest.trim() === '') && !momentReader.isMoment(word);
  return isUnknown ? rest : undefined;
}
