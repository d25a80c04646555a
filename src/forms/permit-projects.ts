import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { type Fields, named } from './field.ts';

/** Throws where the person may not open the form for a project that stands in it, as they could when they opened it. */
export async function permitProjects(
  fields: Fields,
  call: Pick<Call, 'permitForm'>,
  typed: Readonly<Record<string, unknown>>,
): Promise<void> {
  const holding = Object.keys(fields).filter((name) => fields[name]?.holdsProjects);
  const chosen = z.array(named.optional()).parse(holding.flatMap((name) => typed[name]));
  for (const project of chosen) if (project) await call.permitForm(project.id);
}
