import { domainToASCII } from 'node:url';
import { measureTopLevelDomain } from './link-endings.ts';

/** UTF-16 units of a link. X doesn't treat longer text as a link: extractUrlsWithIndices.js of twitter-text 3.1.0. */
const MAX_LINK_LENGTH = 4096;

interface Link {
  /** UTF-16 units. */
  start: number;
  end: number;
}

/** Matches a short link of X. It ends after its code and an optional query, even if a path follows. */
const SHORT_LINK =
  /^https?:\/\/t\.co\/[a-z0-9]{1,40}(?![a-z0-9])(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/i;

/** Finds links as X does. A link needs "https://", or a top-level domain that X knows. */
export function findLinks(text: string): Link[] {
  const links: Link[] = [];
  let searchedEnd = 0;
  for (const { 0: run, index } of text.includes('.') ? text.matchAll(HOST) : []) {
    const end = index + run.length;
    if (end <= searchedEnd || !run.includes('.')) continue;
    for (const start of findStarts(text, index, searchedEnd)) {
      const read = readLinks(text, start, end, searchedEnd);
      if (!read) continue;
      links.push(...read.links);
      searchedEnd = read.searchedEnd;
      break;
    }
  }
  return links;
}

/**
 * Finds positions where a host may start: after the first character that may precede a link, or at the start of the
 * text.
 */
function findStarts(text: string, index: number, searchedEnd: number): number[] {
  let position = Math.max(index - 1, searchedEnd);
  const textStart = index === 0 && searchedEnd === 0 && CANNOT_PRECEDE.test(text.charAt(0)) ? [0] : [];
  while (CANNOT_PRECEDE.test(text.charAt(position))) position += 1;
  return index === 0 && searchedEnd === 0 ? [...textStart, position + 1, 0] : [position + 1];
}

/**
 * Reads the links in the host that begins at `start`. `searchedEnd` is the end of the searched text, which may include
 * a link that X doesn't count. Undefined if there is no host.
 */
function readLinks(
  text: string,
  start: number,
  end: number,
  searchedEnd: number,
): { links: Link[]; searchedEnd: number } | undefined {
  const length = measureDomain(text.slice(start, end), text.charAt(end));
  if (length === 0) return undefined;
  AFTER_HOST.lastIndex = start + length;
  const suffix = AFTER_HOST.exec(text);
  const linkEnd = start + length + (suffix?.[0].length ?? 0);
  const protocol = /https?:\/\/$/i.exec(text.slice(Math.max(searchedEnd, start - 8), start))?.[0] ?? '';
  const linkStart = start - protocol.length;
  if (protocol !== '' && (linkStart === 0 || !CANNOT_PRECEDE.test(text.charAt(linkStart - 1)))) {
    const shortLink = SHORT_LINK.exec(text.slice(linkStart, linkEnd))?.[0];
    return dropTooLong(
      [{ start: linkStart, end: shortLink ? linkStart + shortLink.length : linkEnd }],
      linkEnd,
    );
  }
  if (start > 0 && /[-_./]/.test(text.charAt(start - 1))) return { links: [], searchedEnd: linkEnd };
  const links = findPlainDomains(text.slice(start, start + length)).map((domain) => ({
    start: start + domain.start,
    end: start + domain.end,
  }));
  const last = links.at(-1);
  if (last && suffix?.[1] !== undefined) last.end = linkEnd;
  return dropTooLong(links, linkEnd);
}

/** Drops links that are longer than MAX_LINK_LENGTH. */
function dropTooLong(links: Link[], searchedEnd: number): { links: Link[]; searchedEnd: number } {
  return { links: links.filter(({ start, end }) => end - start <= MAX_LINK_LENGTH), searchedEnd };
}

/**
 * The characters allowed in each part of a link, from twitter-text 3.1.0 (Apache-2.0):
 * https://github.com/twitter/twitter-text/tree/v3.1.0/js/src/regexp . The expressions of twitter-text take quadratic
 * time (12 s for 40,000 units of joined emoji), so this file searches from the dots outwards.
 */
const SPACES = '\\x09-\\x0D\\x20\\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';
const INVISIBLE = '\\uFFFE\\uFEFF\\uFFFF\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069';
const ACCENTED =
  '\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289' +
  '\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';

/** A run of characters that host names may have, including dots and joiners. */
const HOST = new RegExp(`[^!'#%&()*+,\\\\/:;<=>?@\\[\\]^{|}~$${SPACES}${INVISIBLE}]+`, 'g');
/** The part of a host that is a link without "https://". */
const PLAIN_HOST = new RegExp(`[-.a-z0-9${ACCENTED}]+`, 'gi');
/** Characters that can't precede a link. */
const CANNOT_PRECEDE = /[A-Za-z0-9@＠$#＃\uFFFE\uFEFF\uFFFF]/;

const PATH_CHARACTER = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${ACCENTED}]`;
const IN_BRACKETS = `\\((?:${PATH_CHARACTER}+|${PATH_CHARACTER}*\\(${PATH_CHARACTER}+\\)${PATH_CHARACTER}*)\\)`;
const PATH_END = `(?:[+\\-a-z\\u0400-\\u04FF0-9=_#/${ACCENTED}]|${IN_BRACKETS})`;
const PATH_PART = `(?:${PATH_CHARACTER}*(?:${IN_BRACKETS}${PATH_CHARACTER}*)*${PATH_END}|@${PATH_CHARACTER}+/)`;
/** A port, a path (group 1) and a query, all optional. */
const AFTER_HOST = new RegExp(
  `(?::[0-9]+)?(/${PATH_PART}*)?(?:\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/])?`,
  'iy',
);

/** Characters of a domain label, from RFC 1035. For an international name, the limit applies to its ASCII form. */
const MAX_LABEL_LENGTH = 63;
/** UTF-16 units. The ASCII form of a label up to this length is never too long. */
const ALWAYS_SHORT_LENGTH = 9;

function isLabel(label: string, allowsUnderscores: boolean): boolean {
  if (label === '' || /^[-_]|[-_]$/.test(label) || (!allowsUnderscores && label.includes('_'))) return false;
  if (label.length <= ALWAYS_SHORT_LENGTH) return true;
  const encoded = /^[\x21-\x7e]*$/.test(label) ? label : domainToASCII(label.toWellFormed());
  return Math.max(label.length, encoded.length) <= MAX_LABEL_LENGTH;
}

/** Measures the longest domain at the start of a host; 0 if there is none. `next` is the character after the host. */
function measureDomain(host: string, next: string): number {
  const labels = host.split('.');
  let [position, longest] = [0, 0];
  for (const [index, label] of labels.entries()) {
    const nextCharacter = index === labels.length - 1 ? next : '.';
    const ending = index === 0 ? undefined : measureTopLevelDomain(label, nextCharacter);
    if (ending !== undefined && isLabel(labels[index - 1] ?? '', false)) longest = position + ending;
    if (!isLabel(label, true)) break;
    position += label.length + 1;
  }
  return longest;
}

/** Finds the links in a domain that need no "https://". Positions are UTF-16 units. */
function findPlainDomains(domain: string): { start: number; end: number }[] {
  return [...domain.matchAll(PLAIN_HOST)].flatMap(({ 0: run, index }) => {
    const start = index + run.length - run.replace(/^\.+/, '').length;
    const length = measurePlainDomain(domain.slice(start), index + run.length - start);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
}

/** Measures the longest link: labels within the first `plainUnits` units, and a top-level domain in any script. */
function measurePlainDomain(domain: string, plainUnits: number): number {
  for (let dot = domain.lastIndexOf('.', plainUnits - 1); dot > 0; dot = domain.lastIndexOf('.', dot - 1)) {
    const [label = '', ...otherLabels] = domain.slice(dot + 1).split('.');
    const ending = measureTopLevelDomain(label, otherLabels.length > 0 ? '.' : '');
    if (ending !== undefined) return dot + 1 + ending;
  }
  return 0;
}
