import { z } from 'zod';
import { createPrompt } from '../../api/prompts.ts';
import { context, plain, quoted } from '../../slack/blocks.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const content = z.object({
  project: z.object({ id: z.string(), name: z.string() }),
  title: z.string(),
  text: z.string(),
  description: z.string(),
});
export type PromptContent = z.infer<typeof content>;

const answered = z.object({ prompt: z.object({ id: z.string() }) });

/** A prompt on its way to the service, which has no list of prompts: its answer is the one chance to learn the id. */
export const promptSubmission: SubmissionKind<PromptContent> = {
  name: 'prompt',
  feature: 'prompts',
  content,
  project: (prompt) => prompt.project,
  role: () => 'author',
  send: (api, { project, title, text, description }) =>
    createPrompt(api, {
      projectId: project.id,
      title,
      promptText: text,
      ...(description.trim() !== '' && { description }),
    }),
  result: (data) => answered.safeParse(data).data?.prompt.id,
  remembered: ({ project, title }) => ({ project, title, text: '', description: '' }),
  whenUnknown: { way: 'ask' },
  words: {
    title: ({ title, project }) => `Prompt “${title}” for ${project.name}`,
    done: ({ title }) => `The prompt “${title}” is made. It can be chosen in the form for a post.`,
    doneTitle: () => 'Created',
    doneNote: () => 'It cannot be changed or removed from here.',
    text: ({ text }) => text,
    details: ({ project, text, description }) => [
      context(
        plain(`Project: ${project.name}`),
        ...(description.trim() === '' ? [] : [plain(description, 300)]),
      ),
      quoted(text),
    ],
  },
};
