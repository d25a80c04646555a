import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

/** A streamed message, which grows until the app completes it. */
export const stream = z.object({
  isComplete: z.boolean(),
  /** `timeline` shows tasks between the texts, `plan` shows all of them in one plan. */
  tasks: z.enum(['timeline', 'plan']),
  /** User id of the only person who sees the message grow. Absent in direct messages. */
  recipient: z.string().exactOptional(),
  /** The content that other people see until the message is complete. */
  first: z.object({ text: z.string(), blocks: z.array(json).exactOptional() }),
});

const prompt = z.object({ title: z.string(), message: z.string() });

/** The suggested prompts of a chat. */
export const prompts = z.object({ title: z.string().exactOptional(), prompts: z.array(prompt) });

/** A chat with the app as an assistant: a thread of its direct message with a person. */
export const chat = z.object({
  channel: z.string(),
  /** The ts of the thread's first message. */
  ts: z.string(),
  person: z.string(),
  title: z.string().exactOptional(),
  /** Id of the channel where the person is during the chat. */
  context: z.string().exactOptional(),
  prompts: prompts.exactOptional(),
});

/** One run of a workflow step. */
export const stepRun = z.object({
  /** `Fx…` */
  id: z.string(),
  /** `Wx…` */
  workflow: z.string(),
  callbackId: z.string(),
  /** Id of the app. */
  app: z.string().exactOptional(),
  title: z.string(),
  person: z.string(),
  inputs: json,
  state: z.enum(['running', 'completed', 'failed']),
  outputs: json.exactOptional(),
  error: z.string().exactOptional(),
  /** ms since the epoch. */
  startedAt: z.number(),
});

export type StepRun = z.infer<typeof stepRun>;
export type Stream = z.infer<typeof stream>;
export type Prompts = z.infer<typeof prompts>;
export type Chat = z.infer<typeof chat>;
