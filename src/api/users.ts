import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { getFields, readRecord } from './records.ts';

interface ProjectUser {
  /** The service has no list of users, so this response is the only source of the id. */
  id?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  role?: string | undefined;
  status?: string | undefined;
}

type UserOutcome = Outcome<{ user: ProjectUser | undefined; isReadable: boolean }>;

function readUser(value: unknown): ProjectUser | undefined {
  const fields = getFields(value);
  if (!fields?.has('Id', 'Email')) return undefined;
  return {
    id: fields.getId('Id'),
    firstName: fields.getText('FirstName'),
    lastName: fields.getText('LastName'),
    email: fields.getText('Email'),
    role: fields.getText('Role'),
    status: fields.getText('Status'),
  };
}

function readUserOutcome(outcome: Outcome<unknown>): UserOutcome {
  return mapDone(outcome, (data) => {
    const { record, isReadable } = readRecord(data, 'User', readUser);
    return { user: record, isReadable };
  });
}

interface Invitation {
  projectId: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber?: string | undefined;
  /** Always sent, because the service's default is ADMIN. */
  role: string;
  status?: string | undefined;
}

/** Add Non Platform User To Project. */
export async function inviteUser(client: ApiClient, invitation: Invitation): Promise<UserOutcome> {
  const { phoneNumber, status } = invitation;
  const body = {
    FirstName: invitation.firstName,
    LastName: invitation.lastName,
    Email: invitation.email,
    ...(phoneNumber !== undefined && { PhoneNumber: phoneNumber }),
    Role: invitation.role,
    ...(status !== undefined && { Status: status }),
  };
  const outcome = await client.call('addNonPlatformUserToProject', (http, requestOptions) =>
    http.POST('/api/v1/projects/{project_id}/users/invite', {
      ...requestOptions,
      params: { path: { project_id: invitation.projectId } },
      body,
    }),
  );
  return readUserOutcome(outcome);
}

interface ProjectUserChange {
  projectId: string;
  userId: string;
  role?: string | undefined;
  status?: string | undefined;
}

/** Update Project User. The request contains only the fields that `change` has. */
export async function updateProjectUser(client: ApiClient, change: ProjectUserChange): Promise<UserOutcome> {
  const { projectId, userId, role, status } = change;
  const body = { ...(role !== undefined && { Role: role }), ...(status !== undefined && { Status: status }) };
  const outcome = await client.call('updateProjectUser', (http, requestOptions) =>
    http.PUT('/api/v1/projects/{project_id}/users/{user_id}', {
      ...requestOptions,
      params: { path: { project_id: projectId, user_id: userId } },
      body,
    }),
  );
  return readUserOutcome(outcome);
}
