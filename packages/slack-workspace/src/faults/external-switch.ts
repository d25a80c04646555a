import { z } from 'zod';

const choice = z.object({
  id: z.string(),
  label: z.string(),
  /** The text of the banner while the fault is on. */
  notice: z.string(),
  /** The JSON that turns the fault on. */
  body: z.unknown(),
});

/** A switch for a system beside Slack. To turn a fault on or off, the workspace sends JSON to `url` with PUT. */
export const externalSwitch = z.object({
  id: z.string(),
  label: z.string(),
  url: z.url(),
  /** The bearer token of `url`. */
  token: z.string(),
  choices: z.array(choice).readonly(),
  /** The JSON that turns all faults off. */
  resetBody: z.unknown(),
});

export type ExternalSwitch = z.infer<typeof externalSwitch>;
