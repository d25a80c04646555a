import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { answerForm } from '../../src/submissions/answer-form.ts';
import type { Pace } from '../../src/submissions/pace.ts';
import { createSubmissions, type Submissions } from '../../src/submissions/submissions.ts';
import { formCall, type Say, slackSaying } from './pressed-form.ts';

/** Submissions of posts with a stand-in for Slack: what people see goes to `say`. */
export function postingMachine(options: {
  db: Kysely<BotSchema>;
  api: ApiClient;
  pace: Pace;
  say?: Say;
  viewGone?: () => boolean;
  onError?: (message: string, facts: object) => void;
}): Submissions {
  const { db, api, pace, say = () => undefined, viewGone, onError } = options;
  const quiet = () => undefined;
  return createSubmissions({
    db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    kinds: [postSubmission],
    practice: false,
    pace,
    log: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (facts, message) => onError?.(message, facts),
    },
    now: () => new Date(),
    apiFor: async () => api,
    slackFor: async () => slackSaying(say, viewGone),
    may: async () => 'yes',
    notifyOwners: async () => undefined,
  });
}

/** Sends a form with this content. */
export async function sendPost(
  submissions: Submissions,
  content: PostContent,
  options: { formId?: string; say?: Say; viewGone?: () => boolean } = {},
): Promise<void> {
  const { formId = randomUUID(), say = () => undefined, viewGone } = options;
  const again = (): ModalView => ({
    type: 'modal',
    title: { type: 'plain_text', text: 'Again' },
    blocks: [],
  });
  await answerForm(formCall(submissions, say, viewGone), postSubmission, {
    formId,
    contents: [content],
    form: { inline: () => undefined, again },
  });
}

/** Each post gets its own minute, so that posts don't conflict. */
export function postAt(text: string, minute: number, projectId = 'p1'): PostContent {
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: projectId, name: 'Harbour Coffee' },
    moment: { instant: new Date(Date.UTC(2030, 0, 1) + minute * 120_000).toISOString(), zone: 'UTC' },
  };
}
