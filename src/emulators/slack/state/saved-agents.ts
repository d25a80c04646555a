import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

/** A message that the app writes bit by bit, until it is complete. */
export const stream = z.object({
  isComplete: z.boolean(),
  /** Where tasks stand: between the texts, or all in one plan. */
  tasks: z.enum(['timeline', 'plan']),
  /** User id of the only person who sees the message grow. Absent in direct messages. */
  recipient: z.string().exactOptional(),
  /** What the others see until the message is complete. */
  first: z.object({ text: z.string(), blocks: z.array(json).exactOptional() }),
});

const prompt = z.object({ title: z.string(), message: z.string() });

/** What an app suggests to ask. */
export const prompts = z.object({ title: z.string().exactOptional(), prompts: z.array(prompt) });

/** A chat with the app as an assistant: a thread of its direct message with a person. */
export const chat = z.object({
  channel: z.string(),
  /** Of the thread's first message. */
  ts: z.string(),
  person: z.string(),
  title: z.string().exactOptional(),
  /** The channel that the person looks at beside the chat. */
  context: z.string().exactOptional(),
  prompts: prompts.exactOptional(),
});

/** A step of a workflow, run by a person. */
export const stepRun = z.object({
  /** `Fx…` */
  id: z.string(),
  /** `Wx…` */
  workflow: z.string(),
  callbackId: z.string(),
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
