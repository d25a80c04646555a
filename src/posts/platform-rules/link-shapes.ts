import { domainToASCII } from 'node:url';
import { endingLength } from './link-endings.ts';

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
export const HOST = new RegExp(`[^!'#%&()*+,\\\\/:;<=>?@\\[\\]^{|}~$${SPACES}${INVISIBLE}]+`, 'g');
/** The part of a host that needs no "https://" to be a link. */
const PLAIN_HOST = new RegExp(`[-.a-z0-9${ACCENTED}]+`, 'gi');
/** No link begins after these. */
export const NEVER_BEFORE = /[A-Za-z0-9@＠$#＃\uFFFE\uFEFF\uFFFF]/;

const PATH_SIGN = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${ACCENTED}]`;
const IN_BRACKETS = `\\((?:${PATH_SIGN}+|${PATH_SIGN}*\\(${PATH_SIGN}+\\)${PATH_SIGN}*)\\)`;
const PATH_END = `(?:[+\\-a-z\\u0400-\\u04FF0-9=_#/${ACCENTED}]|${IN_BRACKETS})`;
const PATH_PART = `(?:${PATH_SIGN}*(?:${IN_BRACKETS}${PATH_SIGN}*)*${PATH_END}|@${PATH_SIGN}+/)`;
/** A port, a path (group 1) and a query, as far as they are there. */
export const AFTER_HOST = new RegExp(
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
export function domainLength(host: string, next: string): number {
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
export function plainDomains(domain: string): { start: number; end: number }[] {
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
