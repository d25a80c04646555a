import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../src/emulators/slack/acting/actor.ts';
import type { Form } from '../../../src/emulators/slack/acting/form.ts';
import { buttonsIn } from './told-words.ts';

const PROJECT = 'Harbour Coffee';
const LOADING_MS = 15_000;
const GLANCE_MS = 200;
/** A field that the app drew anew while somebody typed is filled once more. */
const FILLS = 3;

/** A post as it stands before its author, ready to be sent. */
export interface Written {
  /** Resolves with Slack's own words where it was not acknowledged. */
  submit(): Promise<string | undefined>;
  /** What can be read there after sending; undefined where it is gone. */
  text(): string | undefined;
  /** Whether it can be sent again as it is. */
  isThere(): boolean;
  close(): Promise<void>;
}

/** The form, opened by its command and filled. Rejects where it does not come. */
export async function openForm(actor: Actor, content: string, when: string): Promise<Written> {
  const form = await opened(actor);
  await closeOn(form, async () => {
    for (let left = FILLS; left > 0 && !isFilled(form, content, when); left -= 1) {
      await tried(() => form.choose('Project', PROJECT));
      await tried(() => form.fill('Text', content));
      await tried(() => form.choose('Platforms', ['X']));
      await tried(() => form.fill('When', when));
      await delay(GLANCE_MS);
    }
    if (!isFilled(form, content, when)) throw new Error('the form could not be filled');
  });
  const before = new Set(form.text().split('\n'));
  return {
    async submit() {
      const { trouble } = await form.submit();
      return trouble;
    },
    // What stands in the form before it is sent is no answer.
    text: () => (form.open ? withoutLines(form.text(), before) : undefined),
    isThere: () => form.open && form.labels().includes('When'),
    close: async () => {
      if (form.open) await form.close();
    },
  };
}

async function opened(actor: Actor): Promise<Form> {
  await actor.type('/schedule-post');
  const form = await actor.modal('Schedule a post');
  const ends = Date.now() + LOADING_MS;
  while (!(form.open && form.labels().includes('When'))) {
    if (!form.open || Date.now() > ends) {
      if (form.open) await form.close();
      throw new Error('the form did not load');
    }
    await delay(GLANCE_MS);
  }
  return form;
}

/** One line with everything in it, and the preview that it brings. */
export async function writeLine(
  actor: Actor,
  post: { token: string; content: string },
  when: string,
  as: 'post' | 'draft',
): Promise<Written> {
  const button = as === 'draft' ? 'Save draft' : 'Schedule';
  const draft = as === 'draft' ? 'draft ' : '';
  await actor.type(`/schedule-post ${draft}${when} on x for harbour coffee: ${post.content}`);
  const newest = () => actor.messages().findLast((text) => text.includes(post.token));
  const isThere = () =>
    actor
      .messages()
      .findLast((text) => buttonsIn(text).includes(button))
      ?.includes(post.token) === true;
  const ends = Date.now() + LOADING_MS;
  while (!isThere()) {
    if (Date.now() > ends) throw new Error(`no preview came: ${actor.messages().at(-1)?.slice(0, 80)}`);
    await delay(GLANCE_MS);
  }
  return {
    submit: () => actor.press(button).then(() => undefined),
    text: newest,
    isThere,
    close: async () => undefined,
  };
}

function isFilled(form: Form, content: string, when: string): boolean {
  try {
    return (
      form.value('Text') === content &&
      form.value('When') === when &&
      form.value('Platforms') !== '' &&
      form.value('Project') === PROJECT
    );
  } catch {
    return false;
  }
}

function withoutLines(text: string, before: ReadonlySet<string>): string {
  return text
    .split('\n')
    .filter((line) => !before.has(line))
    .join('\n');
}

/** What Slack refuses while somebody types is tried again with the next round. */
async function tried(doing: () => Promise<void>): Promise<void> {
  await doing().catch(() => undefined);
}

async function closeOn(form: Form, doing: () => Promise<void>): Promise<void> {
  try {
    await doing();
  } catch (error) {
    if (form.open) await form.close().catch(() => undefined);
    throw error;
  }
}
