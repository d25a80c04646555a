import type { ServerResponse } from 'node:http';
import type { Site } from '../site.ts';
import { answer } from './answer.ts';

/** Redirects permalinks of messages to the page, and those of files to their bytes. Returns false for other paths. */
export function servePermalink(site: Site, response: ServerResponse, path: string): boolean {
  const [, channel, seconds, micros] = /^\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/.exec(path) ?? [];
  const team = site === site.slack.sites[0] ? {} : { team: site.state.team.id };
  const location =
    channel === undefined
      ? /^\/files\/[A-Z0-9]+\/F[A-Z0-9]+\//.test(path)
        ? `/page/slack-file?${new URLSearchParams({ url: `${site.url}${path}` })}`
        : undefined
      : `/?${new URLSearchParams({ ...team, channel, message: `${seconds}.${micros}` })}`;
  if (location === undefined) return false;
  answer(response, 302, '', { Location: location });
  return true;
}
