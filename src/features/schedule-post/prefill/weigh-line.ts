import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import { BEFORE_PLATFORMS, parsePlatform } from '../../../posts/platforms.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { findZonesByName } from '../../../when/zones.ts';
import { findNames, type MomentReader } from './line-names.ts';
import { endsWithZone } from './sentence-start.ts';
import { skipUncertainNames } from './skip-platform.ts';
import { MAX_TIME_LENGTH, NAMES } from './split-after-head.ts';

/** A post parsed from one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
export interface ParsedLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  /** Names after "on" that are no platforms. */
  unknownPlatforms: readonly string[];
  project?: Project;
  /** A name after "for" that isn't the name of one project. */
  unknownProject?: string;
  /** The words of the head that name the moment. */
  when: string;
  /** The words of the head that aren't understood. */
  unreadWords: string;
  /** Whether each of several times may be meant for its own platforms: "9am on x, 10am on linkedin". */
  hasOwnTimes: boolean;
  /** Another reading of the line, in which some of its words are no text. */
  offer?: ParsedLine;
}

/**
 * Weighs whether the words before a text are its time. A sentence may begin like one: "May I introduce Ana?", "Until
 * Sunday: free delivery". If that isn't certain, all of the line is text, and the time is offered.
 */
export function weighLine(line: string, parsed: ParsedLine, reader: MomentReader): ParsedLine {
  const { when, text, platforms, unknownPlatforms, project, unknownProject, isDraft } = parsed;
  const isNamed = platforms.length + unknownPlatforms.length > 0 || project || unknownProject !== undefined;
  const start = line.trim();
  if (when === '' || text === start || isNamed || !start.startsWith(when.split(/\s/, 1)[0] ?? '')) {
    const isTitle = isDraft && when !== '' && !isNamed && /^\p{Lu}/u.test(start) && !saysHour(when, reader);
    return isTitle ? asText(start, parsed, reader) : parsed;
  }
  return isDraft || isCertain(start, parsed, reader) ? parsed : asText(start, parsed, reader);
}

/** All of the line as text. Offers what was read if the form could use it. */
function asText(line: string, parsed: ParsedLine, { isMoment }: MomentReader): ParsedLine {
  const { when } = parsed;
  const offer = isMoment(when) ? { offer: parsed } : {};
  const { platforms, unknownPlatforms, unreadWords, hasOwnTimes } = NOTHING_READ;
  return {
    text: line,
    isDraft: false,
    platforms,
    unknownPlatforms,
    when: '',
    unreadWords,
    hasOwnTimes,
    ...offer,
  };
}

const NOTHING_READ = { platforms: [], unknownPlatforms: [], unreadWords: '', hasOwnTimes: false };

/** "9am" and "18 Uhr". "Noon" and "2026" are other words too. */
function saysHour(when: string, { findLeadingMoments }: MomentReader): boolean {
  const said = findLeadingMoments(when, false)?.said;
  return said === undefined ? CLOCK.test(when) : said.saysHour && !YEAR.test(when);
}

const YEAR = /^20\d\d$/;
/** "24 heures pour en profiter", unlike "18 Uhr wir öffnen". */
const LENGTH = /^(?:2[4-9]|[3-9]\d)\s?(?:h|hours|heures|horas|ore|uur|stunden)(?!\S)/i;
/** An hour in figures, in a time that can't be used. */
const CLOCK = /\d[:.h]\d\d|\d\s?(?:[ap]\.?m\b|uhr|uur|h\b|時)|(?:at|um|à|às|alle|om|a las|ore)\s\d/i;

/** A day's name that is a word or a name of its own: "Mar de fondo", "Dom Pérignon", "Sun Valley". */
const SHORT_NAME = /^\p{L}{2,3}$/u;

/** Between two times that are a sentence: "Domani è Capodanno". */
const COPULA = /\s(?:is|ist|est|es|è|é)\s/iu;

/** Nothing can be posted until then. */
const UNTIL = /^(?:until|till|bis|jusqu|hasta|até|fino|tot)(?!\p{L})/iu;

/** What a new sentence begins with: a capital, figures, quotes, an emoji. */
const NEW_SENTENCE = /^[^\p{Ll}]/u;

/** Letters of a script without capitals, in which no space separates words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Whether the time can't be the first words of the text. It has an hour; or it names one day, and either begins in small
 * letters, as no text does, or ends before a colon or a new sentence.
 */
function isCertain(line: string, { when, text, unreadWords }: ParsedLine, reader: MomentReader): boolean {
  // "9am or 5pm? When do you drink coffee?"
  if (UNTIL.test(line) || /[?？]$/.test(when) || (LENGTH.test(when) && /^\p{Ll}/u.test(text))) return false;
  // "Tonight! Free tacos!"
  if (/[!！]$/.test(when) && text !== '' && !saysHour(when, reader)) return false;
  const { said } = reader.findLeadingMoments(when, false) ?? {};
  // "Um 9 geht es los" and "5pm somewhere", unlike "9am We open" and "tomorrow 9am we open".
  const isIncomplete = said?.saysDay === false || /^\p{Lu}/u.test(line);
  if (said && isIncomplete && /^\p{Ll}/u.test(text)) return false;
  // "One more week!", "Bis um 7!", "Two for Tuesday", "Two weeks".
  const isCount = said?.isCounted || (said?.saysDay === false && !said.saysTime);
  const isTitle = () => /^\p{Lu}\D*$/u.test(line) && (isCount || saysHour(when, reader));
  const isSentence = () => /[!！]$/.test(line) || isTitle();
  if (text === '' && (isSentence() || COPULA.test(when))) return false;
  if (saysHour(when, reader)) return true;
  if (text === '') return !/\s/.test(when) || !endsWithZone(when);
  const between = line.slice(when.length, line.length - text.length);
  const isBeforeColon = /[:：]/.test(between);
  if (UNSPACED.test(when)) return said?.namesDay === true && between !== '' && !/[、,]/.test(between);
  const isSeparate = isBeforeColon || (NEW_SENTENCE.test(text) && between.trim() !== ',');
  // "Friday feeling" and "tomorrow we open", unlike "tomorrow noon lunch special" and "sabato su x Promo".
  const goesOn = /^\p{Ll}/u.test(text) && unreadWords === '' && !said?.saysTime && !beginsWithName(text);
  if (/^(?:\d{1,2}\s)?\p{Ll}/u.test(line)) {
    if (isSeparate || (said?.saysDay && !goesOn)) return true;
    return reader.isFaulty(when) && !(goesOn && reader.isMoment(when));
  }
  if (said?.saysDay !== true || !isSeparate) return false;
  // "Dec 5: Santa is here", unlike "In 2 weeks: our sale".
  if (/\d/.test(when)) return !said.isCounted;
  return !/\s/.test(when) && said.namesDay && (isBeforeColon || !SHORT_NAME.test(when));
}

function beginsWithName(text: string): boolean {
  const [word = '', next = ''] = text.split(/\s+/);
  return BEFORE_PLATFORMS.test(word) && parsePlatform(next) !== undefined;
}

/** Offers the text with the words that were left out of it: “with a photo: Hello”. Undefined if it has all words. */
export function offerUnread(line: string, parsed: ParsedLine): ParsedLine | undefined {
  const { text, unreadWords } = parsed;
  const start = line.indexOf(unreadWords);
  if (unreadWords === '' || start < 0 || text.includes(unreadWords)) return undefined;
  return { ...parsed, text: line.slice(start).trim(), unreadWords: '' };
}

/** Maximum length of a sentence that may be a request, in UTF-16 units. A longer one is a text. */
const MAX_OFFER_LENGTH = 400;

/** What ends the time and the names for certain. */
const ENDS_COMMAND = /[^\p{L}\p{N},.]$/u;

/** The names in "saturday 9am: X, Instagram: Farmers market". */
const BEFORE_COLON = /^([^:：\n]+)[:：]\s+/;

/** Offers the names that a text may begin with: "9am Instagram Behind the scenes", "9am on x draft beer is back". */
export function offerNames(
  line: string,
  parsed: ParsedLine,
  projects: ProjectList,
  reader: MomentReader,
): ParsedLine | undefined {
  const before = line.slice(0, line.lastIndexOf(parsed.text)).trimEnd();
  if (parsed.when === '' || line.length > MAX_OFFER_LENGTH) return undefined;
  const [start = '', cell = ''] = BEFORE_COLON.exec(parsed.text) ?? [];
  const isCell = cell !== '' && skipUncertainNames(cell, reader) === '';
  if (!isCell && ENDS_COMMAND.test(before)) return undefined;
  const text = isCell ? parsed.text.slice(start.length) : skipUncertainNames(parsed.text, reader);
  const names = isCell ? cell : parsed.text.slice(0, parsed.text.length - text.length);
  if (names === '' || text === '') return undefined;
  const { platforms, isDraft } = findNames(names, projects, reader);
  const all = [...new Set([...parsed.platforms, ...platforms])];
  return { ...parsed, text, platforms: all, isDraft: parsed.isDraft || isDraft };
}

/** Offers a time that a text after names may begin with: "x friday feeling", "x friday 9am, 50% off everything on fridays". */
export function offerTimeAtStart(
  line: string,
  parsed: ParsedLine,
  { findLeadingMoments, isWholeMoment }: MomentReader,
): ParsedLine | undefined {
  const { text, platforms, when: time, unreadWords } = parsed;
  if (time !== '' || unreadWords !== '' || platforms.length === 0) return undefined;
  const isAfterColon = /[:：]\s*$/.test(line.slice(0, line.length - text.length));
  const leading = isAfterColon ? undefined : findLeadingMoments(text, false);
  if (leading && /^(?:$|\p{Ll})/u.test(leading.rest))
    return { ...parsed, when: leading.words, text: leading.rest };
  for (const { index } of text.slice(0, MAX_TIME_LENGTH).matchAll(/(?<=\S)[,，、\s]+(?=\S)/gu)) {
    const when = text.slice(0, index);
    const said = isWholeMoment(when) ? findLeadingMoments(when, false)?.said : undefined;
    if (said?.saysDay && said.saysTime)
      return { ...parsed, when, text: text.slice(index).replace(/^[\s,，、]+/u, '') };
  }
  return undefined;
}

/** A text in quotes, and the words after it. */
const QUOTED_TEXT = /^(?:"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»)\s+(.+)$/su;

/** Offers the names after a text in quotes: "monday 9am: “Good morning” on x". */
export function offerAfterQuotes(
  parsed: ParsedLine,
  projects: ProjectList,
  reader: MomentReader,
): ParsedLine | undefined {
  const [rest = '', ...texts] = QUOTED_TEXT.exec(parsed.text)?.slice(1).reverse() ?? [];
  if (rest === '' || rest.length > MAX_OFFER_LENGTH) return undefined;
  const { platforms, isDraft, momentHead, unknown } = findNames(rest, projects, reader);
  if (momentHead !== '' || unknown || !(platforms.length > 0 || isDraft)) return undefined;
  const all = [...new Set([...parsed.platforms, ...platforms])];
  const text = (texts.find((each) => each !== undefined) ?? '').trim();
  return { ...parsed, text, platforms: all, isDraft: parsed.isDraft || isDraft };
}

/** Maximum words of a time and its platforms at the end of a line. */
const MAX_END_WORDS = 10;

/**
 * Finds the time and the platforms at the end of a sentence, which can be meant: "post our menu on x tomorrow at 9". They
 * are offered, because the sentence may be a text: "we are live on x tomorrow".
 */
export function findOfferAtEnd(
  line: string,
  verb: RegExp,
  projects: ProjectList,
  reader: MomentReader,
): ParsedLine | undefined {
  if (line.length > MAX_OFFER_LENGTH) return undefined;
  const words = [...line.matchAll(/\S+/g)];
  for (const { index } of words.slice(Math.max(1, words.length - MAX_END_WORDS))) {
    const end = line.slice(index);
    const names = findNames(end, projects, reader);
    if (names.platforms.length === 0) return undefined;
    const isHead = names.unknown === undefined && names.unknownPlatforms.length === 0;
    if (!isHead || !reader.isWholeMoment(names.momentHead)) continue;
    const text = line.slice(0, index).replace(verb, '').trimEnd().replace(/,$/, '');
    const { momentHead: when, remainingHead: _, unknown: __, isApart: ___, ...found } = names;
    return { text, ...found, when, unreadWords: '', hasOwnTimes: false };
  }
  return undefined;
}

/** Finds a feast that moves a whole time before it: in "mon 9am Cyber Monday", not in "thu 9am on Christmas Eve". */
export function findFeast(head: string, projects: ProjectList, momentReader: MomentReader): string {
  const { findLeadingMoments, isSame } = momentReader;
  for (const { index } of [...head.matchAll(/(?<=\s)\p{Lu}/gu)].reverse()) {
    const title = head.slice(index).trim();
    const feast = NAMES.test(title) ? findLeadingMoments(title, false) : undefined;
    if (feast?.rest !== '' || !feast.said?.saysDay || feast.said.saysTime) continue;
    const names = findNames(head.slice(0, index), projects, momentReader);
    const time = names.momentHead;
    const { rest, said } = findLeadingMoments(time) ?? {};
    // "On Black" before "Friday" names no platform.
    const isWhole = rest === '' && said?.saysDay && said.saysTime && names.unknownPlatforms.length === 0;
    if (isWhole && names.unknown === undefined && !isSame(`${time} ${title}`, time)) return title;
  }
  return '';
}

/** Whether the words are a zone, or end like the name of one: "Ortszeit", "GMT". */
export function namesZone(words: string): boolean {
  return /(?:time|zeit)$/i.test(words) || findZonesByName(words).coversWholeText;
}

/** Whether words of a text end like a further time, which a note then quotes: "lundi 9h mercredi 9h: Bonjour". */
export function endsWithHour(text: string, { isWholeMoment }: MomentReader): boolean {
  const words = text.split(/\s+/);
  return [-1, -2, -3].some((start) => {
    const ending = words.slice(start).join(' ');
    // "Top 5" is no hour.
    return /\d/.test(ending) && !/^\d+$/.test(ending) && isWholeMoment(ending);
  });
}
