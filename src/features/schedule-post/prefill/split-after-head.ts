import type { ProjectList } from '../../../posts/project.ts';
import {
  CONTINUES_MOMENT,
  DRAFT_HEAD,
  findNames,
  findUnknownProject,
  type MomentReader,
  skipBareProject,
  skipDraft,
  skipKnownProject,
  skipProject,
} from './line-names.ts';
import { findSentenceStart, findTimeCell, goesOn, mayBeSentence, nameAtStart } from './sentence-start.ts';
import { skipPlatform } from './skip-platform.ts';

/** A dash before the text, but not that of a list or, after a time, of a range: "friday 9am - We are live". */
const LEADING_DASH = /^[-–—]\s+(?=\D[^\n]*$)/;
const DASH_AFTER_NAME = /^[-–—]\s+(?=[^\n]*$)/;

/**
 * Splits a line without a colon or quotes: into moments, platforms, project and draft at its start, and the text.
 * `hasMoment`: whether there is one. `unclear`: words at the start of the text that may be a part of it.
 */
export function splitAfterHead(
  line: string,
  projects: ProjectList,
  momentReader: MomentReader,
  mayBeTitle = true,
): { head: string; text: string; hasMoment: boolean; unclear?: string | undefined } {
  const trimmedLine = line.trim();
  let text = trimmedLine;
  let hasMoment = false;
  /** The first moment. The other half of a day or an hour may follow the names after it. */
  let half: ReturnType<MomentReader['findLeadingMoments']>;
  let isAfterName = false;
  let isAfterPlatform = false;
  let unclear: string | undefined;
  for (;;) {
    const isStart = text === trimmedLine;
    if (hasMoment && mayBeDraftOf(text, projects, momentReader)) break;
    const before = trimmedLine.slice(0, trimmedLine.length - text.length);
    const other: string | undefined =
      skipDraftOf(text, momentReader) ??
      (isStart || !isAfterName ? skipDraftHead(text, projects, momentReader, isStart) : undefined) ??
      skipProject(text, projects, momentReader) ??
      skipBareProject({ before, text }, projects, momentReader) ??
      (isStart ? skipFirstProject(text, projects, momentReader) : undefined);
    const restWithoutMoment: string | undefined =
      other ??
      skipPlatform(text, momentReader, {
        isFurther: isAfterPlatform,
        isStart,
        isTimed: hasMoment,
        isCell: /,\s*$/.test(before),
      });
    isAfterPlatform = other === undefined && restWithoutMoment !== undefined;
    const isHalf = restWithoutMoment === undefined && isAfterName;
    const otherHalf = half && isHalf ? findOtherHalf(half, text, momentReader) : undefined;
    if (otherHalf?.isUnclear) unclear = otherHalf.words;
    const restAfterHalf = otherHalf && !otherHalf.isUnclear ? text.slice(otherHalf.words.length) : undefined;
    const rest: string | undefined =
      restWithoutMoment ??
      (hasMoment ? restAfterHalf : skipMoment(text, isStart && mayBeTitle, projects, momentReader));
    if (rest === undefined) break;
    const isNamed = isAfterName;
    isAfterName = restWithoutMoment !== undefined;
    if (!isAfterName)
      half = hasMoment ? undefined : momentReader.findLeadingMoments(text, isStart && mayBeTitle);
    hasMoment ||= !isAfterName;
    const cell = isAfterName ? undefined : findTimeCell(text, half, isNamed, projects, momentReader);
    if (cell && cell.more !== '') {
      if (momentReader.isWholeMoment(cell.more)) unclear = cell.more;
      text = cell.rest;
      break;
    }
    const sentence = isAfterName || !half ? undefined : findSentenceStart(half, projects, momentReader);
    if (half && sentence) {
      if (sentence.isUnclear) unclear = sentence.words;
      text = text.slice(half.words.length - sentence.words.length);
      break;
    }
    if (half && isNamed && !isAfterName && mayBeSentence(half, projects, momentReader)) {
      hasMoment = false;
      break;
    }
    const dash = isAfterName ? DASH_AFTER_NAME : LEADING_DASH;
    text = rest.replace(/^[\s,;，、。]+/, '').replace(dash, '');
  }
  return { head: trimmedLine.slice(0, trimmedLine.length - text.length), text, hasMoment, unclear };
}

/** "Friday", "Black Friday" and "Freitag Abend", and nothing in small letters. */
export const NAMES = /^\p{Lu}[\p{L}'’]*(?:\s\p{Lu}[\p{L}'’]*)*$/u;

/** A German date before a name, as in "am 3. Dezember Abend der offenen Tür", unlike "am 3. Dezember Abend auf x". */
const DATE_BEFORE_NAME =
  /(?<=^(?:\S+\s){0,2}(?:\d+\.\d+\.?|\d+\.\s\p{Lu}\p{Ll}+)(?:\s?\d{4})?)\s(?=(?:\p{Lu}\p{Ll}+tag|Mittwoch|Abend|Nacht)\s(?!(?:auf|für)\s)\p{Ll})/u;

/** Skips the moments at the start. "Friday deals at our shop" is a sentence, unlike "friday Latte art". */
function skipMoment(text: string, isStart: boolean, projects: ProjectList, momentReader: MomentReader) {
  const leading = momentReader.findLeadingMoments(text, isStart);
  const [date = '', rest = ''] = momentReader.locale?.startsWith('de') ? text.split(DATE_BEFORE_NAME) : [];
  if (rest !== '' && !leading?.said?.saysTime && momentReader.isWholeMoment(date)) {
    const name = nameAtStart(rest.replace(/^\S+\s/, ''), projects, momentReader);
    if (name === '') return rest;
  }
  if (!leading) {
    const cell = findTimeCell(text, leading, false, projects, momentReader);
    if (cell) return cell.rest;
    // "9 on x", unlike "4 for 3", "15 on x" and "now on x".
    const [hour = '', rest = ''] = text.split(/\s(.*)/s);
    const isHour = () =>
      /\s/.test(nameAtStart(rest, projects, momentReader)) &&
      [hour, `in ${hour} days`].every(momentReader.isWholeMoment);
    return isHour() ? rest : undefined;
  }
  if (goesOn(leading.rest, momentReader)) return '';
  const isSentence = NAMES.test(leading.words) && /^\p{Ll}/u.test(leading.rest);
  // "On" can begin a list of platforms that follows: "Tomorrow on x".
  if (isSentence && !/^(?:on|for)\s/.test(leading.rest)) {
    // "Freitag Abend auf x" and "Black Friday instagram", unlike "Friday draft beer".
    const name = nameAtStart(leading.rest, projects, momentReader);
    if (name === '' || !/\s/.test(leading.words + name)) return undefined;
  }
  // "For the bookshop" is no part of a moment.
  const unknownProject = findUnknownProject(leading.words, momentReader);
  if (!unknownProject) return leading.rest;
  const { start } = unknownProject;
  return momentReader.isMoment(text.slice(0, start)) ? text.slice(start) : undefined;
}

/** The words of an hour or a day, and some after them. More would take steps in vain. */
const FEW_WORDS = /^(?:\S+\s+){0,5}\S+/;

/** The hour or day of a time. "Since 2019" and "Every Friday" rather begin a sentence. */
const SHORT_NUMBER = /(?<!\d)\d{1,2}(?!\d)/;

/** Maximum length of a time that can't be used, in UTF-16 units. */
export const MAX_TIME_LENGTH = 80;

/**
 * Splits a line that begins with a time that can't be used: "friday until 5pm on x New menu", "monday to friday New
 * menu", "every monday 9am on x Hi". `split`: the line after its first moment.
 */
export function splitAfterRefused(
  line: string,
  split: { head: string; text: string },
  projects: ProjectList,
  momentReader: MomentReader,
): { head: string; text: string } | undefined {
  const { findLeadingMoments, isMoment, isRefused } = momentReader;
  const [dash = ''] = /(?<!\s)\s*(?:[-–—]\s*)?$/.exec(split.head) ?? [];
  // Read only when needed, because reading takes steps.
  const readFirst = () => findLeadingMoments(split.head.slice(0, split.head.length - dash.length));
  // "Monday to friday" and "mon - fri", unlike "monday - Tuesday Specials".
  const mayGoOn = dash.trim() === '' ? CONTINUES_MOMENT.test(split.text) : !/^\p{Lu}/u.test(split.text);
  const isCutOff = () => mayGoOn && readFirst()?.rest === '';
  // "Every tuesday & thursday 7am" lists days, but can't be used.
  const isUsable = (time: string) => isMoment(time) && !(split.head === '' && isRefused(time));
  const accepts = (time: string) =>
    (SHORT_NUMBER.test(time) || !/^\p{Lu}/u.test(line)) &&
    !isUsable(time) &&
    (isRefused(time) || goesOn(findLeadingMoments(time)?.rest ?? '', momentReader));
  for (const { index } of line.slice(0, MAX_TIME_LENGTH).matchAll(/(?<=\s)\S/g)) {
    const names = line.slice(index);
    if (nameAtStart(names, projects, momentReader) === '') continue;
    if (isUsable(line.slice(0, index))) return undefined;
    const { head, text } = splitAfterHead(names, projects, momentReader, false);
    const whole = line.slice(0, line.length - text.length);
    const { platforms, momentHead } = findNames(whole, projects, momentReader);
    const isText = platforms.length > 0 && head !== '' && (!/^\p{Ll}/u.test(text) || isCutOff());
    return isText && accepts(momentHead) ? { head: whole, text } : undefined;
  }
  const rest = split.text.replace(CONTINUES_MOMENT, '');
  // "To Monday Club" may name a project.
  const isProject = () => skipKnownProject(`for ${rest}`, projects, momentReader) !== undefined;
  const [start = ''] = FEW_WORDS.exec(rest) ?? [];
  const other = isCutOff() && !isProject() ? findLeadingMoments(start) : undefined;
  // "Tomorrow 9am until friday 20% off" has a whole time before the text.
  const isWhole = readFirst()?.said?.saysTime && !other?.said?.saysTime;
  const text = `${other?.rest}${rest.slice(start.length)}`.trim();
  if (!other || isWhole || /^\p{Ll}/u.test(text)) return undefined;
  const whole = line.slice(0, line.length - text.length);
  return accepts(findNames(whole, projects, momentReader).momentHead) ? { head: whole, text } : undefined;
}

/** After an hour and a platform, "Heute" begins a text, unlike "heute", "Freitag" and "Heiligabend". */
const GERMAN_START = /^Heute(?!\p{L})/u;

/**
 * Finds the hour in "friday on x at 9" or the day in "at 9 on x friday", but not "Friday feeling", "noon special".
 * `isUnclear`: whether they may be the text instead, as in "friday on x at 9 we open" and "um 9 auf x Heute: Messe".
 */
function findOtherHalf(
  { words, said }: NonNullable<ReturnType<MomentReader['findLeadingMoments']>>,
  text: string,
  { findLeadingMoments, isWholeMoment, isSame, locale }: MomentReader,
): { words: string; isUnclear: boolean } | undefined {
  if (said?.saysDay === said?.saysTime) return undefined;
  const whole = findLeadingMoments(`${words} ${FEW_WORDS.exec(text)?.[0] ?? ''}`);
  const other = whole?.words.slice(words.length + 1) ?? '';
  if (!whole?.said?.saysDay || !whole.said.saysTime || other === '') return undefined;
  const isUnclear = /^\p{Ll}/u.test(whole.rest) || (whole.rest === '' && GERMAN_START.test(other));
  if (isUnclear && said?.saysDay && !/\d/.test(other)) return undefined;
  // German has capitals for "Freitag" and for the word after "zwei" too.
  const isName = locale?.startsWith('de')
    ? whole.rest !== '' && /^[\p{L}\s]+$/u.test(other) && (said?.saysDay || /^\p{Lu}/u.test(other))
    : /^\p{Lu}/u.test(other);
  // "Um 18 Uhr auf x Freitag Neue Folge": both the day and the text have capitals.
  if (isName && locale?.startsWith('de') && !said?.saysDay && !isSame(whole.words, words))
    return { words: other, isUnclear: true };
  if (isName || /['’]s$|^\d{3,4}$/.test(other)) return undefined;
  // "Tonight on x tonight at 8" has the day twice.
  const isTwice = () => said?.saysDay && findLeadingMoments(text)?.said?.saysDay;
  return isWholeMoment(whole.words) && !isTwice() ? { words: other, isUnclear } : undefined;
}

/** "Draft" as phones write it, and in other languages: not part of a sentence if a name or a time follows, or nothing. */
function skipDraftHead(
  text: string,
  projects: ProjectList,
  momentReader: MomentReader,
  isStart: boolean,
): string | undefined {
  const [draft = ''] = DRAFT_HEAD.exec(text) ?? [];
  if (draft === '') return undefined;
  const next = text.slice(draft.length);
  if (skipKnownProject(next, projects, momentReader) !== undefined) return next;
  const rest = next.replace(/^(?:,|for|für|pour|para(?: el)?|per|voor)\s+/i, '');
  const isHead =
    nameAtStart(rest, projects, momentReader) !== '' ||
    (isStart && (rest === '' || momentReader.findLeadingMoments(rest, false) !== undefined));
  return isHead ? rest : undefined;
}

/** Skips "draft", and "for" before a platform: "save as draft for x". */
function skipDraftOf(text: string, momentReader: MomentReader): string | undefined {
  const rest = skipDraft(text);
  const bare = rest?.replace(/^\s+for\s+(?=\S)/, '');
  if (bare === undefined || bare === rest) return rest;
  return skipPlatform(bare, momentReader) === undefined ? rest : bare;
}

/** "Draft beer is back" after a time and a platform, unlike "draft Hello" and "draft for x". */
function mayBeDraftOf(text: string, projects: ProjectList, momentReader: MomentReader): boolean {
  const rest = skipDraftOf(text, momentReader);
  if (rest === undefined || !/^\s+\p{Ll}/u.test(rest)) return false;
  const next = rest.trimStart();
  const isName =
    nameAtStart(next, projects, momentReader) !== '' || skipProject(next, projects, momentReader);
  return !isName && momentReader.findLeadingMoments(next, false) === undefined;
}

/** Skips a project at the start of a line, if a platform and an hour follow: "Harbour Coffee, friday 9am on x". */
function skipFirstProject(
  text: string,
  projects: ProjectList,
  momentReader: MomentReader,
): string | undefined {
  for (const { name } of projects.items) {
    if (text.slice(0, name.length).toLowerCase() !== name.toLowerCase()) continue;
    const rest = text.slice(name.length);
    const next = rest.replace(/^\s*[,;|]?\s+/, '');
    if (next === rest || momentReader.isMoment(name)) continue;
    const { head } = splitAfterHead(next, projects, momentReader, false);
    const { platforms, momentHead } = findNames(head, projects, momentReader);
    const saysHour = momentReader.findLeadingMoments(momentHead, false)?.said?.saysHour;
    if (platforms.length > 0 && saysHour) return rest;
  }
  return undefined;
}
