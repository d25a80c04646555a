import { DateTime } from 'luxon';
import type { SentMessage } from './digest-slack.ts';

/** A digest that is sent every day. */
export interface DailyDigest {
  id: string;
  channel: string;
  owner: string;
  /** Minute of the day. */
  minute: number;
  zone: string;
}

/** The numbers of dates by outcome, and the dates without an outcome or with several. */
export interface Verdict {
  expected: number;
  sent: number;
  missed: number;
  faults: string[];
}

/**
 * Checks the messages of digests that are on from one time to another (ms), using only their settings. Every date must
 * have exactly one outcome: a message, or a notice that the digest was missed.
 */
export function checkDigests(input: {
  digests: readonly DailyDigest[];
  from: number;
  until: number;
  messages: readonly SentMessage[];
}): Verdict {
  const { digests, messages } = input;
  const verdict: Verdict = { expected: 0, sent: 0, missed: 0, faults: [] };
  for (const digest of digests) {
    const directMessages = digest.owner.replace(/^U/, 'D');
    for (const slot of listSlots(digest, input.from, input.until)) {
      const name = `digest ${digest.id} for ${slot.toISODate()}`;
      const sent = messages.filter(({ text }) => text.split(',')[0] === name).length;
      const isMissed = messages.some(
        ({ channel, text }) =>
          channel === directMessages && text.startsWith('Not sent') && namesSlot(text, slot),
      );
      verdict.expected += 1;
      verdict.sent += sent;
      verdict.missed += Number(isMissed);
      if (sent + Number(isMissed) !== 1)
        verdict.faults.push(`${name}: sent ${sent} times, ${isMissed ? 'missed' : 'not missed'}`);
    }
  }
  return verdict;
}

/** Lists the times of a digest after `from` and until `until`. Clock changes must not skip or repeat its time. */
function listSlots({ minute, zone }: DailyDigest, from: number, until: number): DateTime[] {
  const slots: DateTime[] = [];
  const time = { hour: Math.floor(minute / 60), minute: minute % 60 };
  for (let date = DateTime.fromMillis(from, { zone }); ; date = date.plus({ days: 1 })) {
    const slot = date.set({ ...time, second: 0, millisecond: 0 });
    if (slot.toMillis() > until) return slots;
    if (slot.toMillis() > from) slots.push(slot);
  }
}

/** Whether a notice names the slot, such as "Sun 29 Mar, 03:30 (Berlin)". */
function namesSlot(text: string, slot: DateTime): boolean {
  const place = slot.zoneName?.split('/').at(-1)?.replaceAll('_', ' ');
  return text.includes(` ${slot.setLocale('en').toFormat('d MMM, HH:mm')} (${place}`);
}
