import { z } from 'zod';
import type { Call } from '../../../handlers/call.ts';
import { findNextSlot } from '../../../held-posts/slots/service-slots.ts';
import { readSlotPhrase } from '../../../posts/slot-phrase.ts';
import type { Moment } from '../../../when/when.ts';
import { isZone } from '../../../when/zones.ts';

/** The slot that the form has found for its text, project and platforms, or why there is none. */
export const foundSlotSchema = z.object({
  /** What it was looked up for. */
  key: z.string(),
  slot: z.object({ instant: z.string(), zone: z.string() }).optional(),
  note: z.string(),
  problem: z.object({ headline: z.string(), advice: z.string() }).optional(),
});
export type FoundSlot = z.infer<typeof foundSlotSchema>;

interface SlotState {
  values: {
    when: string;
    platforms?: readonly string[] | undefined;
    project?: { id: string } | undefined;
  };
  /** The zone in which the text is read. */
  zone: string;
  formContext: { actorLocale?: string | undefined; slot?: FoundSlot | undefined };
  now: Date;
}

export type SlotReading =
  /** The first free slot. When the form is sent, the post takes it or, if somebody was faster, the next one. */
  | { kind: 'understood'; moment: Moment; notes: readonly string[]; slotFrom: Date }
  | { kind: 'no-slot'; headline: string; advice: string };

function buildKey({ values: { when, project, platforms = [] }, zone }: SlotState): string {
  return JSON.stringify([when.trim(), zone, project?.id, platforms.toSorted()]);
}

/** Reads "next slot" in the form, as far as the slot was looked up. Undefined for any other text. */
export function readSlot(state: SlotState): SlotReading | undefined {
  const { values, formContext, now, zone } = state;
  const { actorLocale: locale, slot: found } = formContext;
  const phrase = isZone(zone) ? readSlotPhrase(values.when.trim(), { now, zone, locale }) : undefined;
  if (!phrase) return undefined;
  if ('problem' in phrase) return { kind: 'no-slot', headline: phrase.problem, advice: '' };
  if (!values.project)
    return { kind: 'no-slot', headline: 'Each project has its own slots.', advice: 'Choose the project.' };
  if (found?.key !== buildKey(state)) {
    const advice = (values.platforms ?? []).length === 0 ? 'Choose the platforms.' : 'Try again in a moment.';
    return { kind: 'no-slot', headline: 'I haven’t looked up the next slot yet.', advice };
  }
  if (!found.slot) return { kind: 'no-slot', ...(found.problem ?? { headline: '', advice: '' }) };
  const moment = { instant: new Date(found.slot.instant), zone: found.slot.zone };
  return { kind: 'understood', moment, notes: [found.note], slotFrom: moment.instant };
}

/**
 * Looks up the slot of the form. One that the form has shown stays: sending the form takes it, or the next. `formId`:
 * absent while the form is opened.
 */
export async function findFormSlot(
  call: Call,
  state: SlotState,
  formId?: string,
): Promise<FoundSlot | undefined> {
  const { values, formContext, now, zone } = state;
  const { actorLocale: locale, slot: shown } = formContext;
  const phrase = isZone(zone) ? readSlotPhrase(values.when.trim(), { now, zone, locale }) : undefined;
  const { project, platforms = [] } = values;
  if (!phrase || 'problem' in phrase || !project) return undefined;
  const key = buildKey(state);
  if (shown?.key === key && shown.slot && new Date(shown.slot.instant) > now) return shown;
  // A form that is sent again asks for the slot that its post has, which isn't free any more.
  const search = { from: phrase.from, origin: formId };
  const place = { workspace: call.actor.workspace, project: project.id, platforms };
  try {
    const found = await findNextSlot(call.context, place, search);
    if ('problem' in found) return { key, note: '', problem: found.problem };
    const { slot, note } = found;
    return { key, slot: { instant: slot.instant.toISOString(), zone: slot.zone }, note };
  } catch (error) {
    // Without the database the form can still say that the post isn't saved.
    call.log.warn({ reference: call.reference, err: error }, 'could not look up the next slot');
    return undefined;
  }
}
