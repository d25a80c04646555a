import { findOwnText } from '../../api/posts.ts';
import { getLocalDate, renderDay, renderWeekday } from '../../digests/content/days.ts';
import { describeMedia } from '../../posts/media-reference.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { type CardPost, renderExcerpt, toExcerpt } from '../../posts/post-text.ts';
import { capitalize } from '../../words.ts';
import { type Child, type Html, html } from '../html.ts';
import { type Frame, renderPage } from '../layout.ts';
import type { Tone } from '../state.ts';
import { type PageReader, renderClock, renderMoment, renderZone } from '../time.ts';
import { listLinks } from './feed-text.ts';
import { renderPreview, type ShownMedia } from './preview.ts';

/** A step of a post's review. */
export interface ReviewStep {
  state: 'approved' | 'waits' | 'next' | 'unknown';
  /** The names of those who approved, or who are asked. */
  people: readonly string[];
}

export interface HistoryLine {
  at: Date;
  /** "Ana Ferreira moved it". */
  deed: string;
  /** A comment, a reason, or what has changed. */
  details: readonly string[];
}

export interface PostPage {
  post: CardPost;
  project: { id: string; name: string };
  state: { name: string; tone: Tone; sentence: string };
  author: string | undefined;
  media: ShownMedia | undefined;
  /** Where the media is that isn't shown: "example.com". */
  mediaHost: string | undefined;
  review: readonly ReviewStep[];
  /** Undefined if only the service has the post, so that nothing is known. */
  history: readonly HistoryLine[] | undefined;
  /** The address that leads to its card in Slack. */
  slack: string | undefined;
  /** The address of its month. Undefined for a link that shows no months. */
  back: string | undefined;
  reader: PageReader;
  now: Date;
  frame: Pick<Frame, 'assets' | 'reader' | 'home'>;
}

export function renderPostPage(page: PostPage): Html {
  const { post, project, state, frame, back, reader } = page;
  const { scheduleDate: at, timezone = '' } = post;
  const day = at && getLocalDate(at, reader.zone);
  const when =
    at && day !== undefined
      ? `${renderWeekday(day)}, ${renderDay(day).slice(4)}, ${renderClock(at, reader)}`
      : 'Without a date';
  const own = at && findOtherClock(at, timezone, reader);
  return renderPage(
    { ...frame, title: `${toExcerpt(renderExcerpt(post), 40)} – ${project.name}`, kind: 'post' },
    back !== undefined && html`<p class="back"><a href=${back}>‹ <bdi>${project.name}</bdi></a></p>`,
    html`<header class="ph">
      <h1>${when}</h1>
      <p class=${`state ${state.tone}`}><span class="st">${state.name}</span> <span>${state.sentence}</span></p>
      ${own !== undefined && html`<p class="sub">${own}</p>`}
      <p class="sub"><bdi>${project.name}</bdi>${page.author !== undefined && html`<span>, by <bdi>${page.author}</bdi></span>`}</p>
      ${page.slack !== undefined && html`<p class="acts"><a class="button" href=${page.slack} rel="noreferrer noopener">Open in Slack</a></p>`}
    </header>`,
    html`<div class="cols">
      <section class="pvs" aria-labelledby="looks">
        <h2 id="looks">On ${renderPlatformNames(post.platforms) || 'no platform'}</h2>
        <p class="sub">
          About as a phone shows it. Platforms change their feeds and cut by lines, the scheduling service may convert
          pictures, and the card of a link isn’t shown.
        </p>
        <div class="pvgrid">${post.platforms.map((platform) => renderPreview(post, platform, { project: project.name, media: page.media }))}</div>
      </section>
      <aside aria-label="Details">
        ${renderReview(page.review)} ${renderMediaFacts(page)} ${renderLinks(post)} ${renderHistory(page)}
        ${page.slack === undefined && html`<section><h2>Change it</h2><p class="sub">In Slack, with <kbd>/upnext posts</kbd>.</p></section>`}
      </aside>
    </div>`,
  );
}

/** The time in the post's own zone, if the clock shows another one there. */
function findOtherClock(at: Date, zone: string, reader: PageReader): string | undefined {
  const there = zone && zone !== reader.zone ? renderMoment(at, { ...reader, zone }) : undefined;
  return there === undefined || there === renderMoment(at, reader)
    ? undefined
    : `In the post’s zone: ${there}, ${renderZone(zone, at)}`;
}

const STEPS: Readonly<Record<ReviewStep['state'], readonly [tone: string, text: string]>> = {
  approved: ['published', 'Approved'],
  waits: ['review', 'Waits for an answer'],
  next: ['draft', 'Not asked yet'],
  unknown: ['draft', 'I couldn’t check whether the approvals count'],
};

function renderReview(steps: readonly ReviewStep[]): Child {
  if (steps.length === 0) return undefined;
  return html`<section>
    <h2>Approval</h2>
    <ol class="steps">
      ${steps.map(({ state, people }, index) => {
        const [tone, text] = STEPS[state];
        return html`<li class=${state}>
          <b>Step ${index + 1}</b> ${people.map((name) => html`<span class="sub"><bdi>${name}</bdi> </span>`)}
          <small><span class=${`st ${tone}`}>${text}</span></small>
        </li>`;
      })}
    </ol>
  </section>`;
}

function renderMediaFacts({ media, mediaHost, post }: PostPage): Child {
  if (!media) return undefined;
  return html`<section>
    <h2>Media</h2>
    <dl>
      <dt>File</dt>
      <dd>${media.facts ? describeMedia(media.facts) : html`<span>On ${mediaHost ?? 'another site'}, so I don’t know its size</span>`}</dd>
      <dt>Alt text</dt>
      <dd>${post.altText ? html`<bdi>${post.altText}</bdi>` : html`<span class="st warn">None that I know of. People who can’t see it may get nothing.</span>`}</dd>
    </dl>
  </section>`;
}

function renderLinks(post: CardPost): Child {
  const texts = [post.content ?? '', ...post.platforms.map((platform) => findOwnText(post, platform) ?? '')];
  const links = [...new Set(texts.flatMap(listLinks))];
  if (links.length === 0) return undefined;
  return html`<section>
    <h2>Links</h2>
    <ul class="links">
      ${links.map((link) =>
        /^https?:\/\//i.test(link)
          ? html`<li><a href=${link} rel="noreferrer noopener nofollow">${link}</a></li>`
          : html`<li>${link}</li>`,
      )}
    </ul>
  </section>`;
}

function renderHistory({ history, reader }: PostPage): Html {
  return html`<section>
    <h2>History</h2>
    ${
      history === undefined
        ? html`<p class="sub">The scheduling service has this post, and doesn’t tell its history.</p>`
        : html`<ol class="tl">
            ${history.map(
              ({ at, deed, details }) => html`<li>
                <p>${capitalize(deed)} <time datetime=${at.toISOString()}>${renderMoment(at, reader)}</time></p>
                ${details.length > 0 && html`<p class="chg" dir="auto">${details.join('\n')}</p>`}
              </li>`,
            )}
          </ol>`
    }
  </section>`;
}
