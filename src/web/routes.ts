import type { Answer } from './answer.ts';
import { answerFeed } from './feed/feed.ts';
import type { LinkKind } from './links.ts';
import { answerMonth } from './month/month.ts';
import { answerPost, answerSlack } from './post/post.ts';
import type { PageRequest } from './request.ts';

interface Route {
  kinds: readonly LinkKind[];
  path: RegExp;
  /** Undefined if there is no such page, or the person may not see it. */
  answer(request: PageRequest): Promise<Answer | undefined>;
}

/** All pages. */
export const ROUTES: readonly Route[] = [
  { kinds: ['pages'], path: /^(?:\d{4}-\d\d)?$/, answer: answerMonth },
  // The events of a feed lead to the pages of their posts.
  { kinds: ['pages', 'feed'], path: /^[ps]\./, answer: answerPost },
  { kinds: ['pages', 'feed'], path: /^slack\.p\./, answer: answerSlack },
  { kinds: ['feed'], path: /^upnext\.ics$/, answer: answerFeed },
];
