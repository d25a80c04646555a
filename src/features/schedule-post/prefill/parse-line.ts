import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import { listPlatformAliases, listPlatformChoices, parsePlatform } from '../../../posts/platforms.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { resolveProject } from '../../../posts/resolve-project.ts';
import { findNearest } from '../../../slack/suggest.ts';
import { isRepeating } from '../../../when/recurrence.ts';
import { findLeadingMoments, understandMoments } from '../../../when/when.ts';

/** Finds moments in the text of a line, in the author's language. */
interface MomentReader {
  /** Whether the whole text names one or several moments. */
  isMoment(text: string): boolean;
  /** Whether the whole text repeats, such as "every monday". */
  isRepeating(text: string): boolean;
  /** Finds the moments at the start of the text. `words` names them, and `rest` is the text after them. */
  findLeadingMoments(text: string): { words: string; rest: string } | undefined;
}

/** Creates a reader for a line that somebody types now. `locale`: the author's, if known. */
export function createMomentReader(now: Date, locale: string | undefined): MomentReader {
  const request = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  return {
    isMoment: (text) => understandMoments({ ...request, text }).kind !== 'not-understood',
    isRepeating: (text) => isRepeating({ ...request, text }),
    findLeadingMoments: (text) => findLeadingMoments({ ...request, text }),
  };
}

/** Opening quotes, each with the quotes that can close it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** Matches the text before a quoted project name: `for "Harbour Coffee"`. Other quotes contain the text of the post. */
const PROJECT_PREFIX = /(?:^|\s)for\s*$/i;

/** Maximum length of the head, in UTF-16 units. A longer line without a colon or quotes contains only the text. */
const MAX_HEAD_LENGTH = 400;

/** A line, split into the head and the text of the post. The head names the moment, the platforms and the project. */
interface LineParts {
  head: string;
  /** Undefined if the line has no text. */
  text?: string;
}

/**
 * Splits a line into the head and the text of the post. The text is in quotes, or follows the first colon with
 * whitespace after it (unlike the colon in "12:30"). If a quote isn't closed, the text ends with the line.
 */
export function splitLine(line: string): LineParts {
  for (let index = 0; index < Math.min(line.length, MAX_HEAD_LENGTH); index += 1) {
    const character = line.charAt(index);
    if (character === ':' && /^(?:\s|$)/.test(line.slice(index + 1, index + 2))) {
      const text = line.slice(index + 1).trim();
      return { head: line.slice(0, index), ...(text !== '' && { text }) };
    }
    const closingQuotes = QUOTES[character];
    if (closingQuotes === undefined) continue;
    const end = findClosingQuote(line, index, closingQuotes);
    if (end !== undefined && PROJECT_PREFIX.test(line.slice(0, index))) {
      index = end;
      continue;
    }
    const text = line.slice(index + 1, end).trim();
    const remainder = end === undefined ? '' : line.slice(end + 1);
    // The part after the quotes is too long for a head, so the text includes the quotes and the part after them.
    if (remainder.length > MAX_HEAD_LENGTH) return { head: line.slice(0, index), text: line.slice(index) };
    const head = `${line.slice(0, index)} ${remainder}`;
    return { head, ...(text !== '' && { text }) };
  }
  return line.length > MAX_HEAD_LENGTH ? { head: '', text: line } : { head: line };
}

/**
 * Finds the index of the quote that closes the quote at `openingIndex`. Skips nested quotes, which can be recognized if
 * opening and closing quotes differ.
 */
function findClosingQuote(line: string, openingIndex: number, closingQuotes: string): number | undefined {
  const opening = line.charAt(openingIndex);
  let depth = 0;
  for (let index = openingIndex + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (closingQuotes.includes(character)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character === opening) depth += 1;
  }
  return undefined;
}

/** A post parsed from one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ParsedLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  /** Names after "on" that are no platforms. */
  unknownPlatforms: readonly string[];
  project?: Project;
  /** The words of the head that name the moment. */
  when: string;
  /** The words of the head that aren't understood. */
  unreadWords: string;
}

const DRAFT_PATTERN = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Whether the head of the line asks for a draft. Pure. */
export function isDraftLine(line: string): boolean {
  return DRAFT_PATTERN.test(splitLine(line).head);
}

/**
 * Parses a line. Without a colon or quotes, the text begins after the last word that names a moment, a platform, a
 * project or a draft. Pure.
 */
export function parseLine(line: string, projects: ProjectList, momentReader: MomentReader): ParsedLine {
  const lineParts = splitLine(line);
  const { head, text } =
    lineParts.text === undefined ? splitAfterHead(lineParts.head, projects, momentReader) : lineParts;
  const { project, remainingHead: headWithoutProject } = extractProject(
    head,
    projects,
    momentReader.isMoment,
  );
  const headWithoutDraft = headWithoutProject.replace(DRAFT_PATTERN, ' ');
  const { platforms, unknownPlatforms, remainingHead } = extractPlatforms(headWithoutDraft, momentReader);
  const { when, unreadWords } = readMomentWords(remainingHead, momentReader);
  return {
    text: text ?? '',
    isDraft: headWithoutDraft !== headWithoutProject,
    platforms,
    unknownPlatforms,
    ...(project && { project }),
    when,
    unreadWords,
  };
}

/** Splits off the words that name no moment. Words that repeat stay, because the form explains them. */
function readMomentWords(head: string, { isMoment, isRepeating, findLeadingMoments }: MomentReader) {
  if (head === '' || isMoment(head) || isRepeating(head)) return { when: head, unreadWords: '' };
  const leading = findLeadingMoments(head);
  return { when: leading?.words ?? '', unreadWords: leading?.rest ?? head };
}

/** Matches platform names that are written as two words. */
const SPLIT_NAMES = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

const ALL_PLATFORMS: readonly Platform[] = listPlatformChoices().map(({ platform }) => platform);

// The words before, after and between the platforms of a list.
const LIST_PREFIX = /^(?:on|to|via)$/i;
const LIST_SUFFIX = /^(?:platforms?|channels?|networks?)$/i;
const LIST_SEPARATOR = /^(?:,|&|\+|and)$/i;

/**
 * Finds the platforms in "on x, linkedin and fb", with or without "on", and removes them from the head. "All" means all
 * platforms only in "on all", in "all platforms" or within a list.
 */
function extractPlatforms(
  head: string,
  momentReader: MomentReader,
): { platforms: Platform[]; unknownPlatforms: string[]; remainingHead: string } {
  const words = head.replace(SPLIT_NAMES, (name) => name.replace(/\s+/g, '')).match(/[^\s,]+|,/g) ?? [];
  const foundPlatforms: Platform[] = [];
  const unknownPlatforms: string[] = [];
  const otherWords: string[] = [];
  let isInList = false;
  let separators: string[] = [];
  for (const [index, word] of words.entries()) {
    const platforms = parsePlatformWord(word, words[index - 1], words[index + 1], isInList);
    const followsPrefix = isInList || LIST_PREFIX.test(words[index - 1] ?? '');
    const isUnknown = !platforms && followsPrefix && isOtherNetwork(word) && !momentReader.isMoment(word);
    if (platforms || isUnknown) {
      foundPlatforms.push(...(platforms ?? []));
      if (isUnknown) unknownPlatforms.push(word);
      if (!isInList && LIST_PREFIX.test(otherWords.at(-1) ?? '')) otherWords.pop();
      isInList = true;
      separators = [];
    } else if (isInList && LIST_SEPARATOR.test(word)) separators.push(word);
    else if (isInList && LIST_SUFFIX.test(word)) isInList = false;
    else {
      otherWords.push(...separators, word);
      separators = [];
      isInList = false;
    }
  }
  const remainingHead = joinWords(otherWords);
  const lastUnknown = extractUnknownPlatform(remainingHead, momentReader);
  return {
    platforms: [...new Set(foundPlatforms)],
    unknownPlatforms: [...unknownPlatforms, ...(lastUnknown ? [lastUnknown.name] : [])],
    remainingHead: lastUnknown?.remainingHead ?? remainingHead,
  };
}

/** Finds the name in "on myspace", if the other words of the head name a moment, or if there are none. */
function extractUnknownPlatform(head: string, { isMoment }: MomentReader) {
  const [match, before = '', name = '', after = ''] =
    /^(.*?)(?<![^\s,])(?:on|via)\s+([^\s,]+)(.*)$/is.exec(head) ?? [];
  if (match === undefined || isMoment(head)) return undefined;
  const remainingHead = joinWords([before.trim(), after.trim()].filter((part) => part !== ''));
  return remainingHead === '' || isMoment(remainingHead) ? { name, remainingHead } : undefined;
}

/** Other social networks, which people name and the service doesn't support. */
const OTHER_NETWORKS =
  'bluesky bsky discord flickr google line mastodon medium myspace quora signal snap snapchat substack tumblr twitch vimeo vk wechat weibo whatsapp xing'.split(
    ' ',
  );

/** Minimum length of a misspelled platform, in characters. Shorter words resemble too many other words. */
const MIN_MISSPELLED_LENGTH = 5;

/** Whether the word names a network that the service doesn't support, or misspells a platform: "linkdin". */
function isOtherNetwork(word: string): boolean {
  const name = word.toLowerCase();
  if (OTHER_NETWORKS.includes(name)) return true;
  const longNames = listPlatformAliases().filter((alias) => alias.length >= MIN_MISSPELLED_LENGTH);
  return name.length >= MIN_MISSPELLED_LENGTH && findNearest(name, longNames) !== undefined;
}

/** Parses "x" or "x/linkedin". Undefined if the word isn't only platforms, or if "all" doesn't mean platforms here. */
function parsePlatformWord(
  word: string,
  previousWord: string | undefined,
  nextWord: string | undefined,
  isInList: boolean,
): Platform[] | undefined {
  const platforms = word.split(/[/&+]/).map(parsePlatform);
  if (platforms.length === 0 || platforms.includes(undefined)) return undefined;
  if (!platforms.includes('all')) return platforms.flatMap((name) => (name && name !== 'all' ? [name] : []));
  const meansAllPlatforms =
    isInList || LIST_PREFIX.test(previousWord ?? '') || LIST_SUFFIX.test(nextWord ?? '');
  return meansAllPlatforms ? [...ALL_PLATFORMS] : undefined;
}

/** Joins words and commas, without commas at the ends. */
function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}

/** Maximum length of a project's name, in words. */
const MAX_NAME_WORDS = 12;

/** Maximum occurrences of "for" to try, because the words after each one are compared with all projects. */
const MAX_PROJECT_CANDIDATES = 3;

/** The project that the head names, and the head without this project. */
interface ExtractedProject {
  project?: Project;
  remainingHead: string;
}

/**
 * Finds the project in "for Harbour Coffee" or `for "Harbour Coffee"`, and removes it from the head. The start of a
 * name is enough, unless the start is a moment ("for friday"). Words that name no project stay in the head.
 */
function extractProject(
  head: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): ExtractedProject {
  for (const prefix of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MAX_PROJECT_CANDIDATES)) {
    const textAfter = head.slice(prefix.index + prefix[0].length);
    const textBefore = head.slice(0, prefix.index);
    const match = findProjectName(textAfter, projects, isMoment);
    if (match)
      return { project: match.project, remainingHead: `${textBefore} ${textAfter.slice(match.length)}` };
  }
  return { remainingHead: head };
}

/** Finds the project that the start of the text names, and the length of the name. */
function findProjectName(
  text: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): { project: Project; length: number } | undefined {
  const quotedName = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(text);
  const candidates = quotedName
    ? [{ name: quotedName[1] ?? '', length: quotedName[0].length }]
    : listNameCandidates(text);
  for (const { name, length } of candidates) {
    const resolution = resolveProject(projects, [], name);
    if (resolution.kind !== 'one' || resolution.rest !== '') continue;
    // `isMoment` comes last because it uses the step budget.
    if (quotedName || isFullName(projects.items, name) || !isMoment(name))
      return { project: resolution.project, length };
  }
  return undefined;
}

/** Lists the candidates for a project's name at the start of the text, longest first. */
function listNameCandidates(text: string): { name: string; length: number }[] {
  const ends = [...text.matchAll(/\S+/g)].slice(0, MAX_NAME_WORDS).map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: text.slice(0, end).replace(/,$/, ''), length: end }));
}

function isFullName(projects: readonly Project[], text: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return projects.some(({ id, name }) => [name.toLowerCase(), id.toLowerCase()].includes(lowerCaseText));
}

/** Matches "draft" at the start. Only in lower case, because "Draft beer for all" is the text of a post. */
const LEADING_DRAFT = /^(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/;
const LEADING_PLATFORM = /^(?:(?:on|to|via|and|&|\+)\s+)?([^\s,]+)/i;

/**
 * Splits a line without a colon or quotes: the head consists of the moments, platforms, project and draft at the start
 * of the line, and the text follows.
 */
function splitAfterHead(
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
