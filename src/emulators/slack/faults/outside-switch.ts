import { z } from 'zod';

const choice = z.object({
  id: z.string(),
  label: z.string(),
  says: z.string(),
  /** What is PUT, as JSON, when it is chosen. */
  body: z.unknown(),
});

/** A switch of something beside Slack: choosing one of its choices is a PUT of JSON to its address. */
export const outsideSwitch = z.object({
  id: z.string(),
  label: z.string(),
  url: z.url(),
  /** Bearer. */
  token: z.string(),
  choices: z.array(choice),
  /** What is PUT when it is to work as usual again. */
  usual: z.unknown(),
});

export type OutsideSwitch = z.infer<typeof outsideSwitch>;
