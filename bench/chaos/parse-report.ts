import type { ReportedState } from './history.ts';

/**
 * The texts and buttons of the app, by the state that they report. The first match counts. No other file of the
 * benchmark depends on the app's texts.
 */
const STATE_PATTERNS: readonly (readonly [ReportedState, RegExp])[] = [
  ['unsure', /not sure (?:whether |that |if )?(?:this|it|your \w+) was (?:saved|stored)/i],
  ['not-saved', /\bnot saved\b|could(?:n't| not) save|nothing was saved/i],
  ['needs-author', /\[(?:Check again|Send again|New time|Fix and send again)\]/],
  ['confirmed', /Scheduled for |Saved as a draft|\bScheduled\. /],
  ['saved', /\bSaved\b|Sending…|Checking…|I(?:'ll| will) (?:keep|send)|\bis saved\b/],
  ['refused', /\bNot (?:sent|scheduled)\b|Discarded/],
];

/** An open form shows this while the service is down. It doesn't report that a post is saved. */
const FORM_NOTICE = /I’ll save your post and send it later\./g;

/** Parses the state that a text reports. Undefined for a form, which reports nothing. */
export function parseReport(text: string): ReportedState | undefined {
  const withoutNotice = text.replaceAll(FORM_NOTICE, '');
  return STATE_PATTERNS.find(([, pattern]) => pattern.test(withoutNotice))?.[0];
}

/** The answer to `/upnext outbox` contains this. */
export const OUTBOX_ANSWER = /\bOutbox\b|\bNeeds you\b|Posts that wait for you|Nothing (?:else )?pending/;

/** The buttons for a post that needs a decision. */
export const DECISIONS = ['Check again', 'Send again', 'Discard'] as const;

export function findButtons(text: string): string[] {
  return [...text.matchAll(/\[([^\]\n]+)\]/g)].map(([, label = '']) => label);
}
