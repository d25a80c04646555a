import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The page at the end of an installation. `sendPage` escapes all texts. */
export interface InstallPage {
  status: number;
  title: string;
  text: string;
  link?: { href: string; text: string };
  retryAfterSeconds?: number;
}

const STYLE = `
  body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #1d1c1d; background: #f8f8f8; }
  main { max-width: 34rem; margin: 12vh auto; padding: 2rem; background: #fff; border: 1px solid #ddd; border-radius: 12px; }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; }
  a { color: #1264a3; }
  @media (prefers-color-scheme: dark) {
    body { color: #e8e8e8; background: #1a1d21; }
    main { background: #222529; border-color: #444; }
    a { color: #6cb6ff; }
  }`;

/** Sends the page with headers that forbid scripts, requests to other addresses, framing and caching. */
export function sendPage(response: ServerResponse, page: InstallPage): void {
  const nonce = randomBytes(16).toString('base64');
  const { link, retryAfterSeconds } = page;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(page.title)}</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(page.title)}</h1>
      <p>${escapeHtml(page.text)}</p>
      ${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : ''}
    </main>
  </body>
</html>
`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
