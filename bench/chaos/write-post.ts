import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, Form } from 'slack-workspace-emulator';

const PROJECT_NAME = 'Harbour Coffee';
const LOAD_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 200;
/** Maximum attempts to fill the form. The first may fail, because the app may replace a field during typing. */
const MAX_FILL_ATTEMPTS = 3;

/** A post in a filled form, ready to be submitted. */
export interface PreparedPost {
  /** Submits the post. Resolves with Slack's error message if the app didn't acknowledge it. */
  submit(): Promise<string | undefined>;
  /** Reads the app's answer in the modal or message. Undefined if the modal or message is gone. */
  readText(): string | undefined;
  /** Whether the form can be submitted again. */
  canResubmit(): boolean;
  close(): Promise<void>;
}

/** Opens the form by its command and fills it. Rejects if the form doesn't open or can't be filled. */
export async function prepareInForm(actor: Actor, content: string, when: string): Promise<PreparedPost> {
  await actor.type('/schedule-post');
  const form = await waitForForm(actor);
  await closeOnError(form, async () => {
    for (let remaining = MAX_FILL_ATTEMPTS; remaining > 0 && !isFilled(form, content, when); remaining -= 1) {
      await ignoreErrors(() => form.choose('Project', PROJECT_NAME));
      await ignoreErrors(() => form.fill('Text', content));
      await ignoreErrors(() => form.choose('Platforms', ['X']));
      await ignoreErrors(() => form.fill('When', when));
      await delay(POLL_INTERVAL_MS);
    }
    if (!isFilled(form, content, when)) throw new Error('the form could not be filled');
  });
  return createPreparedPost(form);
}

function createPreparedPost(form: Form): PreparedPost {
  const linesBefore = new Set(form.text().split('\n'));
  return {
    async submit() {
      const { trouble } = await form.submit();
      return trouble;
    },
    // Lines that were in the form before it was submitted are not part of the answer.
    readText: () => (form.open ? removeLines(form.text(), linesBefore) : undefined),
    canResubmit: () => form.open && form.labels().includes('When'),
    close: async () => {
      if (form.open) await form.close();
    },
  };
}

async function waitForForm(actor: Actor): Promise<Form> {
  const form = await actor.modal('Schedule a post');
  const endsAt = Date.now() + LOAD_TIMEOUT_MS;
  while (!(form.open && form.labels().includes('When'))) {
    if (!form.open || Date.now() > endsAt) {
      if (form.open) await form.close();
      throw new Error('the form did not load');
    }
    await delay(POLL_INTERVAL_MS);
  }
  return form;
}

/** Types the whole post in one command, which opens the form filled in. */
export async function prepareByCommand(
  actor: Actor,
  post: { content: string },
  when: string,
  kind: 'post' | 'draft',
): Promise<PreparedPost> {
  const prefix = kind === 'draft' ? 'draft ' : '';
  await actor.type(`/schedule-post ${prefix}${when} on x for harbour coffee: ${post.content}`);
  return createPreparedPost(await waitForForm(actor));
}

function isFilled(form: Form, content: string, when: string): boolean {
  try {
    return (
      form.value('Text') === content &&
      form.value('When') === when &&
      form.value('Platforms') !== '' &&
      form.value('Project') === PROJECT_NAME
    );
  } catch {
    return false;
  }
}

function removeLines(text: string, removedLines: ReadonlySet<string>): string {
  return text
    .split('\n')
    .filter((line) => !removedLines.has(line))
    .join('\n');
}

/** Ignores an error of the step, because the next attempt to fill the form repeats the step. */
async function ignoreErrors(step: () => Promise<void>): Promise<void> {
  await step().catch(() => undefined);
}

async function closeOnError(form: Form, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (form.open) await form.close().catch(() => undefined);
    throw error;
  }
}
