import { z } from 'zod';
import { zonesFor } from '../preferences/zones.ts';
import { isZone } from '../when/when.ts';
import { type Facts, loaded, projectFacts } from './loaded.ts';

export const zonedFacts = loaded.extend({
  /** Which zones were chosen for what; IANA names. */
  zones: z.object({
    channel: z.string().optional(),
    byProject: z.record(z.string(), z.string()),
    own: z.string().optional(),
    profile: z.string().optional(),
  }),
});
export type ZonedFacts = z.infer<typeof zonedFacts>;

/** For a form about a project and a moment: what projectFacts has, and the zones; the reader's is their own first. */
export const zoneFacts: Facts<ZonedFacts> = {
  schema: zonedFacts,
  async load(call, begin) {
    const { workspace, user } = call.who;
    const [base, chosen] = await Promise.all([
      projectFacts.load(call, begin),
      zonesFor(call.context.db, { workspace, user, channel: begin.channel }),
    ]);
    if ('trouble' in base) return base;
    const { readerZone: profile, ...facts } = base.facts;
    const zones = { ...chosen, ...(profile !== undefined && { profile }) };
    const readerZone = [chosen.own, profile].find((zone) => zone !== undefined && isZone(zone));
    return { facts: { ...facts, zones, ...(readerZone !== undefined && { readerZone }) } };
  },
};
