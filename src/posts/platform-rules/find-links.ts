import { domainToASCII } from 'node:url';
import { endingLength } from './link-endings.ts';

/** Whatever is longer is no link: extractUrlsWithIndices.js of twitter-text 3.1.0. */
const LONGEST = 4096;

interface Link {
  /** UTF-16 units. */
  start: number;
  end: number;
}

/** X's own short links end with their code, whatever follows. */
const SHORT_LINK =
  /^https?:\/\/t\.co\/[a-z0-9]{1,40}(?![a-z0-9])(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/i;

/** Where the text has links, as X finds them: with "https://", and without where the ending is one it knows. */
export function findLinks(text: string): Link[] {
  const links: Link[] = [];
  let over = 0;
  for (const { 0: stretch, index } of text.includes('.') ? text.matchAll(HOST) : []) {
    const end = index + stretch.length;
    if (end <= over || !stretch.includes('.')) continue;
    for (const start of startsOf(text, index, over)) {
      const read = linksAt(text, start, end, over);
      if (!read) continue;
      links.push(...read.links);
      over = read.over;
      break;
    }
  }
  return links;
}

/** Where a host can begin: after the first sign that lets a link follow, or with the text itself. */
function startsOf(text: string, index: number, over: number): number[] {
  let before = Math.max(index - 1, over);
  const first = index === 0 && over === 0 && NEVER_BEFORE.test(text.charAt(0)) ? [0] : [];
  while (NEVER_BEFORE.test(text.charAt(before))) before += 1;
  return index === 0 && over === 0 ? [...first, before + 1, 0] : [before + 1];
}

/**
 * The links of the host that begins at `start`, and how far the text is read with it, which may be a link that does
 * not count; undefined where there is no host.
 */
function linksAt(
  text: string,
  start: number,
  end: number,
  over: number,
): { links: Link[]; over: number } | undefined {
  const length = domainLength(text.slice(start, end), text.charAt(end));
  if (length === 0) return undefined;
  AFTER_HOST.lastIndex = start + length;
  const after = AFTER_HOST.exec(text);
  const whole = start + length + (after?.[0].length ?? 0);
  const protocol = /https?:\/\/$/i.exec(text.slice(Math.max(over, start - 8), start))?.[0] ?? '';
  const from = start - protocol.length;
  if (protocol !== '' && (from === 0 || !NEVER_BEFORE.test(text.charAt(from - 1)))) {
    const short = SHORT_LINK.exec(text.slice(from, whole))?.[0];
    return shortEnough([{ start: from, end: short ? from + short.length : whole }], whole);
  }
  if (start > 0 && /[-_./]/.test(text.charAt(start - 1))) return { links: [], over: whole };
  const links = plainDomains(text.slice(start, start + length)).map((domain) => ({
    start: start + domain.start,
    end: start + domain.end,
  }));
  const last = links.at(-1);
  if (last && after?.[1] !== undefined) last.end = whole;
  return shortEnough(links, whole);
}

function shortEnough(links: Link[], over: number): { links: Link[]; over: number } {
  return { links: links.filter(({ start, end }) => end - start <= LONGEST), over };
}

/**
 * What may stand where in a link, as twitter-text 3.1.0 has it (Apache-2.0):
 * https://github.com/twitter/twitter-text/tree/v3.1.0/js/src/regexp . Its own expressions take time that grows with
 * the square of the text (12 s for 40,000 units of joined emoji); these are read from the dots outwards instead.
 */
const SPACES = '\\x09-\\x0D\\x20\\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';
const INVISIBLE = '\\uFFFE\\uFEFF\\uFFFF\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069';
const ACCENTED =
  '\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289' +
  '\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';

/** A stretch of what host names are made of, dots and joining signs with it. */
const HOST = new RegExp(`[^!'#%&()*+,\\\\/:;<=>?@\\[\\]^{|}~$${SPACES}${INVISIBLE}]+`, 'g');
/** The part of a host that needs no "https://" to be a link. */
const PLAIN_HOST = new RegExp(`[-.a-z0-9${ACCENTED}]+`, 'gi');
/** No link begins after these. */
const NEVER_BEFORE = /[A-Za-z0-9@＠$#＃\uFFFE\uFEFF\uFFFF]/;

const PATH_SIGN = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${ACCENTED}]`;
const IN_BRACKETS = `\\((?:${PATH_SIGN}+|${PATH_SIGN}*\\(${PATH_SIGN}+\\)${PATH_SIGN}*)\\)`;
const PATH_END = `(?:[+\\-a-z\\u0400-\\u04FF0-9=_#/${ACCENTED}]|${IN_BRACKETS})`;
const PATH_PART = `(?:${PATH_SIGN}*(?:${IN_BRACKETS}${PATH_SIGN}*)*${PATH_END}|@${PATH_SIGN}+/)`;
/** A port, a path (group 1) and a query, as far as they are there. */
const AFTER_HOST = new RegExp(
  `(?::[0-9]+)?(/${PATH_PART}*)?(?:\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/])?`,
  'iy',
);

/** RFC 1035; an international name counts in its ASCII form, which no label of so few units makes too long. */
const LABEL_LENGTH = 63;
const SHORT_LABEL = 9;

function isLabel(label: string, underscores: boolean): boolean {
  if (label === '' || /^[-_]|[-_]$/.test(label) || (!underscores && label.includes('_'))) return false;
  if (label.length <= SHORT_LABEL) return true;
  const encoded = /^[\x21-\x7e]*$/.test(label) ? label : domainToASCII(label.toWellFormed());
  return Math.max(label.length, encoded.length) <= LABEL_LENGTH;
}

/** How much of a host's beginning is a domain: as much as there can be; 0 where none is. `next` follows the host. */
function domainLength(host: string, next: string): number {
  const labels = host.split('.');
  let [at, longest] = [0, 0];
  for (const [index, label] of labels.entries()) {
    const follows = index === labels.length - 1 ? next : '.';
    const ending = index === 0 ? undefined : endingLength(label, follows);
    if (ending !== undefined && isLabel(labels[index - 1] ?? '', false)) longest = at + ending;
    if (!isLabel(label, true)) break;
    at += label.length + 1;
  }
  return longest;
}

/** Where in a domain stand the links that need no "https://": start and end, UTF-16 units. */
function plainDomains(domain: string): { start: number; end: number }[] {
  return [...domain.matchAll(PLAIN_HOST)].flatMap(({ 0: stretch, index }) => {
    const start = index + stretch.length - stretch.replace(/^\.+/, '').length;
    const length = plainLength(domain.slice(start), index + stretch.length - start);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
}

/** As much as there can be: labels of the first `plain` units, and an ending of any script. */
function plainLength(domain: string, plain: number): number {
  for (let dot = domain.lastIndexOf('.', plain - 1); dot > 0; dot = domain.lastIndexOf('.', dot - 1)) {
    const [label = '', ...more] = domain.slice(dot + 1).split('.');
    const ending = endingLength(label, more.length > 0 ? '.' : '');
    if (ending !== undefined) return dot + 1 + ending;
  }
  return 0;
}
