import { findOwnText } from '../../api/posts.ts';
import { MEDIA_TYPES, type MediaFacts } from '../../posts/media-reference.ts';
import {
  checkPlatforms,
  makesLinksClickable,
  previewFeed,
  renderFinding,
} from '../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms, renderPlatformNames } from '../../posts/platforms.ts';
import type { CardPost } from '../../posts/post-text.ts';
import { type Child, type Html, html } from '../html.ts';
import { renderIcon } from '../layout.ts';
import { hasMisleadingMarks, renderFeedText } from './feed-text.ts';

type Frame = 'fit' | 'insta' | 'pin' | 'screen' | 'wide';

/**
 * How a feed shows a post, as far as sources agree. `fit` shows the whole picture; the other frames cut it or put bars
 * beside it. Instagram shows upright pictures outside of 4:5 cut (developers.facebook.com/docs/instagram-platform), and
 * Pinterest cuts below 2:3 (help.pinterest.com/business/article/pinterest-product-specs). Others fill an upright screen
 * or a wide one. Lengths, limits and clickable links are those of the platform rules.
 */
const LOOKS: Readonly<Record<string, { first: 'text' | 'picture'; frame: Frame; shape?: string }>> = {
  INSTAGRAM: { first: 'picture', frame: 'insta', shape: '4:5 to 1.91:1, upright videos whole' },
  YOUTUBE: { first: 'picture', frame: 'wide', shape: '16:9; upright videos become Shorts' },
  TIKTOK: { first: 'picture', frame: 'screen', shape: 'fills an upright screen (9:16)' },
  PINTEREST: { first: 'picture', frame: 'pin', shape: 'cut below 2:3' },
  TELEGRAM: { first: 'picture', frame: 'fit' },
};
const DEFAULT_LOOK = { first: 'text', frame: 'fit', shape: undefined } as const;

/** The picture of a post: shown from this site, or named. */
export interface ShownMedia {
  facts: MediaFacts | undefined;
  /** Its path on this site. Undefined for a file elsewhere, which would be asked for by the reader's browser. */
  path: string | undefined;
  altText: string | undefined;
}

/**
 * The path of a file of this site, whose pages begin at `address`. Undefined for any other address: it is what somebody
 * wrote in a post, and of the same site there may be paths that lead to others ("//evil.example/…").
 */
export function findOwnPath(media: string, address: string): string | undefined {
  const url = URL.parse(media);
  const door = new URL('../../media/', address);
  if (url?.origin !== door.origin || !url.pathname.startsWith(door.pathname)) return undefined;
  const name = url.pathname.slice(door.pathname.length);
  return /^[\w-]+\.\w+$/.test(name) ? door.pathname + name : undefined;
}

/** The frame cuts only a picture that is outside of the feed's shapes. */
function findFrame(frame: Frame, { facts }: ShownMedia): string {
  const { width = 1, height = 1, type } = facts ?? {};
  const ratio = width / height;
  const isVideo = type !== undefined && MEDIA_TYPES[type].kind === 'video';
  if (isVideo && ratio < 1 && frame !== 'fit') return 'screen';
  if (frame === 'insta') return ratio < 4 / 5 ? 'r45 cuts' : ratio > 1.91 ? 'r191 cuts' : 'fit';
  if (frame === 'pin') return ratio < 2 / 3 ? 'pin cuts' : 'pin';
  return frame;
}

function renderMedia(media: ShownMedia, frame: string): Html {
  const { path, facts, altText } = media;
  if (path === undefined)
    return html`<div class="frame none"><p>The picture or video is on another site, so it isn’t loaded here.</p></div>`;
  const isVideo = facts && MEDIA_TYPES[facts.type].kind === 'video';
  if (isVideo || facts?.type === 'image/heic')
    return html`<div class="frame none"><p>${isVideo ? 'A video' : 'A picture'}. <a href=${path}>Open it</a></p></div>`;
  return html`<div class=${`frame ${frame}`}>
    <img src=${path} alt=${altText || 'Picture without a description'} width=${facts?.width} height=${facts?.height} loading="lazy" />
  </div>`;
}

/** Renders a post as the feed of a platform shows it, with what is to be said about it there. */
export function renderPreview(
  post: CardPost,
  platform: string,
  { project, media }: { project: string; media: ShownMedia | undefined },
): Html {
  const [known] = parsePlatforms([platform]) ?? [];
  const text = findOwnText(post, platform) ?? post.content ?? '';
  const look = LOOKS[platform] ?? DEFAULT_LOOK;
  const frame = media ? findFrame(look.frame, media) : look.frame;
  const checked =
    known &&
    checkPlatforms({
      ...{ content: text, platforms: [known], media: post.media ?? '', mediaFacts: media?.facts },
      hasTemplateOrPrompt: post.templateId !== undefined || post.promptId !== undefined,
    });
  const counted = checked?.counts[0];
  const feed = counted && previewFeed(text, counted);
  const isClickable = !known || makesLinksClickable(known);
  const picture = media && renderMedia(media, frame);
  const body = renderBody(text, feed, isClickable);
  const name = renderPlatformNames([platform]);
  const notes = [
    ...(checked?.stops ?? []).map(
      (finding) => html`<li class="stop">${renderIcon('problem')}<span>${renderFinding(finding)}</span></li>`,
    ),
    hasMisleadingMarks(text) &&
      html`<li class="stop">${renderIcon('problem')}<span>Hidden marks change the order of letters here. Check the list of links.</span></li>`,
    ...(checked?.warnings ?? []).map(
      (finding) => html`<li class="warning">${renderIcon('warn')}<span>${renderFinding(finding)}</span></li>`,
    ),
    ...(feed?.notes ?? []).map(
      (note) => html`<li class="info"><span>${note.charAt(0).toUpperCase() + note.slice(1)}</span></li>`,
    ),
  ].filter(Boolean);
  return html`<article class="pv" aria-labelledby=${`on-${platform}`}>
    <h3 id=${`on-${platform}`}>${name}${counted && feed && html`<span class=${counted.used > counted.limit ? 'ct over' : 'ct'}>${feed.count} ${counted.unit}</span>`}</h3>
    ${counted && renderMeter(counted)}
    <div class="card">
      <div class="by">
        <span class="av" aria-hidden="true">${project.replace(/[^\p{Lu}]/gu, '').slice(0, 2)}</span>
        <span><b><bdi>${project}</bdi></b><small>${name}</small></span>
      </div>
      ${look.first === 'text' ? [body, picture] : [picture, body]}
    </div>
    ${notes.length > 0 && html`<ul class="notes">${notes}</ul>`}
    ${
      media?.path !== undefined &&
      look.shape !== undefined &&
      html`<p class="shape">${frame.includes('cuts') ? 'Cut to fit: ' : 'Shape: '}${look.shape}</p>`
    }
  </article>`;
}

function renderBody(
  text: string,
  feed: ReturnType<typeof previewFeed> | undefined,
  isClickable: boolean,
): Child {
  const whole = text.trim();
  if (whole === '') return undefined;
  if (!feed?.isCut) return html`<div class="tx" dir="auto">${renderFeedText(whole, isClickable)}</div>`;
  const rest = whole.slice(feed.visibleText.length);
  return html`<details class="fold">
    <summary dir="auto">${renderFeedText(feed.visibleText, isClickable)}<span class="cut">… more</span></summary>
    <div dir="auto">${renderFeedText(rest, isClickable)}</div>
  </details>`;
}

function renderMeter({ used, limit }: { used: number; limit: number }): Html {
  const share = Math.min(1, used / limit);
  const level = used > limit ? 'meter over' : share > 0.9 ? 'meter near' : 'meter';
  return html`<svg class=${level} viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="3" /><rect class="v" width=${(share * 100).toFixed(1)} height="3" />
  </svg>`;
}
