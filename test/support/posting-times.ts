import type { Blackout, PostingTimes } from '../../src/preferences/posting-times.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../src/preferences/project-policy.ts';
import { understandRecurrence } from '../../src/when/recurrence.ts';
import { NOW } from './bot.ts';

/** Reads posting times. `zone`: an IANA name. */
export function createPostingTimes(
  platforms: string[],
  text: string,
  { zone = 'Europe/Lisbon', now = NOW } = {},
): PostingTimes {
  const reading = understandRecurrence({ text, zone, now });
  if (reading.kind !== 'understood') throw new Error(`“${text}” is ${reading.kind}`);
  return { platforms, recurrence: { zone, ...reading.recurrence } };
}

/** The policy of a project that holds its posts, with posting times by platform. */
export function createSlotPolicy(
  times: Readonly<Record<string, string>>,
  blackouts: Blackout[] = [],
): ProjectPolicy {
  const postingTimes = Object.entries(times).map(([platform, text]) => createPostingTimes([platform], text));
  return { ...DEFAULT_POLICY, leadMinutes: 60, postingTimes, blackouts };
}
