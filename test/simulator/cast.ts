import type { Role } from '../../src/access/access.ts';
import type { ZonedRecurrence } from '../../src/preferences/posting-times.ts';
import type { Account } from './service.ts';

/** The role of full members without a grant. */
export const DEFAULT_ROLE = 'contributor';

/** A person of a workspace, with the role that an owner gave them. Those without a grant have the default role. */
interface CastMember {
  id: string;
  name: string;
  role?: Role;
  isOwner?: boolean;
  isGuest?: boolean;
  timeZone: string;
}

/** A workspace of the simulation: its people, channels and projects, and how its projects hold posts. */
export interface CastWorkspace {
  id: string;
  name: string;
  people: readonly CastMember[];
  channels: readonly { id: string; name: string; isPrivate: boolean }[];
  account: Account;
  policies: readonly {
    project: string;
    leadMinutes: number;
    review: 'off' | 'optional' | 'required';
    /** When posts without a time of their own go out, on the clock of `SLOT_ZONE`. */
    slots: readonly string[];
  }[];
}

/** The zone of the posting times. */
export const SLOT_ZONE = 'Europe/Berlin';

/** Every day at these times of the clock. */
export function toRecurrence(clocks: readonly string[]): ZonedRecurrence {
  const times = clocks.map((clock) => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number);
    return { hour, minute };
  });
  return { on: { unit: 'day' }, interval: 1, times, zone: SLOT_ZONE };
}

/** Days on which no project posts. Each start of a simulation is soon followed by one. The clocks change on others too. */
export const BLACKOUT_DAYS = ['2026-10-26', '2026-11-02', '2026-11-21', '2027-03-15', '2027-04-04'];

/** Creates a workspace whose ids begin with `letter`. Nothing of it may ever appear in another. */
function createWorkspace(letter: string, name: string): CastWorkspace {
  const person = (number: number, personName: string, rest: Partial<CastMember> = {}): CastMember => ({
    ...{
      id: `U${letter}${number}`,
      name: personName,
      timeZone: number % 2 ? 'Europe/Berlin' : 'America/New_York',
    },
    ...rest,
  });
  return {
    id: `T${letter}1`,
    name,
    people: [
      person(1, `Olga${letter}`, { role: 'owner', isOwner: true }),
      person(2, `Mira${letter}`, { role: 'manager' }),
      person(3, `Pia${letter}`, { role: 'publisher' }),
      person(4, `Paul${letter}`, { role: 'publisher' }),
      person(5, `Carl${letter}`, { role: 'contributor' }),
      person(6, `Gus${letter}`, { isGuest: true }),
    ],
    channels: [
      { id: `C${letter}1`, name: 'posts', isPrivate: false },
      { id: `C${letter}2`, name: 'secret-plans', isPrivate: true },
    ],
    account: {
      workspace: `T${letter}1`,
      token: `token-of-${letter}`,
      projects: [
        { id: `plain${letter}`, name: `Plain ${letter}` },
        { id: `kept${letter}`, name: `Shop ${letter}` },
        { id: `checked${letter}`, name: `Checked ${letter}` },
      ],
    },
    policies: [
      { project: `kept${letter}`, leadMinutes: 30, review: 'optional', slots: ['02:30', '09:00', '13:30'] },
      { project: `checked${letter}`, leadMinutes: 60, review: 'required', slots: ['11:00', '20:15'] },
    ],
  };
}

export const WORKSPACES = [createWorkspace('A', 'Harbour Coffee'), createWorkspace('B', 'Night Market')];
