import { z } from 'zod';
import type { Source } from '../../api/sources.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';

/** A source as the service listed it; the value may be a secret, or a stand-in for one. */
export const seenSource = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  value: z.string().optional(),
});
export type SeenSource = z.infer<typeof seenSource>;

/** Stands wherever the value itself does not belong; as long for every value. */
export const MASK = '••••••••';

const NAME = 100;

export function toSeenSource({ id, name, description, value }: Source): SeenSource {
  const label = clip(sanitizeLine(name ?? description ?? '') || id, NAME);
  return {
    id,
    name: label,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { value }),
  };
}

/** Why a value cannot be filled in; undefined where it can. */
export function whyNotFilled({
  value,
}: Pick<SeenSource, 'value'>): 'none' | 'masked' | 'too-long' | undefined {
  if (value === undefined) return 'none';
  if (looksMasked(value)) return 'masked';
  return value.length > LIMITS.inputText ? 'too-long' : undefined;
}

/** The value itself, where the service shows it; also one that is too long for a form. */
export function knownValue({ value }: Pick<SeenSource, 'value'>): string | undefined {
  return value === undefined || looksMasked(value) ? undefined : value;
}

/** Equal but for the line ends that a form changes. */
export function isSameText(one: string | undefined, other: string | undefined): boolean {
  return lines(one) === lines(other);
}

function lines(text: string | undefined): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n');
}

/** Those whose name, description or id holds all the words. The value is not searched: it may be a secret. */
export function sourcesWith(sources: readonly SeenSource[], words: string): readonly SeenSource[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const exact = sources.filter(({ id }) => id === words.trim());
  if (exact.length > 0) return exact;
  return sources.filter(({ name, description = '' }) => {
    const held = `${name}\n${description}`.toLowerCase();
    return wanted.every((word) => held.includes(word));
  });
}

/** What services put where a secret was: runs of one sign, words in brackets, or something left out in the middle. */
const MASKS = [
  /[*•●∙·▪■×✱＊]{3,}/u,
  /(?:^|[^\p{L}])x{3,}(?:$|[^\p{L}])/iu,
  /#{4,}/,
  /[…⋯]/u,
  /\.{3,}/,
  /[[<({]\s*(?:redacted|hidden|masked|filtered|secret|removed|private)\s*[\])}>]/i,
  /^\s*(?:redacted|hidden|masked|filtered)\s*$/i,
];

/** Whether a value is not the value itself but a stand-in for it. Rather once too often: it is only asked for then. */
export function looksMasked(value: string): boolean {
  return MASKS.some((mask) => mask.test(value));
}
