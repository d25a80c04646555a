import { type Answer, toAnswer } from './answer.ts';
import { type Child, type Html, html } from './html.ts';
import type { Assets } from './style.ts';

type PageAssets = Pick<Assets, 'style' | 'icon'>;

/** A shape of the stylesheet. It is decoration: the words beside it say the same. */
export const renderIcon = (name: string): Html => html`<i class=${`i ${name}`} />`;

export interface Frame {
  title: string;
  /** Which part of the stylesheet is about the page. */
  kind: 'month' | 'day' | 'post' | 'plain';
  assets: PageAssets;
  /** For whom the page is, and the zone of its times. Absent on a page that is for nobody. */
  reader?: { name: string | undefined; zone: string };
  /** Where the name of the app leads. */
  home?: string;
}

export function renderPage({ title, kind, assets, reader, home = '#main' }: Frame, ...main: Child[]): Html {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · Upnext</title>
      <link rel="stylesheet" href=${assets.style} />
      <link rel="icon" href=${assets.icon} />
    </head>
    <body class=${`${kind}view`}>
      <a class="skip" href="#main">Skip to content</a>
      <header class="top">
        <a class="brand" href=${home}>
          <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <rect class="m1" x="1" y="2" width="16" height="4" rx="2" />
            <rect class="m2" x="1" y="8" width="11" height="4" rx="2" />
            <rect class="m3" x="1" y="14" width="6" height="3" rx="1.5" />
          </svg>
          Upnext
        </a>
        ${
          reader &&
          html`<p class="who">
            <span>${reader.name === undefined ? 'Your' : html`<span>For <bdi>${reader.name}</bdi>,</span>`} personal link</span>
            <span>Times in ${reader.zone}</span>
          </p>`
        }
      </header>
      <main id="main">${main}</main>
      <footer class="foot">
        <p>
          ${reader && 'This link is yours alone: whoever has it sees what you may see. Don’t forward it. '}
          Upnext shows these pages only from links in Slack.
        </p>
      </footer>
    </body>
  </html>`;
}

export function renderGone(assets: PageAssets): Html {
  return renderPage(
    { title: 'This link isn’t here', kind: 'plain', assets },
    html`<div class="center">
      <h1>This link isn’t here, or no longer</h1>
      <p>Links end after a while, and when somebody’s access changes. Part of the address may also be missing.</p>
      <p>Get a new one in Slack: type <kbd>/upnext plan</kbd>.</p>
    </div>`,
  );
}

/** For a post whose messages in Slack were deleted. */
export function renderNoCard(assets: PageAssets): Html {
  return renderPage(
    { title: 'No longer in Slack', kind: 'plain', assets },
    html`<div class="center">
      <h1>Its card is no longer there</h1>
      <p>Somebody deleted it in Slack. Find the post with <kbd>/upnext posts</kbd>.</p>
    </div>`,
  );
}

/** For what couldn't be found out: neither what the page shows nor that it isn't there. */
function renderUnavailable(assets: PageAssets): Html {
  return renderPage(
    { title: 'Not right now', kind: 'plain', assets },
    html`<div class="center">
      <h1>I can’t show this right now</h1>
      <p>I couldn’t check what you may see. Your link still works: reload the page in a minute.</p>
    </div>`,
  );
}

/** For a service that doesn't say what there is, while nothing is known of it either. */
function renderUnread(frame: Pick<Frame, 'assets' | 'reader' | 'home'>): Html {
  return renderPage(
    { ...frame, title: 'Not right now', kind: 'plain' },
    html`<div class="center">
      <h1>I couldn’t read your projects</h1>
      <p>The scheduling service doesn’t answer, so I don’t know what is planned. Reload the page in a minute.</p>
    </div>`,
  );
}

/** Answers that it couldn't be found out what the person may see. */
export const answerUnavailable = (assets: Frame['assets']): Answer =>
  toAnswer(renderUnavailable(assets), 503, { 'retry-after': '5' });

/** Answers that the service doesn't say what there is. */
export const answerUnread = (frame: Parameters<typeof renderUnread>[0]): Answer =>
  toAnswer(renderUnread(frame), 503, { 'retry-after': '60' });
