import type { operations } from '../schema.d.ts';
import type { JsonLimits } from './json-buffer.ts';

/** Limits for one response. `readBytes`: decoded bytes that are read. A longer response is an error. */
export interface ResponseLimits extends JsonLimits {
  readBytes: number;
}

/**
 * Limits for the JSON that is parsed at once, so that other requests don't wait. Measured on a machine with 2 cores:
 * parsing 4 MiB of log lines takes 13 ms, and parsing 50,000 values with different names takes 20 ms.
 */
const PARSED = { parsedBytes: 2 ** 22, values: 50_000 };

/** Limits for one record or a confirmation. The longest post takes a quarter of this size. */
const SINGLE: ResponseLimits = { readBytes: 2 ** 20, ...PARSED };

/** Records of one list. People don't page through so many records, 30 at a time, or search so many in a menu. */
export const MAX_LISTED_RECORDS = 2_000;

/** Limits for a list. The service has no pagination for most lists, so records beyond the limit can't be read. */
const LIST: ResponseLimits = { readBytes: 2 ** 24, records: MAX_LISTED_RECORDS, ...PARSED };

/**
 * Limits for concurrent large responses in the process. Each takes up to 20 MiB until it is parsed, so all together
 * take at most 320 MiB. A response of less than 1 MiB never waits. One workspace may read four large responses at once:
 * Home makes the most concurrent calls, and it makes four.
 */
export const LARGE_READS = { minBytes: 2 ** 20, maxSlots: 16, maxSlotsPerKey: 4 };

/** Concurrent calls for the names of projects with their own token: the quota of one workspace. */
export const MAX_CONCURRENT_NAME_READS = LARGE_READS.maxSlotsPerKey;

export const RESPONSE_LIMITS: Record<keyof operations, ResponseLimits> = {
  listProjects: LIST,
  listTemplates: LIST,
  listSources: LIST,
  // A log has many short lines, and is searched and exported as a whole.
  listLogs: { ...LIST, records: 5_000 },
  // A page has 100 posts. A service that ignores the page size returns all posts. One view shows 500 of them.
  listPosts: { ...LIST, records: 500 },
  getUpnextPost: SINGLE,
  getTemplate: SINGLE,
  createPost: SINGLE,
  createPrompt: SINGLE,
  updateSource: SINGLE,
  addNonPlatformUserToProject: SINGLE,
  updateProjectUser: SINGLE,
  deleteWebhook: SINGLE,
  deleteFile: SINGLE,
};

/**
 * Limits for validation errors, of which `readProblems` returns 100. Each may contain a copy of the request (1 MiB).
 */
export const PROBLEM_LIMITS: ResponseLimits = { readBytes: 2 ** 22, records: 100, ...PARSED };
