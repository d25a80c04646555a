import type { ServerResponse } from 'node:http';
import type { Site } from '../site.ts';
import { AVATAR_SIZES, drawAvatar, ICON_SIZES } from '../state/avatar.ts';
import { findPerson } from '../state/directory.ts';
import { answer } from './answer.ts';

const SIZES = new Set<number>([...AVATAR_SIZES, ...ICON_SIZES]);

/** `GET /avatars/U123-72.png`. Profile pictures are public, as in Slack. */
export function serveAvatar({ slack }: Site, response: ServerResponse, path: string): void {
  const [, id = '', digits] = /^\/avatars\/(\w+)-(\d+)\.png$/.exec(path) ?? [];
  const size = Number(digits);
  const person = slack.sites.map((site) => findPerson(site, id)).find((found) => found !== undefined);
  if (!person || !SIZES.has(size)) {
    answer(response, 404, 'Not found');
    return;
  }
  answer(response, 200, drawAvatar(person, size), {
    'Content-Type': 'image/png',
    'Cache-Control': 'max-age=3600',
    // Pages of other origins may show it.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}
