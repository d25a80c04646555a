import type { Told } from './history.ts';

/**
 * What the app's words promise, in one place: by the buttons where there are some, else by how a sentence begins. The
 * first that fits counts.
 */
const WORDS: readonly (readonly [Told, RegExp])[] = [
  ['unsure', /not sure (?:whether |that |if )?(?:this|it|your \w+) was (?:saved|stored)/i],
  ['not-saved', /\bnot saved\b|could(?:n't| not) save|nothing was saved/i],
  ['in-hand', /\[(?:Check again|Send again|New time|Fix and send again)\]/],
  ['confirmed', /Scheduled for |Saved as a draft|\bScheduled\. /],
  ['saved', /\bSaved\b|Sending…|Checking…|I(?:'ll| will) (?:keep|send)|\bis saved\b/],
  ['refused', /\bNot (?:sent|scheduled)\b|Discarded/],
];

/** An open form says so of what will be sent from it, while the service is down. */
const OF_FORM = /What you send is saved, and goes out when it answers\./g;

/** Undefined: an empty form or a preview, which promise nothing. */
export function toldBy(text: string): Told | undefined {
  if (/not sent yet/.test(text) && /\[(?:Schedule|Save draft)\b/.test(text)) return undefined;
  const ofPost = text.replaceAll(OF_FORM, '');
  return WORDS.find(([, words]) => words.test(ofPost))?.[0];
}

/** The buttons with which an author decides. */
export const DECISIONS = ['Check again', 'Send again', 'Discard'] as const;

export function buttonsIn(text: string): string[] {
  return [...text.matchAll(/\[([^\]\n]+)\]/g)].map(([, label = '']) => label);
}
