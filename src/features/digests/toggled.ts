import { z } from 'zod';
import { named } from '../../forms/field.ts';

/** What stands in the fields of which only some are there at a time. */
const toggled = z.object({
  /** Which of them were there last. */
  where: z.string(),
  kind: z.string(),
  channel: z.string(),
  projects: z.array(named),
  days: z.array(z.string()),
  day: z.string(),
});
type Toggled = z.infer<typeof toggled>;

/** The same, kept with the form: a field that was not there comes back as it was. */
export const lastToggled = toggled.optional();

/** Slack says nothing of a field that is not there. `mine`: the projects where it is for one person. Pure. */
export function restored(
  { where, kind, channel, projects, mine, days, day }: Toggled & { mine: Toggled['projects'] },
  last: Toggled | undefined,
): Toggled {
  if (!last) return { where, kind, channel, projects, days, day };
  return {
    where,
    kind,
    channel: last.where === 'me' && channel === '' ? last.channel : channel,
    projects: last.where === 'me' ? mine : projects,
    days: last.kind === 'weekly' && days.length === 0 ? last.days : days,
    day: last.kind !== 'weekly' && day === '' ? last.day : day,
  };
}
