import type { IncomingHttpHeaders } from 'node:http';
import type { FeedCache } from './feed/feed-cache.ts';
import type { Link } from './links.ts';
import type { PageLook } from './look.ts';
import type { People } from './people.ts';
import type { Assets } from './style.ts';

/** A request with a link that works, and the person whose link it is. */
export interface PageRequest {
  look: PageLook;
  link: Link;
  /** The absolute address of the link, with a slash at its end. */
  address: string;
  assets: Assets;
  people: People;
  feeds: FeedCache;
  /** The path after the link, without a slash at its beginning. */
  rest: string;
  parameters: URLSearchParams;
  headers: IncomingHttpHeaders;
}
