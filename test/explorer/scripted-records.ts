import { data, json, type ScriptedService } from '../support/scripted-service.ts';
import { getProjectId } from './world.ts';

/** Kinds of records in the service. Each project has one record of each kind, whose id begins with the kind. */
const RECORD_KINDS = ['posts', 'templates', 'sources', 'logs', 'upnext-post'] as const;

/** The numbers of each workspace's projects. */
const PROJECT_NUMBERS = [1, 2, 3] as const;

/** The name and text of every record in a project. */
export const getSecret = (workspaceNumber: number, projectNumber: number) =>
  `Secret-${workspaceNumber}-${projectNumber}`;

/** Lists records that contain the project's secret. Refuses posts, so that submissions wait for their author. */
export function scriptSecrets(service: ScriptedService, workspaceNumber: number): void {
  const projects = PROJECT_NUMBERS.map((projectNumber) => ({
    Id: getProjectId(workspaceNumber, projectNumber),
    Name: getSecret(workspaceNumber, projectNumber),
  }));
  service.on('GET /projects', data(projects));
  for (const kind of RECORD_KINDS) {
    service.on(`GET /${kind}`, (call, response) => {
      const projectNumber = Number(/\/projects\/p\d(\d)/.exec(call.path)?.[1]);
      const text = getSecret(workspaceNumber, projectNumber);
      const record = {
        ...{ Id: `${kind}-${workspaceNumber}${projectNumber}`, Name: text, Content: text },
        ...{ Message: text, Description: text, Status: 'SCHEDULED', Platforms: ['X'] },
        ...{ ScheduleDate: '2026-11-25T09:00:00Z', Timezone: 'UTC' },
      };
      return data(kind === 'upnext-post' ? record : [record])(call, response);
    });
  }
  service.on('POST /posts', json(403, {}));
}
