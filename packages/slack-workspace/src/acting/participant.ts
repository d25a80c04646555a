import { act } from '../interactions/act.ts';
import type { PageRequest } from '../page-request.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** Somebody, or something of theirs, in a workspace. */
export abstract class Participant {
  readonly site: Site;
  readonly person: Person;

  constructor(site: Site, person: Person) {
    this.site = site;
    this.person = person;
  }

  protected act(request: PageRequest): Promise<unknown> {
    return act(this.site, this.person.id, request);
  }

  /** `readVisible` returns all that the person sees, for the error. */
  protected waitUntil<T>(
    description: string,
    options: WaitOptions,
    find: () => T | undefined,
    readVisible: () => string,
  ): Promise<T> {
    return waitFor(this.site, this.person.id, { description, find, readVisible, ...options });
  }
}
