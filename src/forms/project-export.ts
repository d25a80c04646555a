import { DateTime } from 'luxon';
import type { Project } from '../api/projects.ts';
import type { Call } from '../handlers/call.ts';
import { toChannelName } from '../posts/project.ts';
import { findZones } from '../preferences/zones.ts';
import { isZone } from '../when/zones.ts';

/**
 * Finds the zone of the times in a file with a project's records: the project's, because colleagues read the file too, or
 * else the zone of the person who exports it.
 */
export async function findExportZone(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  { id }: Project,
  readerZone: string,
): Promise<string> {
  const { workspace, user } = actor;
  const { byProject } = await findZones(context.db, { workspace, user, channel: undefined });
  const zone = Object.hasOwn(byProject, id) ? byProject[id] : undefined;
  return zone !== undefined && isZone(zone) ? zone : readerZone;
}

/** Maximum length of a project's name in the name of a file. */
const MAX_NAME_LENGTH = 60;

/** Builds the name of a file: "posts-harbour-coffee-2026-11-20.csv". */
export function buildExportName(noun: string, project: Project, date: { now: Date; zone: string }): string {
  const name = [...toChannelName(project.name)].slice(0, MAX_NAME_LENGTH).join('');
  const day = DateTime.fromJSDate(date.now, { zone: date.zone }).toISODate() ?? '';
  return [noun, name, day]
    .filter((part) => part !== '')
    .join('-')
    .concat('.csv');
}
