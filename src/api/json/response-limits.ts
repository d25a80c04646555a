import type { operations } from '../schema.d.ts';
import type { JsonLimits } from './bounded-json.ts';

/**
 * Limits for the largest response. Other requests wait while it is parsed. Measured on a machine with 2 cores: finding the
 * end of 4 MiB takes 10 to 35 ms, and parsing log lines of that size 6 ms. Parsing 50,000 values with different names takes
 * 20 ms, or 65 ms if one of them is an integer of 16 digits.
 */
const LARGEST: JsonLimits = { maxBytes: 2 ** 22, maxValues: 50_000 };

/** Limits for one record or a confirmation. The longest post takes a quarter of this size. */
const SINGLE: JsonLimits = { ...LARGEST, maxBytes: 2 ** 20 };

/** Maximum number of records of one list: more than anyone pages through, 30 at a time, or searches in a menu. */
export const MAX_LISTED_RECORDS = 2_000;

/** Limits for a list. The service has no pagination for most lists, so records beyond the limit can't be read. */
const LIST: JsonLimits = { ...LARGEST, maxRecords: MAX_LISTED_RECORDS };

/**
 * Limits for concurrent large responses in the process. A large response takes up to 16 MiB until it is parsed, so 16
 * responses take at most 256 MiB. A response of less than 1 MiB never waits. One workspace may read four large
 * responses at the same time, because Home makes four concurrent calls, more than any other feature.
 */
export const LARGE_READS = { minBytes: 2 ** 20, maxSlots: 16, maxSlotsPerKey: 4 };

/** Maximum concurrent calls for the names of projects with their own tokens. Equals the quota of one workspace. */
export const MAX_CONCURRENT_NAME_READS = LARGE_READS.maxSlotsPerKey;

/** Limits for the form in which a response arrives, whatever it contains. */
export const WIRE_LIMITS = {
  /** A service that is still at work may say so every 20 s (RFC 2518 §10.1), and a call takes 15 s. */
  maxInterimResponses: 10,
  /** The longest list in pieces of 64 bytes. Services send whole records, or some kilobytes, in one piece. */
  maxPieces: 2 ** 16,
  /** A response of this size is read at once, as far as it has arrived. A page of posts is about as large. */
  freeBytes: 2 ** 16,
  /** All bytes of a response: twice the longest list. A piece of 64 bytes adds six. */
  maxBytes: 2 ** 23,
};

export const RESPONSE_LIMITS: Record<keyof operations, JsonLimits> = {
  listProjects: LIST,
  listTemplates: LIST,
  listSources: LIST,
  // A log has many short lines, and is searched and exported as a whole.
  listLogs: { ...LIST, maxRecords: 5_000 },
  // A page has 100 posts, but a service that ignores the page size returns all posts. One view shows at most 500.
  listPosts: { ...LIST, maxRecords: 500 },
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
 * Limits for a refusal with a reason, which may be a list of problems of the input. `readProblems` returns at most 100 of
 * them. Each problem may contain a copy of the request (1 MiB).
 */
export const PROBLEM_LIMITS: JsonLimits = { ...LARGEST, maxRecords: 100 };
