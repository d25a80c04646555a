/**
 * Our decisions about what the API's description leaves open. Every rule of the emulator beyond the OpenAPI document is
 * listed here, with its reason; the code elsewhere only implements it. A real service may behave differently, so the
 * bot must not rely on anything on this page.
 *
 * Posts
 * - A SCHEDULED post needs a ScheduleDate in the future, an existing Timezone and at least one platform: otherwise it is
 *   undefined when and where it is published. A draft may lack all of them.
 * - A post needs Content, Media, a template or a prompt. One of them is enough, because a template or a prompt stands
 *   for text that is written later.
 * - The TemplateId and PromptId of a post must exist in its project; a typo would otherwise be found only on the day.
 * - A ScheduleDate without an offset is wall time in its Timezone, which defaults to UTC; with an offset the instant
 *   counts. A wall time that a clock change skips moves later by the gap; one that occurs twice means the first.
 *   Bounds of a range without an offset are UTC: a range has no Timezone.
 * - Platforms are a set: a repeated platform counts once.
 * - A post is due at its ScheduleDate and PUBLISHED from then on, with a log entry. Nothing is delivered anywhere, and
 *   the log says so.
 * - A post that can't be published is FAILED, with a log entry, and stays so. Only the fault `failsToPublish` causes it.
 * - "Newest first" means by creation, the last created post first. Ids are ascending, so the order is total and a page
 *   never repeats a post because of a tie.
 * - The next post is the SCHEDULED one with the earliest ScheduleDate after now.
 * - Several values of one filter match any of them; several filters must all match. A filter value that can't exist is
 *   refused: an empty list would hide the typo.
 *
 * People
 * - An invitation needs FirstName, LastName and Email. Role defaults to ADMIN and Status to ACTIVE, as a public page of
 *   the API says. A repeated e-mail in a project, in any case, is refused under Email.
 *
 * Everything else
 * - Every success is 200: the description names no other.
 * - Unknown ids are 404. A request that is both invalid and about an unknown id is 422.
 * - A change without any field is refused, because it can only be a mistake. A prompt needs a Title and a PromptText.
 * - Every change writes a log entry. Logs name ids and never repeat content.
 * - Deleting a file has no selector: it succeeds, deletes nothing, and the log says so.
 * - Each sample project has one webhook. Deleting it twice is 404.
 * - A query parameter that isn't a list may be given only once: with two values it is unclear which one is meant.
 * - NUL and unpaired surrogates are refused in every text: they aren't valid Unicode, and databases can't store them.
 */

/** Statuses that a new post may have. It becomes PUBLISHED or FAILED only at its ScheduleDate. */
export const CREATABLE_STATUSES = ['DRAFT', 'SCHEDULED'] as const;

/** The status of a post without one: DRAFT is harmless. */
export const DEFAULT_POST_STATUS = 'DRAFT';

/** FAILED isn't documented. Services need a status for posts that they couldn't publish. */
export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED'] as const;

/** ADMIN is documented. The list is closed so that a typo like SUPERADMIN is found, not stored. */
export const USER_ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;

/** ACTIVE is documented; INACTIVE is its only opposite that needs no explanation. */
export const USER_STATUSES = ['ACTIVE', 'INACTIVE'] as const;

export const DEFAULT_USER_ROLE = 'ADMIN';

export const DEFAULT_USER_STATUS = 'ACTIVE';

/** The largest page of posts. A larger `limit` is refused, because a shortened page would look like the last one. */
export const MAX_LIMIT = 1_000;

/** Logs have no pagination, so only the newest are returned. */
export const MAX_LOGS = 1_000;

/** The size of a request's body. */
export const MAX_BODY_BYTES = 1_048_576;

/** Problems in one 422, so that a body with a million errors doesn't cause an even larger answer. */
export const MAX_PROBLEMS = 100;

/**
 * Maximum lengths of texts, in UTF-16 units. Content and PromptText exceed the largest limit of a platform (Facebook,
 * 63,206), while a page of the largest posts still fits into one answer. The others are generous.
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

/** ScheduleDates outside this range lack a four-digit year or make no sense for a post. */
export const EARLIEST_SCHEDULE_DATE = new Date('1970-01-01T00:00:00.000Z');

export const LATEST_SCHEDULE_DATE = new Date('9999-12-31T23:59:59.999Z');
