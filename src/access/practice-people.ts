import type { WebClient } from '@slack/web-api';

/** Who begins with a role in the practice workspace. */
export interface FirstPeople {
  owner?: string;
  publisher?: string;
}

/** The first two full members in the order in which the practice workspace lists them; asked for once a minute. */
export function firstPeople(clock: () => number): (client: WebClient) => Promise<FirstPeople> {
  let kept: { at: number; people: FirstPeople } | undefined;
  return async (client) => {
    if (kept && clock() - kept.at < 60_000) return kept.people;
    const { members = [] } = await client.users.list({ limit: 200 });
    const full = members.flatMap((one) =>
      one.id === undefined || one.is_bot || one.deleted || one.is_restricted || one.is_ultra_restricted
        ? []
        : [one.id],
    );
    const [owner, publisher] = full;
    const people = { ...(owner !== undefined && { owner }), ...(publisher !== undefined && { publisher }) };
    kept = { at: clock(), people };
    return people;
  };
}
