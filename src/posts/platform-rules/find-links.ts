import { domainToASCII } from 'node:url';
import { endingLength } from './link-endings.ts';

/** Longer text is not a link: extractUrlsWithIndices.js of twitter-text 3.1.0. */
const MAX_LINK_LENGTH = 4096;

interface Link {
  /** UTF-16 units. */
  start: number;
  end: number;
}

/** X's own short links end after their code, whatever follows. */
const SHORT_LINK =
  /^https?:\/\/t\.co\/[a-z0-9]{1,40}(?![a-z0-9])(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/i;

/** Finds links as X does: with "https://", or without it if X knows the top-level domain. */
export function findLinks(text: string): Link[] {
  const links: Link[] = [];
  let over = 0;
  for (const { 0: run, index } of text.includes('.') ? text.matchAll(HOST) : []) {
    const end = index + run.length;
    if (end <= over || !run.includes('.')) continue;
    for (const start of findStarts(text, index, over)) {
      const read = readLinks(text, start, end, over);
      if (!read) continue;
      links.push(...read.links);
      over = read.over;
      break;
    }
  }
  return links;
}

/** Positions where a host may start: after the first character that may precede a link, or at the start of the text. */
function findStarts(text: string, index: number, over: number): number[] {
  let before = Math.max(index - 1, over);
  const first = index === 0 && over === 0 && NEVER_BEFORE.test(text.charAt(0)) ? [0] : [];
  while (NEVER_BEFORE.test(text.charAt(before))) before += 1;
  return index === 0 && over === 0 ? [...first, before + 1, 0] : [before + 1];
}

/**
 * The links in the host that begins at `start`, and the end of the text that was read for them (`over`), which may
 * include a link that doesn't count. Undefined if there is no host.
 */
function readLinks(
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
    return dropTooLong([{ start: from, end: short ? from + short.length : whole }], whole);
  }
  if (start > 0 && /[-_./]/.test(text.charAt(start - 1))) return { links: [], over: whole };
  const links = plainDomains(text.slice(start, start + length)).map((domain) => ({
    start: start + domain.start,
    end: start + domain.end,
  }));
  const last = links.at(-1);
  if (last && after?.[1] !== undefined) last.end = whole;
  return dropTooLong(links, whole);
}

function dropTooLong(links: Link[], over: number): { links: Link[]; over: number } {
  return { links: links.filter(({ start, end }) => end - start <= MAX_LINK_LENGTH), over };
}

/**
 * The characters allowed in each part of a link, from twitter-text 3.1.0 (Apache-2.0):
 * https://github.com/twitter/twitter-text/tree/v3.1.0/js/src/regexp . The expressions of twitter-text take quadratic
 * time (12 s for 40,000 units of joined emoji), so this file searches from the dots outwards instead.
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
const NEVER_BEFORE = /[A-Za-z0-9@＠$#＃\uFFFE\uFEFF\uFFFF]/;

const PATH_CHARACTER = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${ACCENTED}]`;
const IN_BRACKETS = `\\((?:${PATH_CHARACTER}+|${PATH_CHARACTER}*\\(${PATH_CHARACTER}+\\)${PATH_CHARACTER}*)\\)`;
const PATH_END = `(?:[+\\-a-z\\u0400-\\u04FF0-9=_#/${ACCENTED}]|${IN_BRACKETS})`;
const PATH_PART = `(?:${PATH_CHARACTER}*(?:${IN_BRACKETS}${PATH_CHARACTER}*)*${PATH_END}|@${PATH_CHARACTER}+/)`;
/** A port, a path (group 1) and a query, all optional. */
const AFTER_HOST = new RegExp(
  `(?::[0-9]+)?(/${PATH_PART}*)?(?:\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/])?`,
  'iy',
);

/** RFC 1035. For an international name, the limit applies to its ASCII form. */
const MAX_LABEL_LENGTH = 63;
/** The ASCII form of a label of up to 9 units is never too long. */
const ALWAYS_SHORT_LENGTH = 9;

function isLabel(label: string, underscores: boolean): boolean {
  if (label === '' || /^[-_]|[-_]$/.test(label) || (!underscores && label.includes('_'))) return false;
  if (label.length <= ALWAYS_SHORT_LENGTH) return true;
  const encoded = /^[\x21-\x7e]*$/.test(label) ? label : domainToASCII(label.toWellFormed());
  return Math.max(label.length, encoded.length) <= MAX_LABEL_LENGTH;
}

/** Length of the longest domain at the start of a host, 0 if there is none. `next`: the character after the host. */
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

/** The links in a domain that need no "https://". Positions in UTF-16 units. */
function plainDomains(domain: string): { start: number; end: number }[] {
  return [...domain.matchAll(PLAIN_HOST)].flatMap(({ 0: run, index }) => {
    const start = index + run.length - run.replace(/^\.+/, '').length;
    const length = plainLength(domain.slice(start), index + run.length - start);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
}

/** Length of the longest link: labels within the first `plain` units, and a top-level domain in any script. */
function plainLength(domain: string, plain: number): number {
  for (let dot = domain.lastIndexOf('.', plain - 1); dot > 0; dot = domain.lastIndexOf('.', dot - 1)) {
    const [label = '', ...more] = domain.slice(dot + 1).split('.');
    const ending = endingLength(label, more.length > 0 ? '.' : '');
    if (ending !== undefined) return dot + 1 + ending;
  }
  return 0;
}
