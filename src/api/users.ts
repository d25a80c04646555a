import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { readCreatedId } from './records.ts';

/**
 * Add Non Platform User To Project. Resolves with the id of the user, for which this response is the only source,
 * because the service has no list of users.
 */
export async function inviteUser(
  client: ApiClient,
  invitation: {
    projectId: string;
    firstName: string;
    lastName: string;
    email: string;
    phoneNumber?: string | undefined;
    /** Always sent, because the service's default is ADMIN. */
    role: string;
    status?: string | undefined;
  },
): Promise<Outcome<string | undefined>> {
  const { phoneNumber, status } = invitation;
  const body = {
    FirstName: invitation.firstName,
    LastName: invitation.lastName,
    Email: invitation.email,
    ...(phoneNumber !== undefined && { PhoneNumber: phoneNumber }),
    Role: invitation.role,
    ...(status !== undefined && { Status: status }),
  };
  const path = { project_id: invitation.projectId };
  const outcome = await client.call('addNonPlatformUserToProject', (http, requestOptions) =>
    http.POST('/api/v1/projects/{project_id}/users/invite', { ...requestOptions, params: { path }, body }),
  );
  return mapDone(outcome, (data) => readCreatedId(data, 'User', ['Email']));
}

/** Update Project User. The request contains only the fields that `change` has. Resolves with the id of the user. */
export async function updateProjectUser(
  client: ApiClient,
  change: { projectId: string; userId: string; role?: string | undefined; status?: string | undefined },
): Promise<Outcome<string>> {
  const { projectId, userId, role, status } = change;
  const body = { ...(role !== undefined && { Role: role }), ...(status !== undefined && { Status: status }) };
  const path = { project_id: projectId, user_id: userId };
  const outcome = await client.call('updateProjectUser', (http, requestOptions) =>
    http.PUT('/api/v1/projects/{project_id}/users/{user_id}', { ...requestOptions, params: { path }, body }),
  );
  return mapDone(outcome, () => userId);
}
