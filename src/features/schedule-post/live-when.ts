import type { ActionCall } from '../../slack/feature.ts';
import { createLatestUpdates } from '../../slack/latest-updates.ts';
import type { Parts } from '../../submissions/parts.ts';
import { searchZones } from '../../when/zones.ts';
import { readWhen } from './form/check-form.ts';
import { buildForm } from './form/form.ts';
import { whenLine } from './form/when-words.ts';
import { standingForm } from './standing-form.ts';

/** One for all open forms: views have ids of their own in all of Slack. */
const updates = createLatestUpdates();

/** While somebody writes: what was understood, under the field. The newest words win. */
export async function showWhen(call: ActionCall<Parts>): Promise<void> {
  const { view, client, parts } = call;
  if (!view) return;
  await updates.show(view, client, async () => {
    const read = await standingForm(call, view);
    if (read.kind === 'outdated') return undefined;
    const now = call.now();
    const { form } = read;
    const line = whenLine(readWhen(form.typed, form.loaded, now), now, form.loaded.readerZone);
    return buildForm({ ...form, whenLine: line, practice: parts.practice, now });
  });
}

/**
 * The first two readings take half a second together, most of it V8 compiling their patterns at the second use: a
 * form's first letters would wait for that, and an acknowledgement beside them.
 */
export function warmUpWhen(): void {
  const now = new Date(0);
  for (let reading = 0; reading < 2; reading += 1) {
    readWhen({ when: 'tomorrow 9am London time', zone: 'Europe/Berlin' }, {}, now);
    searchZones('Berlin', now);
  }
}
