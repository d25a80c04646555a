import type { ProjectList } from '../../../posts/project.ts';
import { findZonesByName } from '../../../when/zones.ts';
import { CONTINUES_MOMENT, findNames, type MomentReader, skipDraft, skipKnownProject } from './line-names.ts';
import { skipPlatform } from './skip-platform.ts';

/** The words that name a platform, a project or a draft at the start: "on x", unlike "to google" and "to everyone". */
export function nameAtStart(text: string, projects: ProjectList, momentReader: MomentReader): string {
  const rest =
    skipDraft(text) ?? skipKnownProject(text, projects, momentReader) ?? skipPlatform(text, momentReader);
  const name = rest === undefined ? '' : text.slice(0, text.length - rest.length);
  const { platforms, project, isDraft } = findNames(name, projects, momentReader);
  return platforms.length > 0 || project || isDraft ? name : '';
}

/** Whether a further time follows, so that the whole is no single one: "or tuesday 9am" after "monday". */
export function goesOn(rest: string, { isWholeMoment }: MomentReader): boolean {
  const other = rest.replace(CONTINUES_MOMENT, '');
  return other !== rest && isWholeMoment(other);
}

/** Minutes that are likelier than a count: "18 Uhr 30 neue Folge". */
const QUARTERS = /^(?:15|30|45)$/;

/** A month after an hour, which can't be its day: "Freitag um 9 Januar Sale". */
const MONTH_AFTER_HOUR = /(?<=(?:^|\s)(?:at|um|à|a las|alle|às|om)\s)\d{1,2}\s(\p{L}+)$/iu;

/** Languages that write "Monday" and "Montag" in other places than the start of a sentence too. */
const CAPITAL_DAYS = /^(?:en|de)/;

/** Maximum words at the end of a time that can begin the text instead: "2. Advent". */
const MAX_START_WORDS = 2;

/**
 * Finds the words that end the words of a time, but begin the sentence after it: "6pm Monday blues", "7u 12 ideeën". The
 * time before them is complete, they have a capital or figures, and the sentence goes on in small letters. A day that has
 * a capital in any case may belong to either.
 */
export function findSentenceStart(
  { words, rest }: { words: string; rest: string },
  projects: ProjectList,
  momentReader: MomentReader,
): { words: string; isUnclear: boolean } | undefined {
  const [date = '', month = ''] = rest === '' ? [] : (MONTH_AFTER_HOUR.exec(words) ?? []);
  const isDate = () => {
    const said = momentReader.findLeadingMoments(date, false)?.said;
    return said?.saysDay === true && !said.saysTime;
  };
  if (month !== '' && isDate() && nameAtStart(rest, projects, momentReader) === '')
    return { words: month, isUnclear: true };
  const readSaid = (text: string) => momentReader.findLeadingMoments(text, false)?.said;
  const [meal = ''] = MEAL_AT_END.exec(words) ?? [];
  const isAfterHour = meal !== '' && readSaid(words.slice(0, -meal.length).trim())?.saysHour;
  if (isAfterHour && nameAtStart(rest, projects, momentReader) === '')
    return { words: meal, isUnclear: true };
  const added = findOtherTime(words, rest, momentReader);
  const isAdded = added !== undefined && (rest !== '' || /\s/.test(added));
  if (isAdded && nameAtStart(rest, projects, momentReader) === '') return { words: added, isUnclear: true };
  // "Freitag 9:00 am Samstag zu" in German, unlike "friday 9:00 am We open".
  const isGerman = /:\d\d am$/.test(words) && momentReader.locale?.startsWith('de');
  if (!(isGerman ? /^\p{L}/u : /^\p{Ll}/u).test(rest)) return undefined;
  if (nameAtStart(rest, projects, momentReader) !== '') return undefined;
  if (isGerman) return { words: 'am', isUnclear: true };
  const [unit = ''] = UNIT_OF_TEXT.exec(words) ?? [];
  if (unit !== '') return { words: unit, isUnclear: unit === unit.toLowerCase() };
  const [count = ''] = readSaid(words)?.isCounted ? (/(?<=\p{L}\s)\d+$/u.exec(words) ?? []) : [];
  if (count !== '') return { words: count, isUnclear: true };
  const hasTwoDays = (time: string, start: string) =>
    /^\p{Lu}/u.test(start) && readSaid(time)?.saysDay && readSaid(start)?.saysDay;
  const starts = [...words.matchAll(/(?<=\s)[\p{Lu}\d]/gu)].slice(-MAX_START_WORDS).reverse();
  for (const { index } of starts) {
    const time = words.slice(0, index).trimEnd();
    const start = words.slice(index);
    if (QUARTERS.test(start) || !readSaid(time)?.saysHour) continue;
    if (/^\d+$/.test(start)) {
      if (readSaid(time.split(/\s+/).at(-1) ?? '')?.saysHour) return { words: start, isUnclear: false };
    } else if (readSaid(start)?.namesDay || hasTwoDays(time, start) || momentReader.movesDay(words, time)) {
      const isUnclear = /^\p{Lu}/u.test(start) && CAPITAL_DAYS.test(momentReader.locale ?? 'en');
      return { words: start, isUnclear };
    }
  }
  const unclear = findSecondDay(words, momentReader);
  return unclear === undefined ? undefined : { words: unclear, isUnclear: true };
}

/** Meals, which add nothing to an hour in figures: "friday 9am lunch: our new bowls". */
export const MEAL = /^(?:breakfast|lunch|dinner|supper|tea)(?:[\s-]?time)?$/i;
const MEAL_AT_END = new RegExp(MEAL.source.replace('^', '(?<=\\s)'), 'i');

/** "Hora feliz", "heure bleue" and "U bent welkom" after an hour in figures, which needs no unit. */
const UNIT_OF_TEXT = /(?<=\d\s)(?:[Hh]ora|[Hh]eure|[Oo]ra|Horas|Heures|Ore|U|Uur)$/u;

/** Finds words with a capital after a day and an hour that name another time: "lunedì alle 15 Giorno 1", "Week 3". */
function findOtherTime(words: string, rest: string, reader: MomentReader): string | undefined {
  const start = CAPITAL_DAYS.test(reader.locale ?? 'en') ? SENTENCE_START : /^\p{Lu}/u;
  for (const { index } of words.matchAll(/(?<=\s)\p{Lu}/gu)) {
    const time = words.slice(0, index).trimEnd();
    const other = words.slice(index);
    if (UNIT_OF_TEXT.test(words) || !start.test(`${other} `) || findZonesByName(other).coversWholeText)
      continue;
    const said = reader.isWholeMoment(time) ? reader.findLeadingMoments(time, false)?.said : undefined;
    const isOther = () => /^\p{Ll}/u.test(rest) || !reader.isSame(words, time);
    if (said?.saysDay && said.saysTime && isOther()) return other;
  }
  return undefined;
}

/** Maximum words of a day in small letters: "la semana que viene". */
const MAX_DAY_WORDS = 4;

/** The end of an hour in figures. After "9am", unlike "9h", "morning" says nothing new. */
const HOUR_END = /\d\s?(?:([ap]\.?m\.?)|h|u|uhr|uur|heures|horas|ore)?$/i;

/**
 * Finds the words in small letters after a day and an hour that name another day or period, or a part of the day in vain:
 * "sexta 9h semana que vem tem mais", "fri 9am morning all".
 */
function findSecondDay(words: string, reader: MomentReader): string | undefined {
  for (const { index } of [...words.matchAll(/(?<=\s)\p{Ll}/gu)].slice(-MAX_DAY_WORDS)) {
    const time = words.slice(0, index).trimEnd();
    const start = words.slice(index);
    const hour = HOUR_END.exec(time);
    const said = hour ? reader.findLeadingMoments(time, false)?.said : undefined;
    if (!said?.saysDay || !said.saysHour) continue;
    const next = reader.findLeadingMoments(start, false);
    const { saysPart, saysHour, isCounted } = next?.rest === '' && next.said ? next.said : {};
    if (saysPart ? hour?.[1] : saysHour === false && !isCounted) return start;
    const isPeriod = () => !reader.isSame(words, time) && !reader.movesHour(words, time);
    if (saysHour === undefined && reader.isFaulty(start) && isPeriod()) return start;
  }
  return undefined;
}

/** Words that have a capital only at the start of a sentence: "Tonight at 8 we play". */
const SENTENCE_START =
  /^(?:At|By|Every|From|In|Next|On|The|This|Today|Tomorrow|Tonight|Week|Ab|Am|Heute|Morgen|Um|Woche)\s/;

/** "Le 12 on fête", "las 12 uvas". */
const DAY_OR_HOUR = /^(?:the|die|der|les?|l[ao]s|el|il|[ao]s|d[ií]a)\s\d+$/i;

/** "12/4", "9:30", "9am" and "18 Uhr 30". */
const FIGURES = /^\d+(?:[./:-]\d|\s?(?:[ap]\.?m\b|h|uhr|uur))/i;

/**
 * Whether a time after a name may begin the text instead: "x friday feeling", "x Tonight at 8 we play", unlike "x friday 9am
 * we play" and "x 12/4 we open".
 */
export function mayBeSentence(
  { words, rest, said }: NonNullable<ReturnType<MomentReader['findLeadingMoments']>>,
  projects: ProjectList,
  momentReader: MomentReader,
): boolean {
  const isEnglishOrGerman = CAPITAL_DAYS.test(momentReader.locale ?? 'en');
  // "Dom Pérignon in offerta" and "Quinta da boa vista".
  if (!isEnglishOrGerman && /^\p{Lu}\p{L}{1,2}$/u.test(words) && /^\p{Lu}/u.test(rest)) return true;
  if (rest === '' && !said?.saysTime && endsWithZone(words)) return true;
  if (!/^\p{Ll}/u.test(rest) || nameAtStart(rest, projects, momentReader) !== '') return false;
  if (goesOn(rest, momentReader) || FIGURES.test(words)) return false;
  const isStart = isEnglishOrGerman ? SENTENCE_START : /^\p{Lu}/u;
  return !(said?.saysDay && said.saysTime) || DAY_OR_HOUR.test(words) || isStart.test(`${words} `);
}

/** A time before a comma: "friday 9am" in "friday 9am, This weekend only". */
const CELL = /^([^,，、]*[^\s,，、])\s*(?:,\s+|[，、]\s*)(?=\S)/u;

/**
 * Finds the complete time before a comma, if the words after it begin the text although they have a meaning, as in "x,
 * friday 9am, Today only" and "x, friday 9am, today we open", unlike "x, monday 9am, tuesday 10am Hi". `more`: the words.
 */
export function findTimeCell(
  text: string,
  leading: ReturnType<MomentReader['findLeadingMoments']>,
  isNamed: boolean,
  projects: ProjectList,
  momentReader: MomentReader,
): { more: string; rest: string } | undefined {
  const [before = '', time = ''] = CELL.exec(text) ?? [];
  if (before === '' || (leading && leading.words.length <= before.length)) return undefined;
  const { findLeadingMoments, isWholeMoment } = momentReader;
  const said = isWholeMoment(time) ? findLeadingMoments(time, false)?.said : undefined;
  if (!said?.saysDay || !said.saysTime) return undefined;
  const rest = text.slice(before.length);
  if (!leading) return { more: '', rest };
  const more = leading.words.slice(before.length);
  const isNext = !isNamed && nameAtStart(leading.rest, projects, momentReader) !== '';
  if (isNext || goesOn(leading.rest, momentReader)) return undefined;
  const other = findLeadingMoments(more, false)?.said;
  const goesOnInText = /^\p{Ll}/u.test(leading.rest) || other?.isCounted;
  const isList = /\d/.test(more) && other?.saysHour;
  // "Friday 9am, London: Hi" and "friday 9am, Mon, Tue: Hi".
  const isMore = leading.rest === '' && (findZonesByName(more).coversWholeText || /[,，、&]/.test(more));
  const isText = goesOnInText || (/^[\p{Lu}\p{Lo}]/u.test(more) && !isList && !isMore);
  return isText ? { more, rest } : undefined;
}

/** "Petropavlovsk-Kamchatsky standard time" has three. */
const MAX_ZONE_WORDS = 5;

/** Whether the last words name a zone: "friday 9am London". */
export function endsWithZone(when: string): boolean {
  const words = when.split(/\s+/).slice(1).slice(-MAX_ZONE_WORDS);
  return words.some((_, index) => findZonesByName(words.slice(index).join(' ')).coversWholeText);
}
