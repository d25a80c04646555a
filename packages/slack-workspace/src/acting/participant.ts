import { act } from '../interactions/act.ts';
import type { PageRequest } from '../page-request.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';

export interface WaitOptions {
  /** Defaults to the workspace's `waitMs`. */
  timeoutMs?: number;
}

interface Wait<T> extends WaitOptions {
  /** Returns undefined or false until the wait is over. */
  find: () => T | undefined | false;
  /** The error after the timeout. `waited`: `Waited 1 s`. */
  createError: (waited: string) => ActingError;
}

/** Checks at once, and after each message to this person's page. Rejects after the timeout. */
export function waitUntil<T>(
  site: Site,
  person: string,
  { find, createError, timeoutMs = site.waitMs }: Wait<T>,
): Promise<T> {
  const found = find();
  if (found !== undefined && found !== false) return Promise.resolve(found);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    stopListening();
    reject(createError(`Waited ${timeoutMs / 1000} s`));
  }, timeoutMs);
  const stopListening = site.audience.subscribe(person, () => {
    const foundNow = find();
    if (foundNow === undefined || foundNow === false) return;
    clearTimeout(timer);
    stopListening();
    resolve(foundNow);
  });
  return promise;
}

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
    find: () => T | undefined | false,
    readVisible: () => string,
  ): Promise<T> {
    return waitUntil(this.site, this.person.id, {
      ...options,
      find,
      createError: (waited) => new ActingError('not_visible', `${waited} for ${description}.`, readVisible()),
    });
  }
}
