import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import {
  BEFORE_PLATFORMS,
  BETWEEN_PLATFORMS,
  findEverywhere,
  isConjunction,
  parsePlatform,
  separatePlatforms,
} from '../../../posts/platforms.ts';
import { type ProjectList, resolveProject } from '../../../posts/project.ts';
import {
  ALL_PLATFORMS,
  isOtherNetwork,
  LIST_SUFFIX,
  ONLY_WORD,
  parsePlatformWord,
} from './platform-words.ts';

/** What the words for a moment name. See `whatIsSaid`. */
type Said = Readonly<
  Record<'saysDay' | 'saysTime' | 'saysHour' | 'saysPart' | 'namesDay' | 'isCounted', boolean>
>;

export interface MomentReader {
  /** The author's, if known. */
  locale: string | undefined;
  /** Whether the whole text names one or several moments. */
  isMoment(text: string): boolean;
  /** Whether the whole text is one moment, and no word belongs to a sentence or a title. */
  isWholeMoment(text: string): boolean;
  /** Whether the whole text is a time that can't be used, such as "every monday", "yesterday" or "31 feb". */
  isFaulty(text: string): boolean;
  /** Whether each word belongs to such a time, as "every hour" doesn't to "we post every hour". */
  isRefused(text: string): boolean;
  /** Whether the text is one moment, and the shorter text no other. */
  isSame(text: string, shorter: string): boolean;
  /** Whether both texts are moments of one day at different hours. */
  movesHour(text: string, shorter: string): boolean;
  /** Whether the text can mean more days than the shorter text: "friday tomorrow" and "friday". */
  movesDay(text: string, shorter: string): boolean;
  /**
   * Finds the moments at the start of the text. `words` names them, and `rest` is the text after them. `isStart`:
   * whether the text begins the line, as a title does. Defaults to true.
   */
  findLeadingMoments(
    text: string,
    isStart?: boolean,
  ): { words: string; rest: string; said?: Said | undefined } | undefined;
}

const OWN_DRAFT =
  '(?:(?:enregistrer|sauvegarder|guardar?|salvar?)\\s+)?(?:(?:als|en|in|comme|como|come)\\s+)?(?:entwurf(?:\\s+speichern)?|brouillon|borrador|rascunho|bozza)|als\\s+concept(?:\\s+(?:opslaan|bewaren))?|下書き(?:として)?(?:保存)?';
const SAVE = '(?:(?:(?:pls|please)\\s+)?save\\s+(?:(?:it|this)\\s+)?)?';

/**
 * "Draft" in all languages of times, unless it is the draft of something: "Entwurf der Verfassung". "Concept" is an
 * English word too, so in Dutch it is "als concept", or "concept op x" at the start.
 */
export const DRAFT_PATTERN = new RegExp(
  `(?<![^\\s,])(?:${SAVE}(?:as\\s+)?(?:a\\s+)?drafts?|(?<=^)concept(?=\\s+(?:op|voor)\\s)|(?:${OWN_DRAFT})(?!\\s+(?:di|del?|der|des|du|von|van)\\s|\\s+d['’]))(?![^\\s,])`,
  'i',
);

/** A draft at the start of a line. "Concept" only there, because it is an English word. */
export const DRAFT_HEAD = new RegExp(
  `^(?:${SAVE}(?:as\\s+)?(?:an?\\s+)?drafts?|${OWN_DRAFT}|concept)(?:\\s+|$)`,
  'i',
);

/** Skips "draft", "als Entwurf" and 下書きとして, unlike "Draft beer for all" and "brouillon ou chef-d’œuvre". */
export function skipDraft(text: string): string | undefined {
  const match = DRAFT_PATTERN.exec(text);
  const isDraft = match?.index === 0 && /^(?!\p{Lu}).*(?:\s|draft|として)/u.test(match[0]);
  return isDraft ? text.slice(match[0].length) : undefined;
}

const MAX_NAME_WORDS = 12;

/** Maximum occurrences of "for" to try, because the words after each one are compared with all projects. */
const MAX_PROJECT_CANDIDATES = 3;

/** "For" in the languages of times. Only before the name of a project, because it also comes before a time. */
const PROJECT_PREFIXES = /(?<![^\s])(?:for|für|pour|para|per|por|voor)\s+/gi;

/**
 * Finds the project in "for Harbour Coffee", "for the Harbour Coffee project" or `for "Harbour Coffee"`, and removes it
 * from the head. The start of a name is enough, unless the start is a moment ("for friday"). Words that name no project
 * stay in the head. `sharedName`: the name, if several projects have it.
 */
function extractProject(
  head: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): { project?: Project; sharedName?: string; remainingHead: string } {
  for (const prefix of [...head.matchAll(PROJECT_PREFIXES)].slice(0, MAX_PROJECT_CANDIDATES)) {
    const textAfter = head.slice(prefix.index + prefix[0].length);
    const textBefore = head.slice(0, prefix.index);
    const match = findProjectName(textAfter, projects, isMoment);
    if (!match) continue;
    const name = textAfter.slice(0, match.length);
    // "Por la mañana" is a time, even if there is a project "La Mañana".
    if (!/^for\s/i.test(prefix[0]) && isMoment(`${prefix[0]}${name}`)) continue;
    const [project, ...others] = match.projects;
    const remainingHead = `${textBefore} ${textAfter.slice(match.length)}`;
    return project && others.length === 0 ? { project, remainingHead } : { sharedName: name, remainingHead };
  }
  return { remainingHead: head };
}

/** Before and after a name that stands for itself: commas, bars, dashes and brackets. */
const ENDS_CELL = /(?:^|[,，、;|(]|\s[-–—])\s*$/;
const BEGINS_CELL = /^\s*(?:$|[,，、;|)]|[-–—]\s)/;

/**
 * Finds the full name of a project without "for": "linkedin, Harbour Coffee, 9am" and "Harbour Coffee friday 9am on x". At
 * the end of the head, only after a comma: "9am on x Harbour Coffee: our story" may begin a text.
 */
function extractBareProject(head: string, projects: ProjectList, momentReader: MomentReader) {
  for (const project of projects.items) {
    const index = head.toLowerCase().indexOf(project.name.toLowerCase());
    const [before, after] = [head.slice(0, index), head.slice(index + project.name.length)];
    if (index < 0 || /[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}'’]/u.test(after)) continue;
    if (!ENDS_CELL.test(before) || (before.trim() === '' && after.trim() === '')) continue;
    if (parsePlatform(project.name) || momentReader.isMoment(project.name)) continue;
    const remainingHead = `${before.replace(/\($/, '')} ${after.replace(/^\)|^\s*[-–—|;]\s/, ' ')}`;
    const withoutDraft = remainingHead.replace(DRAFT_PATTERN, ' ');
    const { platforms, remainingHead: time } = extractPlatforms(withoutDraft, momentReader);
    const isHead = time === '' || momentReader.isWholeMoment(time);
    const isNamed = platforms.length > 0 || withoutDraft !== remainingHead;
    if (isHead && (isNamed || BEGINS_CELL.test(after))) return { project, remainingHead };
  }
  return undefined;
}

/** Skips a project without "for" in a line: `before` are the words before it. */
export function skipBareProject(
  { before, text }: { before: string; text: string },
  projects: ProjectList,
  momentReader: MomentReader,
): string | undefined {
  if (!ENDS_CELL.test(before)) return undefined;
  for (const { name } of projects.items) {
    const rest = text.slice(name.length);
    if (text.slice(0, name.length).toLowerCase() !== name.toLowerCase()) continue;
    const isCell = before.trim() !== '' && /^\s*(?:$|[,，、;|]\s*(?![\p{Ll}\s]))/u.test(rest);
    if (isCell && !parsePlatform(name) && !momentReader.isMoment(name)) return rest;
  }
  return undefined;
}

const QUOTED_NAME = /^["“„«»]([^"“”„«»]*)["“”«»]/;

/** Finds the projects with the name at the start of the text, and the length of the name. */
function findProjectName(
  text: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): { projects: readonly Project[]; length: number } | undefined {
  const quotedName = QUOTED_NAME.exec(text);
  const candidates = quotedName
    ? [{ name: quotedName[1] ?? '', length: quotedName[0].length }]
    : listNameCandidates(text);
  for (const { name, length } of candidates) {
    const found = [name, stripDeterminers(name)]
      .map((spelling) => findProjects(projects, spelling))
      .find((matches) => matches.length > 0);
    if (!found) continue;
    // `isMoment` comes last because it uses the step budget.
    if (quotedName || isFullName(projects.items, name) || !isMoment(name)) return { projects: found, length };
  }
  return undefined;
}

/** Finds the project that the whole text names, or several with the same name. */
function findProjects(projects: ProjectList, text: string): readonly Project[] {
  const resolution = resolveProject(projects, [], text);
  if (text.trim() === '' || resolution.kind === 'none' || resolution.rest !== '') return [];
  return resolution.kind === 'one' ? [resolution.project] : resolution.projects;
}

/** "The Harbour Coffee project" is the project "Harbour Coffee". */
function stripDeterminers(name: string): string {
  return name.replace(/^(?:the|our|my)\s+|(?<!\s)\s+(?:project|account|brand|client)$/gi, '');
}

/** Lists the candidates for a project's name at the start of the text, longest first. */
function listNameCandidates(text: string): { name: string; length: number }[] {
  const ends = [...text.matchAll(/\S+/g)].slice(0, MAX_NAME_WORDS).map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: text.slice(0, end).replace(/[,.;]$/, ''), length: end }));
}

function isFullName(projects: readonly Project[], text: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return projects.some(({ id, name }) => [name.toLowerCase(), id.toLowerCase()].includes(lowerCaseText));
}

/** Maximum length of a name that is no project's, in words. Each one costs a reading of the words after it. */
const MAX_UNKNOWN_WORDS = 5;

/** "For monday or friday" names no project, unlike "for Monday Club". */
export const CONTINUES_MOMENT =
  /^(?:or|and|to|until|till|through|oder|of|bis|ou|o|hasta|fino|até|tot|-|–|&)(?:\s|$)/i;

/** "2 for 1" names no project. */
const UNKNOWN_PREFIX = /(?<!\S)for\s+(?!(?<=\d\s+for\s+)\d)/gi;

/**
 * Finds the name in "for the bookshop" or "for Spring campaign tomorrow 9am": the words after "for" that neither are a
 * moment nor begin one. `start` is the index of "for".
 */
export function findUnknownProject(
  head: string,
  { findLeadingMoments }: Pick<MomentReader, 'findLeadingMoments'>,
): { name: string; start: number; remainingHead: string } | undefined {
  for (const prefix of [...head.matchAll(UNKNOWN_PREFIX)].slice(0, MAX_PROJECT_CANDIDATES)) {
    const textAfter = head.slice(prefix.index + prefix[0].length).trimEnd();
    const length = findUnknownName(textAfter, findLeadingMoments);
    if (length === undefined) continue;
    const remainingHead = `${head.slice(0, prefix.index)} ${textAfter.slice(length)}`
      .replace(/\s+/g, ' ')
      .trim();
    const name = textAfter.slice(0, length).replace(/^["“„«»]|(?<!["“”«»,])["“”«»,]+$/g, '');
    return { name, start: prefix.index, remainingHead };
  }
  return undefined;
}

/** Finds the length of the name: up to the closing quote, or up to a moment or the end. */
function findUnknownName(
  text: string,
  findLeadingMoments: MomentReader['findLeadingMoments'],
): number | undefined {
  const quotedName = QUOTED_NAME.exec(text);
  if (quotedName) return quotedName[0].length;
  const leading = findLeadingMoments(text);
  if (text === '' || leading?.rest === '' || CONTINUES_MOMENT.test(leading?.rest ?? '')) return undefined;
  const ends = [...text.matchAll(/\S+/g)].map((word) => word.index + word[0].length);
  return ends.slice(0, MAX_UNKNOWN_WORDS).find((end) => {
    const rest = text.slice(end).replace(/^[\s,]+/, '');
    return rest === '' || findLeadingMoments(rest)?.rest === '';
  });
}

/** "For the bookshop" or "for Spring campaign", without the text of a post: "for the bookshop Hello". */
const LAST_PROJECT = /^for\s+(?:(?:the|our|my)\s+)?(?!\p{Ll}\S*\s+\p{Lu})\S+(?:\s+\S+)?(?<![!?…])$/u;

/** Skips a project at the start of the text. Also skips an unknown one if no text follows it. */
export function skipProject(text: string, projects: ProjectList, momentReader: MomentReader) {
  const isUnknown = () =>
    LAST_PROJECT.test(text) && findUnknownProject(text, momentReader)?.remainingHead === '';
  return skipKnownProject(text, projects, momentReader) ?? (isUnknown() ? '' : undefined);
}

/** In other languages than English, only with a capital, because "pour" and "per" have other meanings. */
const LEADING_PROJECT = /^(?:[Ff]or\s+|(?:für|pour|para|per|por|voor)\s+(?=["“„«]?\p{Lu}))/u;

export function skipKnownProject(text: string, projects: ProjectList, { isMoment }: MomentReader) {
  const [prefix] = LEADING_PROJECT.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  const name = findProjectName(text.slice(prefix.length), projects, isMoment);
  return name && text.slice(prefix.length + name.length);
}

/**
 * Finds the platforms in "on x, linkedin and fb", with or without "on", and removes them from the head. "All" means all
 * platforms only in "on all", in "all platforms" or within a list.
 */
function extractPlatforms(
  head: string,
  momentReader: MomentReader,
): { platforms: Platform[]; unknownPlatforms: string[]; isApart: boolean; remainingHead: string } {
  const everywhere = findEverywhere(head);
  if (everywhere) {
    const [before, after] = [head.slice(0, everywhere.index), head.slice(everywhere.end)];
    const found = extractPlatforms(`${before} ${after}`, momentReader);
    // "Vendredi 9h partout en France" isn't about platforms.
    const isApart = before.trim() === '' || /^\s*(?:$|[,，、])/.test(after);
    if (isApart && momentReader.isMoment(found.remainingHead))
      return { ...found, platforms: [...ALL_PLATFORMS] };
  }
  const words = separatePlatforms(head).match(/[^\s,，、]+|[,，、]/g) ?? [];
  const foundPlatforms: Platform[] = [];
  const unknownPlatforms: string[] = [];
  const otherWords: string[] = [];
  let isInList = false;
  let listCount = 0;
  let separators: string[] = [];
  for (const [index, word] of words.entries()) {
    // "On x, all" means all platforms, unlike "on x all day".
    const isNext = isInList && separators.length > 0;
    // A full stop after a name ends the head or a cell of it: "tomorrow 9am, x.", "X. Tomorrow 9am."
    const name = /^\p{Ll}/u.test(words[index + 1] ?? '') ? word : word.replace(/[.。]$/, '');
    const platforms = parsePlatformWord(name, words[index - 1], words[index + 1], isNext);
    const followsPrefix = isInList || BEFORE_PLATFORMS.test(words[index - 1] ?? '');
    const isUnknown = !platforms && followsPrefix && isOtherNetwork(word) && !momentReader.isMoment(word);
    if (platforms || isUnknown) {
      foundPlatforms.push(...(platforms ?? []));
      if (isUnknown) unknownPlatforms.push(word);
      if (!isInList && BEFORE_PLATFORMS.test(otherWords.at(-1) ?? '')) otherWords.pop();
      if (!isInList) listCount += 1;
      isInList = true;
      separators = [];
    } else if (
      isInList &&
      (BETWEEN_PLATFORMS.test(word) || (separators.length > 0 && isPrefixInList(word, momentReader)))
    )
      separators.push(word);
    else if (isInList && LIST_SUFFIX.test(word)) isInList = false;
    else if (ONLY_WORD.test(word) && isOnlyOn(words, index, isInList)) continue;
    else {
      otherWords.push(...separators, word);
      separators = [];
      isInList = false;
    }
  }
  otherWords.push(...separators.filter((word) => !isConjunction(word, momentReader.locale)));
  const remainingHead = joinWords(otherWords);
  const lastUnknown = extractUnknownPlatform(remainingHead, momentReader);
  return {
    platforms: [...new Set(foundPlatforms)],
    unknownPlatforms: [...unknownPlatforms, ...(lastUnknown ? [lastUnknown.name] : [])],
    isApart: listCount > 1,
    remainingHead: lastUnknown?.remainingHead ?? remainingHead,
  };
}

/** Whether "only" at the index is about platforms: "x only, 9am" and "only on x", unlike "x only 9am". */
function isOnlyOn(words: readonly string[], index: number, isInList: boolean): boolean {
  const [word = '', next, afterNext] = words.slice(index);
  if (next === undefined || (isInList && BETWEEN_PLATFORMS.test(next))) return isInList;
  // "Only on X: the reveal" begins a text.
  if (index === 0 || isInList || word !== word.toLowerCase()) return false;
  return parsePlatform(BEFORE_PLATFORMS.test(next) ? (afterNext ?? '') : next) !== undefined;
}

/** "X and no linkedin" means both only in Portuguese. */
function isPrefixInList(word: string, { locale = 'en' }: MomentReader): boolean {
  return BEFORE_PLATFORMS.test(word) && (word.toLowerCase() !== 'no' || locale.startsWith('pt'));
}

/** Finds the name in "on myspace", if the other words of the head name a moment, or if there are none. */
function extractUnknownPlatform(head: string, { isMoment }: MomentReader) {
  const [match, before = '', name = '', after = ''] =
    /^(.*?)(?<![^\s,])(?:on|via)\s+([^\s,]+)(.*)$/is.exec(head) ?? [];
  if (match === undefined || isMoment(head) || isMoment(name)) return undefined;
  const remainingHead = joinWords([before.trim(), after.trim()].filter((part) => part !== ''));
  return remainingHead === '' || isMoment(remainingHead) ? { name, remainingHead } : undefined;
}

/** Joins words and commas, without commas at the ends and dashes at the end. */
function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ (?=[,，、])/g, '')
    .replace(/^[\s,，、]+|(?<![\s,，、])(?:(?:^|\s)[-–—]|[\s,，、])+$/g, '');
}

/** Finds the project, platforms and "draft" in the head. `momentHead`: the other words. */
export function findNames(head: string, projects: ProjectList, momentReader: MomentReader) {
  // First at the start, because "concept voor Harbour Coffee" is a draft and "concept" alone is none.
  const isConcept = momentReader.locale?.startsWith('nl') && /^\s*concept\s*$/i.test(head);
  const isDraftAtStart = isConcept || DRAFT_PATTERN.exec(head)?.index === 0;
  const headAfterDraft = isDraftAtStart ? head.replace(isConcept ? /concept/i : DRAFT_PATTERN, '') : head;
  const withPrefix = extractProject(headAfterDraft, projects, momentReader.isMoment);
  const isUnnamed = !withPrefix.project && withPrefix.sharedName === undefined;
  const bare = isUnnamed ? extractBareProject(headAfterDraft, projects, momentReader) : undefined;
  const named: typeof withPrefix = bare ?? withPrefix;
  const { project, remainingHead: headWithoutProject } = named;
  const headWithoutDraft = headWithoutProject.replace(DRAFT_PATTERN, ' ');
  const { remainingHead, ...found } = extractPlatforms(headWithoutDraft, momentReader);
  // After the platforms, because "for the bookshop on x" names both.
  const unknown =
    project || named.sharedName !== undefined ? undefined : findUnknownProject(remainingHead, momentReader);
  const unknownProject = named.sharedName ?? unknown?.name;
  return {
    momentHead: unknown?.remainingHead ?? remainingHead,
    remainingHead,
    unknown,
    isDraft: headAfterDraft !== head || headWithoutDraft !== headWithoutProject,
    ...found,
    ...(project && { project }),
    ...(unknownProject !== undefined && { unknownProject }),
  };
}
