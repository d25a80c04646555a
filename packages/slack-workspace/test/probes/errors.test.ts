import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../src/web-api/methods.ts';
import { SPOILS } from './argument-probes.ts';
import { METHOD_PROBES } from './method-probes.ts';
import { OTHER_WORLD_PROBES } from './other-world-probes.ts';
import { COMMON_ERRORS, REFERENCE } from './reference.ts';
import { UNPROVOKED_ERRORS } from './unprovoked-errors.ts';
import { VALID_CALLS } from './valid-calls.ts';
import { startWorlds, type Worlds } from './worlds.ts';

const methods = [...METHODS.keys()];
const documented = methods.flatMap((method) =>
  (REFERENCE.get(method)?.errors ?? []).map((error) => ({ method, error, name: `${method} ${error}` })),
);
/** requests.test.ts provokes these in every method. */
const COMMON_PROBES = new Set(['not_allowed_token_type', 'ratelimited']);
const unprovoked = new Set(UNPROVOKED_ERRORS.flatMap(({ errors }) => errors));

function findProbe(method: string, error: string): ((worlds: Worlds) => Promise<unknown>) | undefined {
  const name = `${method} ${error}`;
  const other = OTHER_WORLD_PROBES[name];
  if (other) return other;
  if (error === 'missing_scope') return ({ bare }) => bare.call(method);
  if (unprovoked.has(name) || unprovoked.has(error)) return undefined;
  const spoil = METHOD_PROBES[name] ?? SPOILS[error];
  if (!spoil) return undefined;
  const valid = VALID_CALLS[method];
  return async ({ usual }) => usual.call(method, await spoil((await valid?.(usual)) ?? {}, usual, method));
}

describe('the errors in Slack’s method reference', () => {
  let worlds: Worlds;
  beforeAll(async () => {
    worlds = await startWorlds();
  });
  afterAll(() => worlds.close());

  it.each(Object.keys(VALID_CALLS))('%s succeeds before it is made to fail', async (method) => {
    expect(await worlds.usual.call(method, await VALID_CALLS[method]?.(worlds.usual))).toMatchObject({
      ok: true,
    });
  });

  const probes = documented.flatMap(({ method, error, name }) => {
    const probe = findProbe(method, error);
    return probe ? [{ name, error, probe }] : [];
  });

  it.each(probes)('$name', async ({ error, probe }) => {
    expect(await probe(worlds)).toMatchObject({ ok: false, error });
  });

  it('each documented error is provoked, or listed with a reason', () => {
    const provoked = probes.map(({ name }) => name);
    const left = documented.filter(
      ({ name, error }) =>
        !provoked.includes(name) &&
        !COMMON_PROBES.has(error) &&
        !unprovoked.has(name) &&
        !unprovoked.has(error),
    );
    expect(left.map(({ name }) => name)).toEqual([]);
  });

  it('each reason names errors that are documented', () => {
    const names = [...COMMON_ERRORS, ...documented.flatMap(({ name, error }) => [name, error])];
    expect([...unprovoked].filter((name) => !names.includes(name))).toEqual([]);
  });
});
