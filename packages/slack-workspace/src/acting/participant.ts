import { act } from '../interactions/act.ts';
import type { PageRequest } from '../page-request.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';
import { type WaitOptions, waitUntil } from './wait-for.ts';

/** A person in a workspace, or something that the person uses there, such as a modal or a chat. */
export abstract class Participant {
  protected readonly site: Site;
  protected readonly person: Person;

  constructor(site: Site, person: Person) {
    this.site = site;
    this.person = person;
  }

  protected act(request: PageRequest): Promise<unknown> {
    return act(this.site, this.person.id, request);
  }

  /** Waits until `find` returns a value. Rejects after the timeout, with what the person sees instead. */
  protected waitUntil<T>(
    description: string,
    options: WaitOptions,
    find: () => T | undefined,
    readVisible: () => string,
  ): Promise<T> {
    return waitUntil(this.site, this.person.id, {
      ...options,
      find,
      createError: (waited) => new ActingError('not_visible', `${waited} for ${description}.`, readVisible()),
    });
  }
}
