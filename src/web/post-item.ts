import { renderPlatformNames } from '../posts/platforms.ts';
import { renderExcerpt, toExcerpt } from '../posts/post-text.ts';
import { type Html, html } from './html.ts';
import type { PlanPost } from './read-plan.ts';
import { type PageReader, renderClock } from './time.ts';

/** Short names for tight places. The whole name is the title, and what a list on a phone shows. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  LINKEDIN: 'LI',
  INSTAGRAM: 'IG',
  FACEBOOK: 'FB',
  THREADS: 'TH',
  YOUTUBE: 'YT',
  TIKTOK: 'TT',
  PINTEREST: 'PI',
  REDDIT: 'RE',
  TELEGRAM: 'TG',
};
const MAX_LINE_LENGTH = 56;

export const renderShortName = (platform: string): string =>
  SHORT_NAMES[platform] ?? renderPlatformNames([platform.slice(0, 8)]);

export function renderPlatforms(platforms: readonly string[]): Html {
  return html`<span class="pf">${platforms.map(
    (name) => html`<abbr title=${renderPlatformNames([name])}>${renderShortName(name)}</abbr>`,
  )}</span>`;
}

/** Renders a post in a list: its time, state, beginning and platforms. */
export function renderPostItem(
  { key, post, at, state, project }: PlanPost,
  { reader, hasProject, note }: { reader: PageReader; hasProject: boolean; note?: string | undefined },
): Html {
  const line = html`<span class="ln" dir="auto">${toExcerpt(renderExcerpt(post), MAX_LINE_LENGTH)}</span>`;
  const facts = html`<span><time>${renderClock(at, reader)}</time> <span class="st">${state.name}</span> ${line}</span>`;
  return html`<li class=${`p ${state.tone}`}>
    ${key === undefined ? facts : html`<a href=${key}>${facts}</a>`}
    ${renderPlatforms(post.platforms)}
    ${hasProject && html`<span class="tag"><bdi>${project.name}</bdi></span>`}
    ${note !== undefined && html`<span class="nt">${note}</span>`}
  </li>`;
}
