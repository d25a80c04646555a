import type { operations } from '../schema.d.ts';
import type { JsonLimits } from './kept-json.ts';

/** How much of one answer is read, in bytes after decoding; more is an error. And how much of that is kept. */
export interface AnswerLimits extends JsonLimits {
  bytes: number;
}

/**
 * As much as can be parsed at once without anybody waiting for it: measured on a machine of 2 cores, 13 ms for 4 MiB of
 * lines of a log, and 20 ms for 50,000 values that all have different names.
 */
const KEPT = { keptBytes: 2 ** 22, values: 50_000 };

/** One record, or a confirmation. The longest post takes a quarter of it. */
const ONE: AnswerLimits = { bytes: 2 ** 20, ...KEPT };

/** More than anybody pages through, 30 at a time, or than a menu could be searched for. */
export const MAX_LISTED = 2_000;

/** The service has no pages for it, so what is beyond these can't be asked for. */
const LIST: AnswerLimits = { bytes: 2 ** 24, records: MAX_LISTED, ...KEPT };

/**
 * Answers that are read at the same time, in the whole process. Each takes up to 20 MiB until it is parsed, so these
 * take 320 MiB at most; one of less than 1 MiB waits for nobody. Home, which asks for the most at once, has four under
 * way, and no workspace holds more.
 */
export const LARGE_READS = { fromBytes: 2 ** 20, atOnce: 16, ofOneShare: 4 };

/** Projects with a token of their own that are asked at once for their names: as many as may be large. */
export const OWN_PROJECTS_AT_ONCE = LARGE_READS.ofOneShare;

export const ANSWER_LIMITS: Record<keyof operations, AnswerLimits> = {
  listProjects: LIST,
  listTemplates: LIST,
  listSources: LIST,
  // A line is short, and there are many: they are searched and exported as a whole.
  listLogs: { ...LIST, records: 5_000 },
  // A page is 100, the service's default. A service that passes over page sizes gives all at once: as many are read as
  // one view is made of.
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

/** The problems of a request: as many as are read, each with a copy of what was sent (1 MiB at most). */
export const PROBLEM_LIMITS: AnswerLimits = { bytes: 2 ** 22, records: 100, ...KEPT };
