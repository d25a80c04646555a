import { AFTER_HOST, domainLength, HOST, NEVER_BEFORE, plainDomains } from './link-shapes.ts';

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
