import { isConjunction, parsePlatform, spaceJapaneseCommas } from '../../../posts/platforms.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { ONLY } from '../../../when/recurrence.ts';
import { hasStepsLeft } from '../../../when/when.ts';
import { CONTINUES_MOMENT, findNames, type MomentReader } from './line-names.ts';
import { isOtherNetwork, ONLY_WORD } from './platform-words.ts';
import { goesOn, MEAL } from './sentence-start.ts';
import { MAX_TIME_LENGTH, NAMES, splitAfterHead, splitAfterRefused } from './split-after-head.ts';
import { isColon, joinCells, type LineParts, splitLine } from './split-line.ts';
import {
  endsWithHour,
  findFeast,
  findOfferAtEnd,
  namesZone,
  offerAfterQuotes,
  offerNames,
  offerTimeAtStart,
  offerUnread,
  type ParsedLine,
  weighLine,
} from './weigh-line.ts';
import { ABOUT_POST, LABEL, MORE_ABOUT_POST } from './words-about-posts.ts';

/** A zone such as “Kölner Zeit”, or a text such as “Schöner Zeit”: published, and a note quotes it. */
const PERHAPS_ZONE = /^\p{Lu}\p{Ll}+er\s[Zz]eit$/u;

/** "Friday 9am In Two Weeks" is a time, unlike "Friday 9am Black Friday". */
const GOES_ON = /^(?:in|on|a|the|next|this)\s/i;

/** "Now through sunday" before a colon begins a text, because nothing can be posted then. */
const OPEN_RANGE = /(?<!\S)(?:(?:from\s)?now\s(?:until|till|through|to)|not\sbefore|nicht\svor)\s[^\d]*$/i;

/** "Heute", "1. Advent", a year, and 月曜, whose script has no capitals. */
const CAPITAL = /^(?:20\d\d(?!\S)|(?:\d+\.\s)?[\p{Lu}\p{Lo}])/u;

/** "Week 2" before a colon begins a text, unless it's the week of a day: "monday week 2". "Week 50" is a time. */
const EPISODE = /(?<!\S)(?:week|woche|semaine|semana|settimana)\s\d\s*$/i;

/** Matches "please schedule this" or "can you post" at the start of a line, if only words of instructions follow. */
const VERB =
  /^(?:(?:please|pls|can\s+you|could\s+you)\s+)*(?:schedule|publish|post|queue|send|put)(?:\s+(?:it|this|that))?(?:\s+|$)/i;

/** "Please" before another word of such a line. */
const PLEASE = /^(?:(?:please|pls)\s+)+(?=(?:schedule|publish|post|queue|send|put)\s)/i;

/** "Can you post: photos" can be the text, unlike "please post: photos" and "can you post this: photos". */
const QUESTION = /^(?:can|could)\s+you\s+\p{L}+\s*[:：]/iu;

/**
 * Parses a line. Without a colon or quotes, the text begins after the last word that names a moment, a platform, a
 * project or a draft. A line that doesn't begin with these words is all text: "Sale ends friday: shop now". Pure.
 */
export function parseLine(typed: string, projects: ProjectList, momentReader: MomentReader): ParsedLine {
  const spaced = spaceJapaneseCommas(typed);
  const line = joinCells(spaced, projects, momentReader);
  const read = readLine(line, projects, momentReader);
  // Out of steps, times and names may be missing.
  if (!hasStepsLeft()) return parseHead({ head: '', text: typed.trim() }, projects, momentReader).parsedLine;
  const parsed = weighLine(line, read, momentReader);
  const found =
    parsed.text === line.trim()
      ? findOfferAtEnd(parsed.text, VERB, projects, momentReader)
      : (offerUnread(line, parsed) ??
        offerAfterNames(parsed, projects, momentReader) ??
        offerTimeAtStart(line.trim(), parsed, momentReader) ??
        offerNames(line, parsed, projects, momentReader) ??
        offerAfterQuotes(parsed, projects, momentReader));
  const offer = parsed.offer ?? found;
  // The text keeps its commas and bars.
  const asTyped = (read: ParsedLine): ParsedLine => {
    if (read.text === line.trim()) return { ...read, text: typed.trim() };
    const start = spaced.lastIndexOf(read.text);
    return start < 0 ? read : { ...read, text: typed.slice(start, start + read.text.length) };
  };
  return offer ? { ...asTyped(parsed), offer: asTyped(offer) } : asTyped(parsed);
}

/**
 * Offers the time after a colon that follows only names, because it may be text: "for Acme: friday 9am x, Hello", "x:
 * friday 9am: Hello". A day without an hour rather begins the text.
 */
function offerAfterNames(
  { text, ...parsed }: ParsedLine,
  projects: ProjectList,
  reader: MomentReader,
): ParsedLine | undefined {
  if (parsed.when !== '' || parsed.unreadWords !== '') return undefined;
  const {
    text: rest,
    when,
    platforms: more,
    isDraft,
    unreadWords,
    ...others
  } = readLine(text, projects, reader);
  const platforms = [...new Set([...parsed.platforms, ...more])];
  const isKnown = others.unknownPlatforms.length === 0 && others.unknownProject === undefined;
  if (rest === '' || rest === text || unreadWords !== '' || !isKnown) return undefined;
  const isMore = platforms.length > parsed.platforms.length || (isDraft && !parsed.isDraft);
  // "For Acme: draft: Hello" and "x: linkedin: Hello".
  if (when === '' && isMore && text.endsWith(`: ${rest}`))
    return { ...parsed, text: rest, platforms, isDraft: parsed.isDraft || isDraft };
  if (platforms.length === 0) return undefined;
  const { said } = reader.findLeadingMoments(when, false) ?? {};
  if (!said?.saysDay || !said.saysTime || !reader.isWholeMoment(when)) return undefined;
  return { ...parsed, text: rest, when, platforms, isDraft: parsed.isDraft || isDraft };
}

function readLine(line: string, projects: ProjectList, momentReader: MomentReader): ParsedLine {
  const { around, ...parts } = splitLine(line);
  const sentence = around && readSentence({ ...around, quoted: parts.text ?? '' }, projects, momentReader);
  if (around && sentence === 'begun') {
    const { before, after } = around;
    const text = line.slice(before.length).trim();
    const { parsedLine } = parseHead({ head: before, text }, projects, momentReader);
    // The words after the quotes may be an instruction instead: "image attached".
    return { ...parsedLine, unreadWords: EMOJI_ONLY.test(after.trim()) ? '' : after.trim() };
  }
  const lineParts = sentence === 'text' ? { head: line } : parts;
  if (lineParts.text === undefined) return parseWithoutColon(lineParts.head, projects, momentReader);
  const episode = !around && isColon(line, lineParts.head.length) ? EPISODE.exec(lineParts.head) : null;
  if (episode) {
    const before = parseLine(line.slice(0, episode.index), projects, momentReader);
    if (before.text === '' && /^$|\d/.test(before.when))
      return { ...before, text: line.slice(episode.index).trim() };
  }
  const head = lineParts.head.trim().replace(VERB, '');
  const isStart = head === lineParts.head.trim();
  const whole = parseHead({ ...lineParts, head }, projects, momentReader, isStart);
  const split = splitAfterHead(head, projects, momentReader, isStart);
  const readStart = () =>
    parseHead({ ...lineParts, head: split.head }, projects, momentReader, isStart).parsedLine;
  const label = split.text.replaceAll(/\s+/g, ' ');
  // "9 on x hello" has a time, and "9 hello" none.
  const start = whole.parsedLine.when === '' ? readStart() : undefined;
  const parsedLine = start?.when ? { ...start, unreadWords: label } : whole.parsedLine;
  const isInstruction =
    !/^:\S+:\s/.test(head) &&
    ((head === '' && !QUESTION.test(line.trim())) ||
      split.head !== '' ||
      isMomentHead(whole.momentWords, isStart, momentReader));
  const isWholeTime = (words: string) =>
    momentReader.isWholeMoment(words) || momentReader.findLeadingMoments(words)?.rest === '';
  // "Heure de Paris" is a zone, unlike "heure de Provence".
  const isAboutPost = () =>
    ABOUT_POST.test(label) && (parsedLine.unreadWords !== '' || !isWholeTime(parsedLine.when));
  if (split.head !== '' && LABEL.test(label)) return readStart();
  if (split.head !== '' && isAboutPost()) return { ...readStart(), unreadWords: label };
  // In a line with quotes, the head is no start of it.
  const isBeforeColon = !around && isColon(line, lineParts.head.length);
  const openRange = isBeforeColon ? OPEN_RANGE.exec(lineParts.head) : null;
  if (openRange && !momentReader.isMoment(whole.momentWords)) {
    const { index } = openRange;
    const before = parseHead({ head: line.slice(0, index), text: line.slice(index) }, projects, momentReader);
    if (before.parsedLine.when + before.parsedLine.unreadWords === '') return before.parsedLine;
  }
  if (!isInstruction || (isBeforeColon && isWholeTitle(head, split.head, whole, momentReader)))
    return parseHead({ head: '', text: line.trim() }, projects, momentReader).parsedLine;
  const isProject = projects.items.some(({ name }) => name.toLowerCase() === label.toLowerCase());
  const startTextAt = (words: string) => line.slice(lineParts.head.trimEnd().length - words.length).trim();
  // "Friday 9am x LinkedIn: tips" lists platforms, or the text is for X. The list is offered.
  const isAfterName = () => /[^\s,，、&+/|–-]\s$/u.test(split.head) && readStart().platforms.length > 0;
  const saysHour = () => momentReader.findLeadingMoments(parsedLine.when, false)?.said?.saysHour;
  if (
    isBeforeColon &&
    /^\p{Lu}\S+$/u.test(split.text) &&
    parsePlatform(split.text) &&
    isAfterName() &&
    saysHour()
  )
    return { ...readStart(), text: startTextAt(split.text) };
  if (isBeforeColon && goesOnInText(split, whole, projects, momentReader)) {
    const read = readStart();
    const isNoted = isProject || !CAPITAL.test(split.text) || read.platforms.length === 0;
    return { ...read, text: startTextAt(split.text), unreadWords: split.unclear ?? (isNoted ? label : '') };
  }
  if (isBeforeColon && isStartOfText(split, parsedLine, momentReader)) {
    const read = parsedLine.unreadWords === label ? parsedLine : readStart();
    // "On linkedin company page: Hello" may name a platform.
    const isSure =
      CAPITAL.test(split.text) ||
      (/\s/.test(label) && split.head.trimEnd().endsWith(read.when) && !momentReader.isFaulty(label));
    const isPublished =
      isSure && !isProject && !PERHAPS_ZONE.test(label) && !endsWithHour(split.text, momentReader);
    const unreadWords = isPublished ? (split.unclear ?? '') : label;
    return { ...read, text: startTextAt(split.text), unreadWords };
  }
  const feast = isBeforeColon && split.text === '' ? findFeast(head, projects, momentReader) : '';
  // The feast may be the day, the title or both.
  if (feast !== '') return { ...parsedLine, text: startTextAt(feast) };
  if (sentence !== 'noted' || parsedLine.unreadWords !== '') return parsedLine;
  return { ...parsedLine, unreadWords: momentReader.findLeadingMoments(parsedLine.when)?.rest ?? '' };
}

/** Parses a line without a colon or quotes. */
function parseWithoutColon(head: string, projects: ProjectList, momentReader: MomentReader): ParsedLine {
  const withoutPlease = head.trim().replace(PLEASE, '');
  if (withoutPlease !== head.trim()) {
    const parsed = parseWithoutColon(withoutPlease, projects, momentReader);
    if (parsed.text !== withoutPlease) return parsed;
  }
  const start = splitAfterHead(head, projects, momentReader);
  // "20 Uhr auf x Heute" has no text, unlike "x, quinta 12h, Hora do almoço!".
  const hasNoText = start.text !== '' && start.text === start.unclear && !/[!?！？]$/.test(start.text);
  const split = hasNoText ? { head, text: '' } : start;
  // "Friday 9am - 11am" and "every monday 9am on x" have no text.
  const mayGoOn = split.head === '' || /\d/.test(split.text) || /[-–—]\s*$/.test(split.head);
  if (split.text !== '' && mayGoOn && head.length <= MAX_TIME_LENGTH) {
    const { momentHead } = findNames(head, projects, momentReader);
    if (momentReader.isRefused(momentHead) && !momentReader.isMoment(momentHead))
      return parseHead({ head }, projects, momentReader).parsedLine;
  }
  const refused = splitAfterRefused(head.trim(), split, projects, momentReader);
  const { parsedLine } = parseHead(refused ?? split, projects, momentReader);
  const unclear = split === start && !refused ? start.unclear : undefined;
  return unclear === undefined ? parsedLine : { ...parsedLine, unreadWords: unclear };
}

/**
 * Reads whether quotes after a time stand in a sentence, as in "friday our “Spring” sale", or begin it, as in "friday
 * “Spring” sale", unlike "friday post “Hi” on x". If a platform or project follows, the sentence is only noted.
 */
function readSentence(
  { before, after, quoted }: NonNullable<LineParts['around']> & { quoted: string },
  projects: ProjectList,
  momentReader: MomentReader,
): 'text' | 'begun' | 'noted' | undefined {
  const { head, text } = splitAfterHead(before, projects, momentReader);
  const lastWord = text.split(/\s+/).at(-1) ?? '';
  const isBegun = text === '';
  if (head === '' || LABEL.test(lastWord) || !(isBegun || /\p{L}/u.test(text.replace(VERB, ''))))
    return undefined;
  const rest = after.trim().replace(/^[-–—]\s+/, '');
  if (isBegun && EMOJI_ONLY.test(rest)) return 'begun';
  const { momentHead } = findNames(`${head} ${after}`, projects, momentReader);
  if (rest === '' || ABOUT_POST.test(rest) || momentReader.isWholeMoment(momentHead)) return undefined;
  const { platforms, project, isDraft, ...unknown } = findNames(rest, projects, momentReader);
  if (!isBegun) return platforms.length > 0 || project || isDraft ? 'noted' : 'text';
  const isNamed = unknown.momentHead !== rest || unknown.unknownPlatforms.length > 0;
  const time = findNames(head, projects, momentReader).momentHead;
  return isNamed || WHOLE_TEXT.test(quoted) || isInstruction(rest, time, momentReader) ? undefined : 'begun';
}

/** A whole text in quotes, unlike a name such as “Spring”: it ends like a sentence, or has many words. */
const WHOLE_TEXT = /[.!?…]$|(?<!\S)(?:\S+\s+){5}/;

/** Emoji, also as Slack's codes. */
const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s|:[\p{L}\d_'+-]+:)+$/u;

/** Slack's codes of emoji at the start. */
const EMOJI_START = /^(?::[\p{L}\d_'+-]+:\s*)+/u;

/** Whether words after a text in quotes are about it: "with a photo", "thanks", "at the office", "until friday". */
function isInstruction(rest: string, time: string, reader: MomentReader): boolean {
  const [firstWord = ''] = rest.split(/\s/);
  return (
    MORE_ABOUT_POST.exec(` ${rest}`)?.index === 0 ||
    CONTINUES_MOMENT.test(rest) ||
    isConjunction(firstWord, reader.locale) ||
    LABEL.test(rest) ||
    reader.isRefused(rest) ||
    reader.isWholeMoment(`${time} ${firstWord}`) ||
    reader.findLeadingMoments(rest, false) !== undefined
  );
}

/** Whether the words before a colon begin with a time, but are a title: "31 april jokes", "Black Friday x Nike". */
function isWholeTitle(
  head: string,
  start: string,
  { momentWords, parsedLine: { platforms, unreadWords } }: ReturnType<typeof parseHead>,
  { isFaulty, isWholeMoment, isRefused }: MomentReader,
): boolean {
  if (unreadWords !== '' && head.includes(' x ')) return NAMES.test(head.replace(' x ', ' '));
  // "Every monday 9am" and "31 april on x" are times that can't be used.
  const time = start === '' ? momentWords : start;
  if (platforms.length > 0 || isWholeMoment(time) || !isFaulty(time)) return false;
  return !isRefused(momentWords) && !isRefused(momentWords.replace(MORE_ABOUT_POST, ''));
}

/**
 * Whether the text has begun before the colon: after a time, other words than names and times are text, and so are the
 * platforms and times among them. "Friday 9am on x Live on Facebook: ask us", unlike "9am on x, 10am on linkedin: Hi".
 */
function goesOnInText(
  { text, hasMoment }: ReturnType<typeof splitAfterHead>,
  { parsedLine: { platforms, when, unreadWords } }: ReturnType<typeof parseHead>,
  projects: ProjectList,
  { isWholeMoment, ...momentReader }: MomentReader,
): boolean {
  const title = text.replace(EMOJI_START, '').replaceAll(/\s+/g, ' ').trim();
  const time = title.replace(ONLY_AT_END, '');
  if (!hasMoment || platforms.length === 0 || time === '' || namesZone(title)) return false;
  if (time !== title && !CAPITAL.test(title) && isWholeMoment(time)) return false;
  const { momentHead } = findNames(title, projects, { isWholeMoment, ...momentReader });
  if (CAPITAL.test(title)) return momentHead !== '';
  // "Friday 9am, one more day: read on".
  if (momentHead === title && momentReader.findLeadingMoments(title, false)?.said?.isCounted) return true;
  // "10am on linkedin" after "9am on x", and "heure de Paris" after "vendredi 9h".
  const isTime = isWholeMoment(momentHead) || (unreadWords === '' && isWholeMoment(when));
  return momentHead !== '' && !isTime;
}

/** Whether words before a colon belong to the text: "monday 8am Last chance: 20% off", unlike "on x: Hello". */
function isStartOfText(
  { head, text }: ReturnType<typeof splitAfterHead>,
  { when, unreadWords }: ParsedLine,
  { isFaulty, isWholeMoment, isSame, movesHour, movesDay, findLeadingMoments }: MomentReader,
): boolean {
  const title = text.replaceAll(/\s+/g, ' ');
  if (head === '' || title === '' || isOtherNetwork(title)) return false;
  // "9am" after "may" is no text.
  if (title === unreadWords) return !ONLY_WORD.test(title) && !/^\d+\s?[ap]\.?m\.?$/i.test(title);
  // "Friday 9am lunch: our new bowls".
  if (MEAL.test(title) && when.endsWith(` ${title}`)) {
    const time = findLeadingMoments(when.slice(0, -title.length), false);
    if (time?.said?.saysHour && time.rest === '') return true;
  }
  // "Friday 9am Acme x Globex: the collab" and "friday 9am Pizza x Wine: the evening".
  const names = title.replace(/ x /gi, ' ');
  const leavesWords = () => isSame(when, head) && !isWholeMoment(when);
  if (names !== title && (names === unreadWords || (when.endsWith(` ${names}`) && leavesWords())))
    return true;
  const time = title.endsWith(unreadWords) ? title.slice(0, title.length - unreadWords.length).trim() : '';
  if (time === '' || !when.endsWith(time)) return false;
  // "Friday on x today only: 20% off" and "monday 9am weekend recap: what a ride".
  const mayBeText = ONLY_WORD.test(unreadWords) || (isFaulty(time) && !GOES_ON.test(title));
  if (mayBeText && movesDay(when, head)) return true;
  // "Am 3. Dezember Abend der offenen Tür: kommt".
  if (/^\p{Lu}/u.test(time) && /^\p{Ll}/u.test(unreadWords)) return true;
  // "Morgen 8 Uhr Abend: Konzert".
  if (unreadWords !== '' || movesHour(when, head)) return false;
  // "Friday 10am Black Friday: 30% off" and "tomorrow 9am to our friends: thank you" would read as times too.
  if (leavesWords()) return true;
  if (!CAPITAL.test(title) || GOES_ON.test(title)) return false;
  // "Good morning" and "Just in" change no time, as "Ortszeit", "Local Time" and "GMT" may.
  const saysNothing = () => isSame(when, when.slice(0, when.length - time.length)) && !namesZone(title);
  return isWholeMoment(title) || saysNothing();
}

/** Whether the words are a moment, with or without words after it, or a faulty one. "Doors open friday" isn't. */
function isMomentHead(words: string, isStart: boolean, momentReader: MomentReader): boolean {
  const { isWholeMoment, isFaulty, findLeadingMoments } = momentReader;
  if (isWholeMoment(withoutOnly(words)) || isFaulty(words)) return true;
  const leading = findLeadingMoments(words, isStart);
  return (
    leading !== undefined && !(/^\p{Lu}/u.test(leading.words) && /^(?!on\s|for\s)\p{Ll}/u.test(leading.rest))
  );
}

/** Matches "only" between a day and an hour: "friday only 9am", "viernes solo a las 9". "Today only" begins a text. */
const ONLY_BEFORE_HOUR = new RegExp(`(?<=\\S\\s+)(?:${ONLY.source})\\s+(?=(?:\\p{L}+\\s+){0,2}\\d)`, 'iu');

/** "5pm only" after a day and a platform. */
const ONLY_AT_END = new RegExp(`(?:^|\\s+)(?:${ONLY.source})$`, 'iu');

/** "Friday only 9am" is as much as "friday 9am". */
function withoutOnly(head: string): string {
  return head.replace(ONLY_BEFORE_HOUR, '');
}

const FOR = /^(?:for|für|pour|para|per|por|voor)(?:\s+|$)/i;

/** Parses the head. `momentWords`: the words that aren't a platform or a draft, nor a project at their start. */
function parseHead(
  { head, text }: LineParts,
  projects: ProjectList,
  momentReader: MomentReader,
  isStart = true,
): { parsedLine: ParsedLine; momentWords: string } {
  const names = findNames(head, projects, momentReader);
  const { momentHead, remainingHead, unknown, isApart, ...found } = names;
  // “Concept voor vrijdag” is a draft for friday, and “voor vrijdag” alone is before it.
  const bare = names.isDraft ? momentHead.replace(FOR, '') : momentHead;
  const time = bare === '' || momentReader.isMoment(bare) ? bare : momentHead;
  const { when, unreadWords } = readMomentWords(time, isStart && time === head, momentReader);
  const isList = () => momentReader.isMoment(when) && !momentReader.isWholeMoment(when);
  const hasOwnTimes = isApart && found.platforms.length > 1 && isList();
  const parsedLine = { text: text ?? '', ...found, when, unreadWords, hasOwnTimes };
  return { parsedLine, momentWords: unknown?.start === 0 ? unknown.remainingHead : remainingHead };
}

/** Splits off the words that name no moment. Words of a faulty moment stay, because the form explains them. */
function readMomentWords(head: string, isStart: boolean, momentReader: MomentReader) {
  const whole = { when: head, unreadWords: '' };
  if (head === '' || momentReader.isMoment(head) || momentReader.isFaulty(head)) return whole;
  const plain = withoutOnly(head);
  if (plain !== head && momentReader.isWholeMoment(plain)) return { when: plain, unreadWords: '' };
  const leading = momentReader.findLeadingMoments(head, isStart);
  if (leading && goesOn(leading.rest, momentReader)) return whole;
  return { when: leading?.words ?? '', unreadWords: leading?.rest ?? head };
}
