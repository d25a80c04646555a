/** What one reading takes of a person's words. No moment, range or recurrence needs more; Slack's fields take 3,000. */

/** Of a line, in UTF-16 units, as Slack counts `max_length`. Its tidied form is held to the same. */
export const MAX_LINE_LENGTH = 200;

/** More posts at once are more likely a slip than a plan; nor can there be more lines. */
export const MAX_MOMENTS = 20;

/** Of a line. A list of days, times and zones has about 30; Japanese has no blanks and so one. */
export const MAX_WORDS = 60;

/** Of a zone's name, place or offset, in UTF-16 units; the longest that is known has 40. */
export const MAX_ZONE_LENGTH = 80;

/**
 * What all readings of one request may cost together: about 20 ms of CPU time, warm. Counted and not timed, so that
 * the same words always get the same answer: the first ones after a start take longer, and so do those on a busy
 * machine. `npm run bench -- slow-texts` measures how long a step takes, and the most that real phrases need.
 */
export const MAX_STEPS = 4_000;
