/**
 * What the service's description leaves open, decided as its users would expect. Everything that the practice
 * service demands or does beyond the OpenAPI document is named here, each with its reason; the code elsewhere
 * only carries it out. A real service may have decided otherwise: the bot must not count on anything on this page.
 *
 * Posts
 * - A SCHEDULED post needs a ScheduleDate in the future, a Timezone that exists and at least one platform: without
 *   any of these nobody could say when and where it goes out. A draft may lack all of them.
 * - A post needs something to say: Content, Media, a template or a prompt. One of them is enough, because a template
 *   or a prompt stands for text that is written later.
 * - The TemplateId and PromptId of a post must exist in its project; a typo would otherwise be found only on the day.
 * - A ScheduleDate without an offset is the wall clock of its Timezone (UTC where none is given); with an offset the
 *   instant counts. A wall clock that a clock change skips moves later by the gap, one that comes twice is the first.
 *   Bounds of a range without an offset are UTC: a range has no Timezone.
 * - The same platform twice is once: platforms are a set.
 * - A post is due at its ScheduleDate and from then on PUBLISHED wherever it is read, with a log that says so.
 *   Nothing is delivered anywhere, and the log says that too.
 * - "Newest first" is by creation, the last created post first; ids rise with it, so the order is total and a page
 *   never shows a post twice because of a tie.
 * - The next post to go out is the SCHEDULED one with the earliest ScheduleDate after now.
 * - Filters of one kind are "any of", of several kinds "all of". A filter's value that cannot exist is refused: an
 *   empty list would hide the typo.
 *
 * People
 * - An invitation needs FirstName, LastName and Email; Role is ADMIN and Status ACTIVE where not given, as a public
 *   page of the API says. The same e-mail twice in a project is refused under Email, whatever its case.
 *
 * Everything else
 * - Every success is 200: the description names no other.
 * - Unknown ids are 404. A request that is both wrong and about an unknown id is 422: what is wrong comes first.
 * - A change of nothing is refused, as it can only be a mistake; a prompt needs a Title and a PromptText.
 * - Every change writes a log. Logs name ids and never repeat content.
 * - Deleting a file has no selector: it succeeds, deletes nothing, and the log says so.
 * - Each sample project has one webhook; once deleted it is gone, and deleting it again is 404.
 * - A query parameter that is not a list may be given once: of two values nobody knows which was meant.
 * - NUL and unpaired surrogates are refused in every text: they are no Unicode text and no database keeps them.
 */

/** What a new post may say. PUBLISHED is missing: a post gets there by its moment alone. */
export const CREATABLE_STATUSES = ['DRAFT', 'SCHEDULED'] as const;

/** Drafts are the harmless reading of a post that does not say. */
export const DEFAULT_POST_STATUS = 'DRAFT';

export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const;

/** ADMIN is documented. The list is closed so that a typo like SUPERADMIN is found, not stored. */
export const USER_ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;

/** ACTIVE is documented; INACTIVE is its only opposite that needs no explanation. */
export const USER_STATUSES = ['ACTIVE', 'INACTIVE'] as const;

export const DEFAULT_USER_ROLE = 'ADMIN';

export const DEFAULT_USER_STATUS = 'ACTIVE';

/** The largest page of posts. More is refused and not cut: a cut page looks like the last one. */
export const MAX_LIMIT = 1_000;

/** Logs cannot be paged, so the newest ones have to do. */
export const MAX_LOGS = 1_000;

/** Bytes of a request's body. */
export const MAX_BODY_BYTES = 1_048_576;

/** Problems in one 422; a body of a million mistakes must not become a far larger answer. */
export const MAX_PROBLEMS = 100;

/**
 * Longest texts, in UTF-16 units. Content and PromptText: more than the most that a platform takes (Facebook,
 * 63,206); a page of the largest posts still fits into one answer. The others are generous for what they hold.
 */
export const MAX_LENGTHS: Readonly<Record<string, number>> = {
  Content: 65_536,
  PromptText: 65_536,
  Description: 10_000,
  Media: 4_096,
  Source: 4_096,
  Title: 500,
  FirstName: 200,
  LastName: 200,
  Email: 254,
  PhoneNumber: 50,
};

/** ScheduleDates outside of these have no four-digit year or no meaning for a post. */
export const EARLIEST_SCHEDULE_DATE = new Date('1970-01-01T00:00:00.000Z');

export const LATEST_SCHEDULE_DATE = new Date('9999-12-31T23:59:59.999Z');
