import type { operations } from '../schema.d.ts';
import type { JsonLimits } from './kept-json.ts';

/** Limits for one response: `bytes` that are read after decoding (more is an error), and how much of that is kept. */
export interface AnswerLimits extends JsonLimits {
  bytes: number;
}

/**
 * The most that is parsed at once, so that other requests don't wait. Measured on a machine with 2 cores: 13 ms for 4
 * MiB of log lines, and 20 ms for 50,000 values with different names.
 */
const KEPT = { keptBytes: 2 ** 22, values: 50_000 };

/** For one record or a confirmation. The longest post takes a quarter of this. */
const ONE: AnswerLimits = { bytes: 2 ** 20, ...KEPT };

/** Records of one list. More than anybody pages through, 30 at a time, or searches in a menu. */
export const MAX_LISTED = 2_000;

/** For lists. The service has no pagination for most of them, so records beyond the limit can't be read. */
const LIST: AnswerLimits = { bytes: 2 ** 24, records: MAX_LISTED, ...KEPT };

/**
 * Limits for large responses that are read at the same time in the process. Each takes up to 20 MiB until it is parsed,
 * so all together take at most 320 MiB. A response of less than 1 MiB never waits. One workspace may read four at once,
 * as many as Home needs, which makes the most calls at once.
 */
export const LARGE_READS = { fromBytes: 2 ** 20, atOnce: 16, ofOneShare: 4 };

/** Concurrent calls for the names of projects with their own token: the quota of one workspace. */
export const OWN_PROJECTS_AT_ONCE = LARGE_READS.ofOneShare;

export const ANSWER_LIMITS: Record<keyof operations, AnswerLimits> = {
  listProjects: LIST,
  listTemplates: LIST,
  listSources: LIST,
  // Log lines are short and many, and are searched and exported as a whole.
  listLogs: { ...LIST, records: 5_000 },
  // A page has 100 posts. If a service ignores the page size and returns all posts, only as many are read as one view
  // shows.
  listPosts: { ...LIST, records: 500 },
  getUpnextPost: ONE,
  getTemplate: ONE,
  createPost: ONE,
  createPrompt: ONE,
  updateSource: ONE,
  addNonPlatformUserToProject: ONE,
  updateProjectUser: ONE,
  deleteWebhook: ONE,
  deleteFile: ONE,
};

/** For validation errors: as many as `readProblems` returns. Each may contain a copy of the request (1 MiB at most). */
export const PROBLEM_LIMITS: AnswerLimits = { bytes: 2 ** 22, records: 100, ...KEPT };
