import type { Kysely, Updateable } from 'kysely';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { sendContents } from '../../src/forms/submit-form.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { insertPostAtOnce } from '../../src/held-posts/sql/posts-at-once.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import type { Pace } from '../../src/submissions/pace.ts';
import { insertSubmission, type NewSubmission } from '../../src/submissions/sql/submissions.ts';
import type { SubmissionOptions } from '../../src/submissions/submission-context.ts';
import { createSubmissions, type Submissions } from '../../src/submissions/submissions.ts';
import {
  createFormCall,
  createReportingSlack,
  createSubmittedForm,
  createTestForm,
  type OnShown,
} from './form-call.ts';
import { createTestClock } from './test-clock.ts';

/** Stores a saved post without content in Harbour Coffee, with these changes. */
export async function insertPost(
  db: Kysely<BotSchema>,
  post: Pick<NewSubmission, 'id' | 'author' | 'createdAt'>,
  changes: Updateable<BotSchema['submission']> = {},
): Promise<void> {
  const position = { origin: post.id, item: 0, revision: 0, channel: null };
  await insertSubmission(db, { ...post, ...position, workspace: 'T01HARBOUR', kind: 'post', content: null });
  await db
    .updateTable('submission')
    .set({ attempts: 1, ...changes })
    .where('id', '=', post.id)
    .execute();
}

/** Creates submissions of posts with a fake Slack, which reports views and messages to `onShown`. */
export function createPostSubmissions(
  options: {
    db: Kysely<BotSchema>;
    api: ApiClient;
    pace: Pace;
    onShown?: OnShown;
    isViewClosed?: () => boolean;
    onError?: (message: string, fields: object) => void;
  } & Partial<
    Pick<
      SubmissionOptions,
      | 'clock'
      | 'checkPermission'
      | 'showPost'
      | 'takeOutcome'
      | 'takeForReview'
      | 'findApiClient'
      | 'isElsewhere'
    >
  >,
): RunnableSubmissions {
  const { db, api, pace, onShown = () => undefined, isViewClosed, onError, ...others } = options;
  return createRunnableSubmissions({
    db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    kinds: [postSubmission],
    pace,
    log: { ...SILENT, error: (fields, message) => onError?.(message, fields) },
    clock: createTestClock(() => new Date()),
    findApiClient: async () => api,
    isElsewhere: async () => false,
    findSlackClient: async () => createReportingSlack(onShown, isViewClosed),
    checkPermission: async () => 'yes',
    notifyOwners: async () => undefined,
    ...others,
  });
}

/** Submits a form for a post with this content. */
export async function sendPost(
  submissions: RunnableSubmissions,
  content: PostContent,
  options: {
    formId?: string;
    channel?: string | undefined;
    onShown?: OnShown;
    isViewClosed?: () => boolean;
  } = {},
): Promise<void> {
  const { formId, channel, onShown = () => undefined, isViewClosed } = options;
  const form = createTestForm(postSubmission);
  const call = createFormCall(submissions, onShown, isViewClosed);
  const submitted = createSubmittedForm(form, call, content.values.text, {
    ...(formId !== undefined && { formId }),
    stored: { project: null, ...(channel !== undefined && { channel }) },
  });
  await sendContents(form, call, submitted, [content]);
}

/** Each post gets its own minute, so that posts don't conflict. */
export function createPostAt(text: string, minute: number, projectId = 'p1'): PostContent {
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: projectId, name: 'Harbour Coffee' },
    moment: { instant: new Date(Date.UTC(2030, 0, 1) + minute * 120_000).toISOString(), zone: 'UTC' },
  };
}

/** Submissions on an engine of their own, which a test starts and stops. */
interface RunnableSubmissions extends Omit<Submissions, 'stop'> {
  engine: Engine;
  start(): void;
  stop(): Promise<void>;
}

/** What the rest of the app does for submissions, for tests without it. */
const WITHOUT_APP = {
  findManagers: async () => [],
  findExcludedGuests: async () => 'no',
  isSwitchedOff: () => false,
  recordAllowed: () => undefined,
  prepareAllowed: () => undefined,
  onConfirmed: () => undefined,
  onAuthorNotified: () => undefined,
  showPost: async () => undefined,
  takeOutcome: async () => false,
  takeForReview: async () => 'not-needed',
  findPublication: async () => undefined,
  insertPost: insertPostAtOnce,
} satisfies Partial<SubmissionOptions>;

export function createRunnableSubmissions(
  options: Omit<SubmissionOptions, 'engine' | keyof typeof WITHOUT_APP> & Partial<SubmissionOptions>,
): RunnableSubmissions {
  const { db, clock, log, random } = options;
  const engine = createEngine({ db, clock, log, isTemporary: isTransient, ...(random && { random }) });
  const submissions = createSubmissions({ ...WITHOUT_APP, ...options, engine });
  return {
    ...submissions,
    engine,
    start: engine.start,
    async stop() {
      submissions.stop();
      await engine.stop();
    },
  };
}
