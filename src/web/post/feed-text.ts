import { findLinks } from '../../posts/platform-rules/platform-rules.ts';
import { type Child, html } from '../html.ts';

/** Mentions and hashtags. A hashtag needs a letter. */
const MARK =
  /(?<![\p{L}\p{N}_@/])(?:@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,100}[\p{L}\p{N}_])?|[#＃](?=[\p{M}\p{N}_]{0,100}\p{L})[\p{L}\p{M}\p{N}_]{1,200})/gu;

/** Marks links, mentions and hashtags as a feed does. They aren't links here: those are listed below the preview. */
export function renderFeedText(text: string, hasClickableLinks: boolean): Child[] {
  const pieces: Child[] = [];
  const addPlain = (plain: string) => {
    let end = 0;
    for (const { 0: mark, index } of plain.matchAll(MARK)) {
      pieces.push(plain.slice(end, index), html`<span class="lk">${mark}</span>`);
      end = index + mark.length;
    }
    pieces.push(plain.slice(end));
  };
  let position = 0;
  for (const { start, end } of findLinks(text)) {
    addPlain(text.slice(position, start));
    const link = text.slice(start, end);
    const shown = hasClickableLinks ? link.replace(/^https?:\/\//, '') : link;
    pieces.push(html`<span class=${hasClickableLinks ? 'lk' : 'dead'}>${shown}</span>`);
    position = end;
  }
  addPlain(text.slice(position));
  return pieces;
}

export function listLinks(text: string): string[] {
  return [...new Set(findLinks(text).map(({ start, end }) => text.slice(start, end)))];
}

/** Overrides and isolates of direction: with them, a text can show another address than it has. */
const MISLEADING = /[\u202a-\u202e\u2066-\u2069]/u;

export const hasMisleadingMarks = (text: string): boolean => MISLEADING.test(text);
